#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    #if canImport(Glibc)
        import Glibc
    #else
        import Musl
    #endif

    extension WatcherLive {
        /// What changes while a watch begins, and consumers that come while it runs.
        @Suite struct StartTests {
            @Test func aWriteDuringTheStartIsToldOrThereAtTheStart() async throws {
                let folder = try TemporaryFolder()
                for number in 0..<200 { try Disk.makeFolders("d\(number % 20)/e\(number)", below: folder.path) }
                for round in 0..<(LiveMachine.isPatient ? 60 : 20) {
                    let file = folder("d7/e7/f")
                    async let writing: Void = onOwnThread {
                        usleep(.random(in: 0..<20_000))
                        try Disk.write(file, "round \(round)")
                    }
                    let told = try await ToldChanges(folder.path, readsFiles: true)
                    try await writing
                    let content = FileContent(file)
                    #expect(await told.sees { $0.contents[file] == content }, "round \(round)")
                }
            }

            @Test func aConsumerThatStandsStillAndOneThatComesLaterCostTheOthersNothing() async throws {
                let (folder, gate) = (try TemporaryFolder(), ConsumerGate())
                let watcher = DirectoryWatcher(folder.path)
                let told = try await ToldChanges(watcher, of: folder.path)
                let stopped = try await ToldChanges(watcher, of: folder.path) { await gate.pass() }
                gate.close()
                func write(_ name: String) async throws {
                    try await onOwnThread {
                        for number in 0..<5000 {
                            if number % 50 == 0 { try Disk.makeFolders("\(name)/\(number / 50)", below: folder.path) }
                            try Disk.write(folder("\(name)/\(number / 50)/f\(number)"))
                        }
                    }
                }
                try await write("one")
                try await told.isTrueInTheEnd()
                #expect(told.words.count == 5101)
                #expect(told.rescans.isEmpty)
                let late = try await ToldChanges(watcher, of: folder.path)
                try await write("other")
                for each in [told, late] { try await each.isTrueInTheEnd() }
                #expect(told.words.count == 10_202)
                #expect(late.words.count == 5101)
                gate.open()
                try await stopped.isTrueInTheEnd()
                print("stopped consumer: \(stopped.words.count) told by name, \(stopped.rescans.count) folders")
            }
        }
    }
#endif
