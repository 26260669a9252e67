import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: Clock {
    /// A time since the clock was made.
    public struct Instant: InstantProtocol {
        var offset: Duration
        /// Later by the duration.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// How much later the other one is.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// By time.
        public static func < (one: Instant, other: Instant) -> Bool { one.offset < other.offset }
    }

    private let time = Mutex(Duration.zero)

    /// A clock at zero.
    public init() {}

    /// The time it was moved to.
    public var now: Instant { Instant(offset: time.withLock { $0 }) }
    /// It has no steps.
    public var minimumResolution: Duration { .zero }

    /// Moves it on.
    public func advance(by duration: Duration) { time.withLock { $0 += duration } }

    /// Returns when somebody has moved it there.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        while now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    }
}
