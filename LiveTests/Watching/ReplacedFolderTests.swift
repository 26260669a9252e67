#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// Folders that are deleted, made again, or become something else under the same name, faster than they can be seen.
        @Suite struct ReplacedFolderTests {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            /// What is there in the end is what was told, and writes in it are told later too.
            private func run(
                lasts files: [String], _ script: @escaping @Sendable () throws -> Void
            ) async throws -> ToldChanges {
                let told = try await ToldChanges(folder.path)
                try await onOwnThread(script)
                #expect(await told.hears(of: files))
                try await told.isTrueInTheEnd()
                told.forget()
                for file in files { try Disk.write(file, "a later text") }
                #expect(await told.hears(of: files), "later writes")
                return told
            }

            @Test func aFolderMayBeDeletedAndMadeAgainFiftyTimes() async throws {
                let folder = self.folder
                let told = try await run(lasts: [folder("s/t/f49")]) {
                    for number in 0..<50 {
                        if number > 0 { try Disk.removeTree(folder("s")) }
                        try Disk.makeFolders("s/t", below: folder.path)
                        try Disk.write(folder("s/t/f\(number)"))
                    }
                }
                #expect(told.watcher.status.watchedFolders == 3)
            }

            @Test func aFolderMayBecomeALinkAndAFolderAgainFiftyTimes() async throws {
                let folder = self.folder
                try Disk.makeFolder(folder("target"))
                let told = try await run(lasts: [folder("x/f")]) {
                    for number in 0..<50 {
                        try Disk.makeFolder(folder("x"))
                        try Disk.write(folder("x/f"), "\(number)")
                        if number == 49 { break }
                        try Disk.removeTree(folder("x"))
                        try Disk.linkSymbolically(folder("x"), to: folder("target"))
                        try Disk.remove(folder("x"))
                    }
                }
                #expect(told.watcher.status.watchedFolders == 3)
            }

            @Test(arguments: [2000, 10_000])
            func foldersThatVanishAtOnceLeaveNothingBehind(count: Int) async throws {
                let folder = self.folder
                let told = try await run(lasts: [folder("proof")]) {
                    for _ in 0..<count {
                        try Disk.makeFolder(folder("t"))
                        try Disk.removeFolder(folder("t"))
                    }
                    try Disk.write(folder("proof"))
                }
                #expect(told.watcher.status.watchedFolders == 1)
                print("\(count) folders made and removed: \(told.watcher.status)")
            }

            @Test func foldersThatAreRenamedAtOnceAreFollowed() async throws {
                let folder = self.folder
                _ = try await run(lasts: [folder("u/proof")]) {
                    for number in 0..<2000 {
                        if number > 0 { try Disk.removeTree(folder("u")) }
                        try Disk.makeFolder(folder("t"))
                        try Disk.move(folder("t"), folder("u"))
                        if number == 1999 { try Disk.write(folder("u/proof")) }
                    }
                }
            }

            @Test func linksInFoldersMadeAMomentAgoAreToldAndNotFollowed() async throws {
                let folder = self.folder
                let told = try await ToldChanges(folder.path)
                try await onOwnThread {
                    for number in 0..<100 {
                        try Disk.makeFolder(folder("show\(number)"))
                        try Disk.linkSymbolically(folder("show\(number)/episode.mkv"), to: "..")
                    }
                }
                let links = (0..<100).map { folder("show\($0)/episode.mkv") }
                #expect(await told.hears(of: links))
                try await told.isTrueInTheEnd()
                let others = Set(told.words.keys).subtracting(links + (0..<100).map { folder("show\($0)") })
                #expect(others.isEmpty && told.removals.isEmpty, "\(others) \(told.removals)")
            }

            @Test func aLinkToAParentIsNoTreeWithoutEnd() async throws {
                try Disk.makeFolder(folder("a"))
                try Disk.linkSymbolically(folder("a/up"), to: "..")
                try Disk.linkSymbolically(folder("b"), to: folder("a"))
                let told = try await ToldChanges(folder.path)
                #expect(told.watcher.status.watchedFolders == 2)
                try Disk.write(folder("b/f"))
                #expect(await told.hears(of: [folder("a/f")]))
                try await told.isTrueInTheEnd()
                #expect(Set(told.words.keys) == [folder("a/f")])
            }

            @Test func aFolderMadeAgainIsStillWatchedWhenAllTimersHaveRun() async throws {
                var options = WatchOptions()
                options.periodicRescan = .milliseconds(300)
                options.pollInterval = .milliseconds(200)
                if LiveMachine.isPatient { options = WatchOptions() }
                try Disk.makeFolder(folder("s"))
                try Disk.write(folder("s/init"))
                let told = try await ToldChanges(folder.path, options)
                try Disk.removeTree(folder("s"))
                try Disk.makeFolder(folder("s"))
                try await told.isTrueInTheEnd()
                try await Task.sleep(for: LiveMachine.isPatient ? .seconds(70) : .seconds(1))
                try Disk.write(folder("s/init"))
                #expect(await told.hears(of: [folder("s/init")]))
                try await told.isTrueInTheEnd()
            }
        }
    }
#endif
