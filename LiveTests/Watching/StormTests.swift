#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// Folders made within folders made a moment ago, flat out: where watchers lose files.
        @Suite struct StormTests {
            @Test(arguments: 1...(LiveMachine.isPatient ? 5 : 2))
            func everyFileOfAStormIsToldInMemory(round: Int) async throws {
                let folder = try TemporaryFolder()
                try await storm(in: folder.path, round)
                withExtendedLifetime(folder) {}
            }

            @Test(arguments: 1...(LiveMachine.isPatient ? 2 : 1))
            func everyFileOfAStormIsToldOnDisk(round: Int) async throws {
                let directory = try LiveDirectory()
                try await storm(in: directory.url.path, round)
                withExtendedLifetime(directory) {}
            }

            /// 250 × `mkdir a a/b a/b/c a/b/c/d`, then 10 files in each, the deepest first.
            private func storm(in root: String, _ round: Int) async throws {
                let told = try await ToldChanges(root)
                let start = ContinuousClock.now
                try await onOwnThread {
                    for number in 0..<250 {
                        let folders = ["a", "a/b", "a/b/c", "a/b/c/d"].map { "\(root)/\(number)\($0)" }
                        for folder in folders { try Disk.makeFolder(folder) }
                        for folder in folders.reversed() {
                            for file in 0..<10 { try Disk.write("\(folder)/f\(file)") }
                        }
                    }
                }
                let wrote = ContinuousClock.now - start
                try await told.isTrueInTheEnd()
                let knew = ContinuousClock.now - start
                let words = told.words.values.filter { $0.kind != .removed }
                #expect(words.count { !$0.isFolder } == 10_000)
                #expect(words.count { $0.isFolder } == 1000)
                #expect(told.removals.isEmpty)
                let status = told.watcher.status
                #expect(status.watchedFolders == 1001)
                print(
                    "storm \(round), \(root.prefix(9)): \(words.count) told in \(told.total) events,",
                    "written in \(wrote), known in \(knew), overflows \(status.overflows), rescans \(status.rescans)")
            }
        }
    }
#endif
