import Synchronization

/// Holds what one subscriber has not taken yet: one event for each path, and never more than the limit.
final class WatchMailbox: Sendable {
    private typealias Waiter = CheckedContinuation<[WatchEvent]?, Never>

    private struct State {
        var backlog: WatchBacklog
        /// Usually one; several tasks that share a subscription are served in turn.
        var waiters: [Waiter] = []
        var ended = false
    }

    /// Whether it is told when the watch is armed.
    let tellsStart: Bool
    private let root: String
    private let state: Mutex<State>

    init(root: String, limit: Int, tellsStart: Bool = true) {
        self.root = root
        self.tellsStart = tellsStart
        state = Mutex(State(backlog: WatchBacklog(root: root, limit: limit)))
    }

    /// Adds events and hands them over if the subscriber waits.
    func put(_ events: [WatchEvent]) {
        guard !events.isEmpty else { return }
        let handover = state.withLock { state -> (Waiter, [WatchEvent])? in
            guard !state.ended else { return nil }
            // The usual case, and the one in which time counts.
            if events.count == 1, state.backlog.isEmpty, !state.waiters.isEmpty {
                return (state.waiters.removeFirst(), events)
            }
            state.backlog.add(events, isTakenAtOnce: !state.waiters.isEmpty)
            guard !state.waiters.isEmpty, !state.backlog.isEmpty else { return nil }
            return (state.waiters.removeFirst(), state.backlog.takeAll())
        }
        if let (waiter, batch) = handover { waiter.resume(returning: batch) }
    }

    /// The next batch, parents before children; nil at the end.
    func take() async -> [WatchEvent]? {
        await withCheckedContinuation { continuation in
            let (batch, waits) = state.withLock { state -> ([WatchEvent]?, Bool) in
                if state.ended { return (nil, false) }
                guard state.backlog.isEmpty else { return (state.backlog.takeAll(), false) }
                state.waiters.append(continuation)
                return (nil, true)
            }
            if !waits { continuation.resume(returning: batch) }
        }
    }

    /// Ends the subscription at once; what waits is not told any more.
    func end() {
        let waiters = state.withLock { state in
            state.ended = true
            state.backlog.clear()
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }

    /// What is known to have changed and was not taken yet. After the end nobody keeps count: it may be anything.
    var waiting: WatchUnknown {
        state.withLock { state in
            if state.ended { return WatchUnknown(folders: [PathKey(root)]) }
            return WatchUnknown(paths: state.backlog.paths, folders: state.backlog.collapsed)
        }
    }

    var hasEnded: Bool { state.withLock { $0.ended } }

    /// Whether the subscriber waits, for tests.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }
    /// How much waits, for tests.
    var count: Int { state.withLock { $0.backlog.count } }
}
