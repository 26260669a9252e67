#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// One rename, one event, ten thousand files.
        @Suite struct MovedTreeTests {
            @Test func everyFileOfATreeMovedInIsTold() async throws {
                let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
                try await onOwnThread {
                    for number in 0..<1000 {
                        try Disk.makeFolders("t/\(number / 10)/\(number)", below: outside.path)
                        for file in 0..<10 { try Disk.write(outside("t/\(number / 10)/\(number)/f\(file)")) }
                    }
                }
                let told = try await ToldChanges(folder.path)
                try Disk.move(outside("t"), folder("t"))
                try await told.isTrueInTheEnd()
                let words = told.words.values
                #expect(words.count { !$0.isFolder } == 10_000)
                #expect(words.count { $0.isFolder } == 1101)
                let twice = told.words.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value.count)" }
                #expect(twice.isEmpty, "each once: \(twice.prefix(5)), \(told.watcher.status)")
                print("moved in: \(words.count) told in \(told.total) events")

                told.forget()
                try Disk.write(folder("t/7/77/f3"), "other")
                try Disk.remove(folder("t/8/88/f4"))
                #expect(await told.hears(of: [folder("t/7/77/f3")]))
                #expect(await told.hearsOfEnd(of: [folder("t/8/88/f4")]))
                try Disk.move(folder("t"), outside("t"))
                try await told.isTrueInTheEnd()
                #expect(told.removals.count == 11_101)
            }
        }
    }
#endif
