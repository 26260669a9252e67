/// The time of any clock, as the watcher's thread needs it.
struct WatchTime: Sendable {
    /// Nil for the clock that is read without a detour: it is read several times for each change.
    private let elapsed: (@Sendable () -> Duration)?
    private let origin = ContinuousClock.now
    /// The longest sleep: nobody says when a clock that is not the system's is moved.
    let longestSleep: Duration?

    init(_ clock: any Clock<Duration>) {
        elapsed = clock is ContinuousClock ? nil : Self.elapsed(of: clock)
        longestSleep = clock is ContinuousClock || clock is SuspendingClock ? nil : .milliseconds(5)
    }

    var now: ContinuousClock.Instant { elapsed.map { origin + $0() } ?? .now }

    private static func elapsed<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }
}
