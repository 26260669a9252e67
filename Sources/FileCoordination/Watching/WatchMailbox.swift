import Synchronization

/// Holds what the consumer has not taken yet: one event for each path, and never more than the limit.
final class WatchMailbox: Sendable {
    fileprivate typealias Waiter = CheckedContinuation<[WatchEvent]?, Never>

    private struct Handover {
        let waiter: Waiter
        let batch: [WatchEvent]
    }

    fileprivate struct State {
        var events: [String: WatchEvent] = [:]
        var notices: [WatchEvent] = []
        /// Folders to be read again, with everything below.
        var collapsed: Set<String> = []
        var waiter: Waiter?
        var subscriber: UInt64?
        var ended = false
    }

    private let root: String
    private let limit: Int
    private let state = Mutex(State())
    private let lastSubscriber = Atomic<UInt64>(0)

    init(root: String, limit: Int) {
        self.root = root
        self.limit = max(limit, 1)
    }

    func newSubscriber() -> UInt64 { lastSubscriber.add(1, ordering: .relaxed).newValue }

    /// Adds events and hands them over if the consumer waits.
    func put(_ events: [WatchEvent]) {
        guard !events.isEmpty else { return }
        let handover = state.withLock { state -> Handover? in
            guard !state.ended else { return nil }
            for event in events { state.add(event, root: root) }
            if state.events.count > limit { state.collapse(root: root, limit: limit) }
            guard let waiter = state.waiter else { return nil }
            let batch = state.takeAll()
            guard !batch.isEmpty else { return nil }
            state.waiter = nil
            return Handover(waiter: waiter, batch: batch)
        }
        if let handover { handover.waiter.resume(returning: handover.batch) }
    }

    /// The next batch, parents before children; nil at the end, and at once for all but the first subscriber.
    func take(for subscriber: UInt64) async -> [WatchEvent]? {
        await withCheckedContinuation { continuation in
            let (batch, waits) = state.withLock { state -> ([WatchEvent]?, Bool) in
                if state.subscriber == nil { state.subscriber = subscriber }
                guard !state.ended, state.subscriber == subscriber, state.waiter == nil else { return (nil, false) }
                let batch = state.takeAll()
                if batch.isEmpty { state.waiter = continuation }
                return (batch, batch.isEmpty)
            }
            if !waits { continuation.resume(returning: batch) }
        }
    }

    /// Whether the end of this subscriber is the end of the watch.
    func isDecisive(_ subscriber: UInt64) -> Bool {
        state.withLock { $0.subscriber == nil || $0.subscriber == subscriber }
    }

    /// Ends the stream at once; what waits is not told any more.
    func end() {
        let waiter = state.withLock { state in
            state.ended = true
            state.events = [:]
            state.notices = []
            state.collapsed = []
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: nil)
    }

    /// How much waits, for tests.
    var count: Int { state.withLock { $0.events.count + $0.notices.count + $0.collapsed.count } }
}

extension WatchMailbox.State {
    mutating func add(_ event: WatchEvent, root: String) {
        switch event.kind {
        case .rescan, .polling:
            if !notices.contains(event) { notices.append(event) }
        case .created, .modified, .removed:
            guard !isCovered(event.path, root: root) else { return }
            events[event.path] = Self.merged(events[event.path], event)
        }
    }

    /// What the consumer should hear who has heard neither.
    fileprivate static func merged(_ old: WatchEvent?, _ new: WatchEvent) -> WatchEvent? {
        var new = new
        switch (old?.kind, new.kind) {
        case (.created, .removed): return nil
        case (.created, .modified): new.kind = .created
        case (.removed, .created), (.removed, .modified): new.kind = .modified
        default: break
        }
        return new
    }

    fileprivate func isCovered(_ path: String, root: String) -> Bool {
        if collapsed.isEmpty { return false }
        var folder = path
        while folder.utf8.count > root.utf8.count {
            folder = FilePlace(folder)?.folder ?? root
            if collapsed.contains(folder) { return true }
        }
        return collapsed.contains(root)
    }

    /// Folders take the place of the events in them; if there are too many of those as well, the root does.
    mutating func collapse(root: String, limit: Int) {
        for event in events.values { collapsed.insert(FilePlace(event.path)?.folder ?? root) }
        events = [:]
        let below = root.hasSuffix("/") ? root : root + "/"
        if collapsed.count > limit || collapsed.contains(where: { $0 != root && !$0.hasPrefix(below) }) {
            collapsed = [root]
        }
    }

    mutating func takeAll() -> [WatchEvent] {
        var batch = notices
        batch += collapsed.map { WatchEvent(.rescan(.backlog), path: $0, isDirectory: true) }
        batch += events.values
        notices = []
        collapsed = []
        events = [:]
        // A stable order in which a folder comes before what is in it.
        return batch.count > 1 ? batch.sorted { ($0.path, $0.rank) < ($1.path, $1.rank) } : batch
    }
}

extension WatchEvent {
    fileprivate var rank: Int {
        if case .rescan = kind { 0 } else if case .polling = kind { 1 } else { 2 }
    }
}
