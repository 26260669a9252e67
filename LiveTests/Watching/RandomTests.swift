#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// Whatever two writers do to a tree, the picture made from what was told is right in the end.
        @Suite struct RandomTests {
            private static let environment = ProcessInfo.processInfo.environment
            /// One seed again, or many.
            static let seeds: [UInt64] = {
                if let seed = environment["WATCHER_SEED"].flatMap({ UInt64($0) }) { return [seed] }
                let count = environment["WATCHER_SEEDS"].flatMap { Int($0) } ?? (LiveMachine.isPatient ? 5 : 2)
                return (0..<count).map { _ in UInt64.random(in: 1...1_000_000) }
            }()

            @Test(arguments: seeds)
            func thePictureOfATreeIsRightAfterFiveThousandRandomChanges(seed: UInt64) async throws {
                let folder = try TemporaryFolder()
                let told = try await ToldChanges(folder.path, readsFiles: true)
                let root = folder.path
                async let first = onOwnThread { try RandomChanges(root: root, seed: seed).make(2500) }
                async let second = onOwnThread { try RandomChanges(root: root, seed: seed + 1_000_000).make(2500) }
                let outcomes = try await [first, second]
                try await told.isTrueInTheEnd()
                try told.hasReadEverything(but: outcomes[0].hardLinked.union(outcomes[1].hardLinked))
                print(
                    "random, seed \(seed): \(outcomes[0].done + outcomes[1].done) of 5,000 done, \(told.total) events,",
                    "\(told.picture.count) entries, overflows \(told.watcher.status.overflows)")
                withExtendedLifetime(folder) {}
            }

            /// The consumer ends in the middle of the changes, which go on while nobody watches; a later one begins with its token.
            @Test(arguments: seeds)
            func thePictureGoesOnFromATokenOverATimeWithoutAWatcher(seed: UInt64) async throws {
                let folder = try TemporaryFolder()
                let root = folder.path
                let told = try await ToldChanges(root, readsFiles: true)
                async let first = onOwnThread { try RandomChanges(root: root, seed: seed).make(2500) }
                async let second = onOwnThread { try RandomChanges(root: root, seed: seed + 1_000_000).make(2500) }
                // In the middle of it.
                _ = await told.sees { $0.total > 300 }
                let token = try await told.end()
                told.watcher.stop()
                var outcomes = try await [first, second]
                let encoded = token.encoded
                let later = try await ToldChanges(
                    DirectoryWatcher(root), of: root, readsFiles: true, since: try WatchToken(decoding: encoded),
                    continuing: told)
                outcomes.append(
                    try await onOwnThread { try RandomChanges(root: root, seed: seed + 2_000_000).make(200) })
                try await later.isTrueInTheEnd()
                try later.hasReadEverything(but: outcomes.reduce(into: []) { $0.formUnion($1.hardLinked) })
                print(
                    "random with a token of \(encoded.count) bytes, seed \(seed): \(told.total) events before, \(later.total) after"
                )
                withExtendedLifetime(folder) {}
            }
        }
    }
#endif
