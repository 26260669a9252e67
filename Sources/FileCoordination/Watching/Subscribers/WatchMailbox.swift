import Synchronization

/// Holds what one subscriber has not taken yet: one event for each path, and never more than the limit.
final class WatchMailbox: Sendable {
    private typealias Waiter = (continuation: CheckedContinuation<[WatchEvent]?, Never>, reader: WatchReader)

    private struct State {
        var backlog: WatchBacklog
        /// Usually one; several tasks that share a subscription are served in turn.
        var waiters: [Waiter] = []
        var ended = false
        var looks: WatchLooks

        /// Hands over what waits, if there is something and somebody.
        mutating func handOver(_ batch: [WatchEvent]? = nil) -> Handover? {
            guard !waiters.isEmpty, batch != nil || !backlog.isEmpty else { return nil }
            let (continuation, reader) = waiters.removeFirst()
            let batch = batch ?? backlog.takeAll()
            looks.give(batch, to: reader)
            return Handover(continuation: continuation, batch: batch)
        }
    }

    private struct Handover {
        let continuation: CheckedContinuation<[WatchEvent]?, Never>
        let batch: [WatchEvent]
    }

    /// Whether it is told when the watch is armed.
    let tellsStart: Bool
    private let root: String
    private let state: Mutex<State>

    init(root: String, limit: Int, tellsStart: Bool = true) {
        self.root = root
        self.tellsStart = tellsStart
        state = Mutex(State(backlog: WatchBacklog(root: root, limit: limit), looks: WatchLooks(root: root)))
    }

    /// Adds events and hands them over if the subscriber waits.
    func put(_ events: [WatchEvent]) {
        guard !events.isEmpty else { return }
        let handover = state.withLock { state -> Handover? in
            guard !state.ended else { return nil }
            // The usual case, and the one in which time counts.
            if events.count == 1, state.backlog.isEmpty, !state.waiters.isEmpty { return state.handOver(events) }
            state.backlog.add(events, isTakenAtOnce: !state.waiters.isEmpty)
            return state.handOver()
        }
        if let handover { handover.continuation.resume(returning: handover.batch) }
    }

    /// The next batch, parents before children; nil at the end.
    func take(by reader: WatchReader = WatchReader()) async -> [WatchEvent]? {
        await withCheckedContinuation { continuation in
            let handover = state.withLock { state -> Handover?? in
                if state.ended { return .some(nil) }
                state.waiters.append((continuation, reader))
                return state.backlog.isEmpty ? nil : .some(state.handOver())
            }
            guard let handover else { return }
            (handover?.continuation ?? continuation).resume(returning: handover?.batch)
        }
    }

    /// Ends the subscription at once; what waits is not told any more.
    func end() {
        let waiters = state.withLock { state in
            state.ended = true
            state.looks = WatchLooks(root: root)
            state.backlog.clear()
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.continuation.resume(returning: nil) }
    }

    /// What is known to have changed and was not taken yet, or was taken so late that more may have been seen than the watcher
    /// knows. After the end nobody keeps count: it may be anything.
    func waiting(in round: Int) -> WatchUnknown {
        state.withLock { state in
            if state.ended { return WatchUnknown(folders: [PathKey(root)]) }
            var unknown = state.looks.unknown(in: round)
            unknown.paths.formUnion(state.backlog.paths)
            unknown.folders.formUnion(state.backlog.collapsed)
            return unknown
        }
    }

    var hasEnded: Bool { state.withLock { $0.ended } }

    /// Whether the subscriber waits, for tests.
    var isAwaited: Bool { state.withLock { !$0.waiters.isEmpty } }
    /// How much waits, for tests.
    var count: Int { state.withLock { $0.backlog.count } }
}

extension WatchMailbox {
    /// A reader comes for the next batch: it has looked at what it was given.
    ///
    /// - Returns: Whether it read a tree, so that the next round is wanted soon.
    func comeBack(_ reader: WatchReader, in round: Int, isChecked: Bool = true) -> Bool {
        state.withLock { $0.looks.comeBack(reader, in: round, isChecked: isChecked) }
    }

    /// What readers came back from while the watcher polled.
    func takeUnchecked() -> [WatchLooks.Returned] { state.withLock { $0.looks.takeUnchecked() } }

    func keep(_ look: WatchLooks.Returned) { state.withLock { $0.looks.keep(look) } }

    /// Whether anything may have been seen that was not told.
    func isLooking(in round: Int) -> Bool { state.withLock { $0.looks.areOpen(in: round) } }

    /// Whether the path was told of, or will be, so that what comes there may be seen before it is told.
    func mayHaveSeen(_ path: String, in round: Int) -> Bool {
        state.withLock { $0.backlog.tells(of: path) || $0.looks.mayHaveSeen(path, in: round) }
    }

    /// What was told at a path that is in doubt. Who was reading a tree is told to read again.
    func looks(at doubt: WatchDoubt, in round: Int, readsAgain: Bool) -> [WatchEvent] {
        let (seen, handover) = state.withLock { state -> ([WatchEvent], Handover?) in
            guard !state.ended, state.looks.areOpen(in: round) else { return ([], nil) }
            let seen = state.looks.events(at: doubt, in: round)
            guard readsAgain, let folder = doubt.folder, state.looks.isReading(in: round) else { return (seen, nil) }
            state.backlog.add(doubtful: folder.isEmpty ? root : FilePlace.join(root, folder))
            return (seen, state.handOver())
        }
        if let handover { handover.continuation.resume(returning: handover.batch) }
        return seen
    }

    /// How often it was told to read a tree.
    var readings: Int { state.withLock { $0.looks.readings } }
}
