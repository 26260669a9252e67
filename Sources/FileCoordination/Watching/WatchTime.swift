/// The time of any clock, as the watcher's thread needs it.
struct WatchTime: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let origin = ContinuousClock.now
    /// The longest sleep: nobody says when a clock that is not the system's is moved.
    let longestSleep: Duration?

    init(_ clock: any Clock<Duration>) {
        elapsed = Self.elapsed(of: clock)
        longestSleep = clock is ContinuousClock || clock is SuspendingClock ? nil : .milliseconds(5)
    }

    var now: ContinuousClock.Instant { origin + elapsed() }

    private static func elapsed<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }
}
