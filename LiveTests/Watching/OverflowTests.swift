#if os(Linux)
    import FileCoordination
    import Foundation
    import TestSupport
    import Testing

    extension WatcherLive {
        /// The kernel's queue runs over and events are lost.
        @Suite(.enabled(if: LiveMachine.isRoot, LiveMachine.rootReason)) struct OverflowTests {
            let folder: TemporaryFolder

            init() throws { folder = try TemporaryFolder() }

            /// A watcher with a queue of 16 events, and the tree in it. With the 128 that are the least of today's systems it
            /// kept up at times, and nothing was lost.
            /// - Parameter turn: while somebody has this lock, the watcher's thread waits at the first event that it takes.
            private func watchWithShortQueue(_ turn: NSLock = NSLock()) async throws -> ToldChanges {
                var options = WatchOptions()
                options.ignores = { _ in turn.withLock { false } }
                let told = try await KernelSetting.queuedEvents.with(16) { [options] in
                    try await ToldChanges(folder.path, options)
                }
                try await onOwnThread { [folder] in try ManyChanges(root: folder.path).prepare() }
                try await told.isTrueInTheEnd()
                told.forget()
                return told
            }

            @Test(arguments: [ManyChanges.Pace.flatOut, .overOneSecond])
            func everyFinalStateIsToldThoughEventsWereLost(pace: ManyChanges.Pace) async throws {
                let turn = NSLock()
                let told = try await watchWithShortQueue(turn)
                let before = told.watcher.status
                let changes = ManyChanges(root: folder.path)
                // A watcher that is given its turns at once may keep up with all of it.
                if pace == .flatOut { try await onOwnThread { try turn.withLock { try changes.rewrite(1_000) } } }
                try await onOwnThread { try changes.make(pace) }
                try await told.isTrueInTheEnd()
                let (exact, covered) = changes.tally(told)
                let after = told.watcher.status
                print(
                    "lost events, \(pace): \(exact) of 20,000 told, \(covered) by a folder,",
                    "overflows \(after.overflows - before.overflows), rescans \(after.rescans - before.rescans)")
                #expect(exact + covered == 20_000)
                if pace == .flatOut {
                    #expect(after.overflows > before.overflows, "nothing was lost: the test shows nothing")
                }
                #expect(told.rescans.contains { $0.reason == .eventsLost } == (after.overflows > before.overflows))
                // Quiet means that nothing is repaired any more.
                let late = folder("0/late")
                try Disk.write(late)
                #expect(await told.hears(of: [late]))
            }

            @Test func theRepairOfLostEventsEndsAndCostsNothingAfterwards() async throws {
                let others = try ProcessThreads.named("FolderWatcher")
                let told = try await watchWithShortQueue()
                let thread = try #require(try ProcessThreads.named("FolderWatcher").subtracting(others).first)
                try await onOwnThread { [folder] in try ManyChanges(root: folder.path).make(.flatOut) }
                try await told.isTrueInTheEnd()
                // All may be told long before the last rescan, which finds nothing, has ended.
                let last = Shared((time: -1.0, since: ContinuousClock.now))
                #expect(
                    await eventually(within: .seconds(60)) {
                        let time = ProcessThreads.time(of: thread)
                        return last.change {
                            if time - $0.time > 0.005 { $0 = (time, .now) }
                            return ContinuousClock.now - $0.since > .milliseconds(500)
                        }
                    })
                let (rescans, time) = (told.watcher.status.rescans, ProcessThreads.time(of: thread))
                #expect(time > 0)
                try await Task.sleep(for: .seconds(2))
                let cost = ProcessThreads.time(of: thread) - time
                print(
                    "after the repair: \(told.watcher.status.rescans - rescans) rescans, \(cost) s of processor in 2 s")
                #expect(told.watcher.status.rescans == rescans)
                #expect(cost < 0.02)
            }

            /// In a process of its own, whose memory is nobody else's.
            @Test func everyFinalStateIsToldToAConsumerThatStopped() async throws {
                let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
                    let (folder, gate) = (try TemporaryFolder(), ConsumerGate())
                    let changes = ManyChanges(root: folder.path)
                    try await onOwnThread { try changes.prepare() }
                    let told = try await ToldChanges(folder.path) { await gate.pass() }
                    gate.close()
                    let memory = ProcessThreads.residentMebibytes()
                    try await onOwnThread {
                        try changes.rewrite(50_000)
                        try changes.make(.flatOut)
                    }
                    let growth = ProcessThreads.residentMebibytes() - memory
                    gate.open()
                    try await told.isTrueInTheEnd()
                    let (exact, covered) = changes.tally(told)
                    print(
                        "stopped consumer: \(exact) told, \(covered) by a folder,",
                        "largest batch \(told.largestBatch), +\(growth) MiB")
                    #expect(exact + covered == 20_000)
                    #expect(growth < 64)
                    withExtendedLifetime(folder) {}
                }
                let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
                print(output.split(separator: "\n").filter { $0.hasPrefix("stopped consumer") }.joined(separator: "\n"))
            }
        }
    }
#endif
