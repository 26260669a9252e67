import Synchronization

/// A clock that stands still until it is advanced.
public final class ManualClock: Clock {
    /// A moment, by the time since the clock was made.
    public struct Instant: InstantProtocol, Hashable {
        /// The time since the clock was made.
        public let time: Duration
        /// The moment that much later.
        public func advanced(by duration: Duration) -> Instant { Instant(time: time + duration) }
        /// The time from this moment to the other.
        public func duration(to other: Instant) -> Duration { other.time - time }
        /// Whether the first moment is before the second.
        public static func < (first: Instant, second: Instant) -> Bool { first.time < second.time }
    }

    private struct State {
        var now = Instant(time: .zero)
        var begun = 0
        var sleepers: [Int: (until: Instant, turn: CheckedContinuation<Void, any Error>)] = [:]
    }
    private let state = Mutex(State())

    /// A clock at time zero.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }
    /// Nothing is between two moments.
    public var minimumResolution: Duration { .nanoseconds(1) }
    /// How many tasks sleep.
    public var sleepers: Int { state.withLock { $0.sleepers.count } }
    /// How many sleeps have begun.
    public var sleeps: Int { state.withLock { $0.begun } }

    /// Lets time pass and wakes whose time has come.
    public func advance(by duration: Duration) {
        let woken = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let due = state.sleepers.filter { $0.value.until <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.sorted { $0.value.until < $1.value.until }
        }
        for sleeper in woken { sleeper.value.turn.resume() }
    }

    /// Sleeps until the clock has been advanced that far.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let number = state.withLock { state in
            state.begun += 1
            return state.begun
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (turn: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[number] = (deadline, turn)
                    return nil
                }
                if let result { turn.resume(with: result) }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.turn.resume(throwing: CancellationError())
        }
    }
}
