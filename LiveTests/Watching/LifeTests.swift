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
        /// Starting, stopping, signals, consumers that come and go: each in a process of its own, where nothing else opens
        /// files or starts threads.
        @Suite struct LifeTests {
            @Test func startsAndStopsLeaveNoDescriptorAndNoThreadBehind() async throws {
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    let folder = try TemporaryFolder()
                    func cycle(_ number: Int) async throws {
                        let told = try await ToldChanges(folder.path)
                        let file = try folder.write("\(number)", to: "f")
                        #expect(await told.hears(of: [file]))
                        if number.isMultiple(of: 2) { told.watcher.stop() } else { told.cancel() }
                        #expect(await told.sees { $0.ended })
                    }
                    func isQuiet() async throws -> Bool {
                        try await eventually { try ProcessThreads.named("FolderWatcher").isEmpty }
                    }
                    let cycles = LiveMachine.isPatient ? 100 : 30
                    for number in 0..<10 { try await cycle(number) }
                    #expect(try await isQuiet())
                    let before = (try ProcessThreads.descriptors(), try ProcessThreads.count())
                    for number in 0..<cycles { try await cycle(number) }
                    #expect(try await isQuiet())
                    let isAsBefore = try await eventually(within: .seconds(10)) {
                        try (ProcessThreads.descriptors(), ProcessThreads.count()) <= before
                    }
                    let after = (try ProcessThreads.descriptors(), try ProcessThreads.count())
                    #expect(isAsBefore, "descriptors and threads \(before), then \(after)")
                    print("figures: descriptors and threads \(before), after \(cycles) cycles \(after)")
                }
                print(figures(result?.standardOutputContent))
            }

            @Test func signalsDisturbNothing() async throws {
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    var action = sigaction()
                    action.__sigaction_handler.sa_handler = { _ in }
                    try Disk.check(sigaction(SIGUSR1, &action, nil), "sigaction", "SIGUSR1")
                    let folder = try TemporaryFolder()
                    let told = try await ToldChanges(folder.path)
                    let threads = try ProcessThreads.named("FolderWatcher")
                    let thread = try #require(threads.first)
                    // The timers of the run-time are made with the first sleep.
                    try await Task.sleep(for: .milliseconds(5))
                    let descriptors = try ProcessThreads.descriptors()
                    try await onOwnThread {
                        for number in 0..<1000 {
                            try Disk.makeFolders("\(number % 50)", below: folder.path)
                            try Disk.write(folder("\(number % 50)/f\(number)"))
                            // To the watcher's thread, and to whichever the kernel picks.
                            try Signals.send(SIGUSR1, to: thread)
                            kill(getpid(), SIGUSR1)
                        }
                    }
                    #expect(await told.hears(of: (0..<1000).map { folder("\($0 % 50)/f\($0)") }))
                    try await told.isTrueInTheEnd()
                    #expect(try ProcessThreads.named("FolderWatcher") == threads)
                    // A folder that is looked at is open for a moment.
                    let isAsBefore = try await eventually(within: .seconds(10)) {
                        try ProcessThreads.descriptors() <= descriptors
                    }
                    #expect(isAsBefore)
                    print("figures: 2,000 signals, \(told.words.count) told")
                }
                print(figures(result?.standardOutputContent))
            }

            @Test func cancelledConsumersHoldNothingAndASlowOneHoldsLittle() async throws {
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    let folder = try TemporaryFolder()
                    let watcher = DirectoryWatcher(folder.path)
                    let told = try await ToldChanges(watcher, of: folder.path) {
                        do { try await Task.sleep(for: .milliseconds(100)) } catch {}
                    }
                    let lifetimes = Lifetimes()
                    for _ in 0..<1000 {
                        let stream = watcher.events
                        let held = lifetimes.new()
                        let task = Task {
                            for await _ in stream { withExtendedLifetime(held) {} }
                        }
                        task.cancel()
                    }
                    #expect(await eventually { lifetimes.count == 0 }, "\(lifetimes.count) consumers are kept")
                    let before = ProcessThreads.residentMebibytes()
                    try await onOwnThread {
                        for number in 0..<100_000 {
                            if number % 500 == 0 { try Disk.makeFolder(folder("\(number / 500)")) }
                            try Disk.write(folder("\(number / 500)/f\(number)"))
                        }
                    }
                    #expect(await told.sees(within: .seconds(300)) { $0.picture.count == 100_200 })
                    let growth = ProcessThreads.residentMebibytes() - before
                    try await told.isTrueInTheEnd()
                    #expect(told.picture.count == 100_200)
                    let time = try ProcessThreads.named("FolderWatcher").map(ProcessThreads.time).reduce(0, +)
                    print(
                        "figures: slow consumer, \(told.total) events for 100,000 files, +\(growth) MiB,",
                        "\(time) s of processor")
                    // The watcher's and the test's own picture of the tree are in it.
                    #expect(growth < 120)
                }
                print(figures(result?.standardOutputContent))
            }

            @Test func cancellingDoesNotWaitForAWriter() async throws {
                for round in 0..<10 {
                    let (folder, gate) = (try TemporaryFolder(), ConsumerGate())
                    let told = try await ToldChanges(folder.path) { await gate.pass() }
                    gate.close()
                    // It writes on and on until the end was seen.
                    let isOver = Shared(false)
                    async let writing: Void = onOwnThread {
                        var number = 0
                        while !isOver.value {
                            try Disk.write(folder("f\(number % 1000)"))
                            number += 1
                        }
                    }
                    if round.isMultiple(of: 2) { told.watcher.stop() } else { told.cancel() }
                    gate.open()
                    #expect(await told.sees { $0.ended }, "round \(round)")
                    isOver.change { $0 = true }
                    try await writing
                }
            }

            private func figures(_ output: [UInt8]?) -> String {
                String(decoding: output ?? [], as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("figures") }
                    .joined(separator: "\n")
            }
        }
    }
#endif
