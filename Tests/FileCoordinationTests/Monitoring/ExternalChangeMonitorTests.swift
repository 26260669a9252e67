import TestSupport
import Testing

@testable import FileCoordination

@Suite("External change monitor", .timeLimit(.minutes(20)))
struct ExternalChangeMonitorTests {
    private let probe = CountingProbe()
    private let clock = ManualClock()

    private func monitor(_ cadence: ExternalChangeMonitor.Cadence = .active) -> ExternalChangeMonitor {
        ExternalChangeMonitor(probe: probe, cadence: cadence, clock: clock)
    }

    /// Runs the monitor around `body`, then ends it and waits for its end.
    private func running(_ monitor: ExternalChangeMonitor, _ body: () async throws -> Void) async throws {
        let task = Task { await monitor.run() }
        do { try await body() } catch {
            task.cancel()
            throw error
        }
        task.cancel()
        await task.value
        #expect(clock.sleepers == 0)
    }

    private func looks(_ count: Int, location: SourceLocation = #_sourceLocation) async {
        #expect(await eventually { probe.begun == count && clock.sleepers == 1 }, sourceLocation: location)
    }

    @Test func nothingHappensBeforeItRuns() async {
        let monitor = monitor()
        clock.advance(by: .seconds(3600))
        #expect(probe.begun == 0)
        #expect(clock.sleeps == 0)
        #expect(monitor.state == .unknown)
    }

    @Test func anActiveMonitorLooksAtOnceAndEveryFiveSeconds() async throws {
        try await running(monitor()) {
            await looks(1)
            clock.advance(by: .milliseconds(4999))
            await looks(1)
            clock.advance(by: .milliseconds(1))
            await looks(2)
            clock.advance(by: .seconds(5))
            await looks(3)
        }
    }

    @Test func anInactiveMonitorLooksEveryMinute() async throws {
        try await running(monitor(.inactive)) {
            await looks(1)
            clock.advance(by: .seconds(59))
            await looks(1)
            clock.advance(by: .seconds(1))
            await looks(2)
        }
    }

    @Test func intervalsCanBeSet() async throws {
        let monitor = ExternalChangeMonitor(
            probe: probe, intervals: .init(active: .seconds(2), inactive: .zero), clock: clock)
        try await running(monitor) {
            await looks(1)
            clock.advance(by: .seconds(2))
            await looks(2)
            await monitor.setCadence(.inactive)
            await looks(2)
            clock.advance(by: .milliseconds(10))
            await looks(3)
        }
    }

    @Test func aPausedMonitorLooksOnlyWhenAsked() async throws {
        let monitor = monitor(.paused)
        try await running(monitor) {
            clock.advance(by: .seconds(3600))
            #expect(probe.begun == 0)
            try await monitor.checkNow()
            #expect(probe.begun == 1)
            await monitor.setCadence(.active)
            await looks(2)
            await monitor.setCadence(.paused)
            #expect(await eventually { clock.sleepers == 0 })
            clock.advance(by: .seconds(3600))
            #expect(probe.begun == 2)
        }
    }

    @Test func theSameCadenceDoesNotRestartThePause() async throws {
        let monitor = monitor()
        try await running(monitor) {
            await looks(1)
            let sleeps = clock.sleeps
            for _ in 0..<4 {
                clock.advance(by: .seconds(1))
                await monitor.setCadence(.active)
            }
            #expect(monitor.cadenceChanges.count == 0)
            clock.advance(by: .seconds(1))
            await looks(2)
            #expect(clock.sleeps == sleeps + 1)
        }
    }

    @Test func anotherCadenceCountsThePauseSoFar() async throws {
        let monitor = monitor(.inactive)
        try await running(monitor) {
            await looks(1)
            clock.advance(by: .seconds(3))
            await monitor.setCadence(.active)
            #expect(await eventually { clock.sleeps == 2 })
            await looks(1)
            clock.advance(by: .seconds(2))
            await looks(2)
            await monitor.setCadence(.inactive)
            #expect(await eventually { clock.sleeps == 4 })
            clock.advance(by: .seconds(30))
            await monitor.setCadence(.active)
            await looks(3)
        }
    }

    @Test func changesAreToldAndTheFirstLookIsNone() async throws {
        let monitor = monitor()
        var changes = monitor.changes.makeAsyncIterator()
        try await running(monitor) {
            await looks(1)
            clock.advance(by: .seconds(5))
            await looks(2)
            probe.set(1)
            clock.advance(by: .seconds(5))
            #expect(await changes.next() == ChangeFingerprint("1"))
            await looks(3)
        }
        #expect(await changes.next() == nil, "only one, and the end of the run is the end of the stream")
    }

    @Test func aSlowConsumerGetsTheLatestOnly() async throws {
        let monitor = monitor()
        var (first, second) = (monitor.changes.makeAsyncIterator(), monitor.changes.makeAsyncIterator())
        try await monitor.checkNow()
        for value in 1...100 {
            probe.set(value)
            try await monitor.checkNow()
            if value == 1 { #expect(await first.next() == ChangeFingerprint("1")) }
        }
        #expect(await first.next() == ChangeFingerprint("100"))
        #expect(await second.next() == ChangeFingerprint("100"))
        try await running(monitor) {}
        #expect(await first.next() == nil)
    }

    @Test func anErrorIsAStateAndEndsNothing() async throws {
        let monitor = monitor()
        var changes = monitor.changes.makeAsyncIterator()
        var states = monitor.states.makeAsyncIterator()
        #expect(await states.next() == .unknown)
        try await running(monitor) {
            await looks(1)
            #expect(await states.next() == .online)
            probe.setAway(true)
            probe.set(7)
            for count in 2...4 {
                clock.advance(by: .seconds(5))
                await looks(count)
            }
            #expect(await states.next() == .offline(reason: "the server is away"))
            #expect(monitor.state == .offline(reason: "the server is away"))
            probe.setAway(false)
            clock.advance(by: .seconds(5))
            #expect(await changes.next() == ChangeFingerprint("7"), "what changed meanwhile is told")
            #expect(await states.next() == .online)
            await looks(5)
        }
    }

    @Test func askedOfflineItSaysSo() async throws {
        probe.setAway(true)
        #expect(try await monitor().checkNow() == .offline(reason: "the server is away"))
    }

    @Test func looksNeverOverlapAndCallsShareOne() async throws {
        let monitor = monitor()
        let gate = Gate()
        probe.hold(at: gate)
        let run = Task { await monitor.run() }
        #expect(await eventually { probe.begun == 1 })
        let calls = (0..<20).map { _ in Task { try await monitor.checkNow() } }
        // All have asked while the first look was under way, so none of them is done with it.
        #expect(await eventually { monitor.ends.waiters == 20 })
        #expect(probe.begun == 1)
        probe.hold(at: nil)
        gate.open()
        for call in calls { #expect(try await call.value == .online) }
        #expect(probe.begun == 2)
        #expect(probe.mostTogether == 1)
        run.cancel()
        await run.value
    }

    @Test func aLookUnderWayIsNotTheOneThatWasAskedFor() async throws {
        let monitor = monitor(.paused)
        let gate = Gate()
        probe.hold(at: gate)
        let early = Task { try await monitor.checkNow() }
        #expect(await eventually { probe.begun == 1 })
        probe.hold(at: nil)
        let late = Task { try await monitor.checkNow() }
        #expect(await eventually { monitor.ends.waiters == 1 })
        probe.set(1)
        gate.open()
        _ = try await early.value
        _ = try await late.value
        #expect(probe.begun == 2)
    }

    @Test func aTickThatIsDueDuringALookIsThatLook() async throws {
        let monitor = monitor()
        try await running(monitor) {
            await looks(1)
            let gate = Gate()
            probe.hold(at: gate)
            let call = Task { try await monitor.checkNow() }
            #expect(await eventually { probe.begun == 2 })
            clock.advance(by: .seconds(5))
            #expect(await eventually { monitor.ends.waiters == 1 })
            gate.open()
            _ = try await call.value
            await looks(2)
        }
    }

    @Test func aCancelledCallLeavesAtOnceAndTheOthersGetTheirLook() async throws {
        let gate = Gate()
        let slow = ClosureProbe { [probe] in
            // Ends early when its task is cancelled, like a request over a network.
            _ = try await probe.fingerprint()
            try Task.checkCancellation()
            return ChangeFingerprint("x")
        }
        let shared = ExternalChangeMonitor(probe: slow, cadence: .paused, clock: clock)
        probe.hold(at: gate)
        let cancelled = Task { try await shared.checkNow() }
        #expect(await eventually { probe.begun == 1 })
        let other = Task { try await shared.checkNow() }
        let waiting = Task { try await shared.checkNow() }
        #expect(await eventually { shared.ends.waiters == 2 })
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        cancelled.cancel()
        probe.hold(at: nil)
        gate.open()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await other.value == .online)
        #expect(probe.begun == 2)
    }

    @Test func aSecondRunDoesNothingAndALaterOneGoesOn() async throws {
        let monitor = monitor()
        try await running(monitor) {
            await looks(1)
            await monitor.run()
            #expect(probe.begun == 1)
        }
        probe.set(1)
        var changes = monitor.changes.makeAsyncIterator()
        try await running(monitor) {
            #expect(await changes.next() == ChangeFingerprint("1"))
            await looks(2)
        }
    }

    @Test func consumersThatGoLeaveNothing() async throws {
        let monitor = monitor()
        for _ in 0..<10 { _ = monitor.changes }
        #expect(await eventually { monitor.changed.streams == 0 })
        let consumer = Task { for await _ in monitor.changes {} }
        #expect(await eventually { monitor.changed.streams == 1 })
        consumer.cancel()
        await consumer.value
        #expect(monitor.changed.streams == 0)
    }

    @Test func aMonitorThatGoesEndsItsStreams() async {
        var monitor: ExternalChangeMonitor? = monitor()
        let changes = monitor?.changes
        monitor = nil
        var iterator = changes?.makeAsyncIterator()
        #expect(await iterator?.next() == nil)
    }
}
