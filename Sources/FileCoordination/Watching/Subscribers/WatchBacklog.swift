/// The events that wait for a subscriber: a set of paths that collapses into folders when it is full.
struct WatchBacklog {
    private let root: String
    private let limit: Int
    private var events: [PathKey: WatchEvent] = [:]
    private var notices: [WatchEvent] = []
    /// Folders to be read again, with everything below.
    private(set) var collapsed: Set<PathKey> = []

    init(root: String, limit: Int) {
        self.root = root
        self.limit = max(limit, 1)
    }

    var isEmpty: Bool { events.isEmpty && notices.isEmpty && collapsed.isEmpty }
    var count: Int { events.count + notices.count + collapsed.count }
    var paths: Set<PathKey> { Set(events.keys) }

    mutating func clear() {
        events = [:]
        notices = []
        collapsed = []
    }

    /// Adds events. Only what really waits is limited, not what is taken at once.
    mutating func add(_ news: [WatchEvent], isTakenAtOnce: Bool) {
        for event in news { add(event) }
        if !isTakenAtOnce, events.count > limit { collapse() }
    }

    private mutating func add(_ event: WatchEvent) {
        switch event.kind {
        case .rescan, .polling, .watching:
            // Of what is said twice the last counts, and of the modes the last one.
            notices.removeAll { $0 == event || $0.kind.isMode && event.kind.isMode }
            notices.append(event)
        case .created, .modified, .removed:
            guard !isCovered(event.path) else { return }
            let key = PathKey(event.path)
            events[key] = Self.merged(events[key], event)
        }
    }

    /// What the subscriber should hear who has heard neither. Of what came and went it hears the end: it may have seen it in
    /// a folder that it looked at.
    private static func merged(_ old: WatchEvent?, _ new: WatchEvent) -> WatchEvent {
        var new = new
        switch (old?.kind, new.kind) {
        case (.created, .modified): new.kind = .created
        case (.removed, .created), (.removed, .modified): new.kind = .modified
        default: break
        }
        return new
    }

    private func isCovered(_ path: String) -> Bool {
        if collapsed.isEmpty { return false }
        if collapsed.contains(PathKey(root)) { return true }
        var folder = path.utf8[...]
        while let slash = folder.lastIndex(of: UInt8(ascii: "/")), folder.count > root.utf8.count {
            folder = folder[..<slash]
            if collapsed.contains(PathKey(String(Substring(folder)))) { return true }
        }
        return false
    }

    /// Says that anything in the folder may be other than was told.
    mutating func add(doubtful folder: String) {
        let key = PathKey(folder)
        if collapsed.contains(key) || isCovered(folder) { return }
        collapsed.insert(key)
        if collapsed.count > limit { collapsed = [PathKey(root)] }
    }

    /// Whether the path is told of by itself, or any folder is told to be read again.
    func tells(of path: String) -> Bool { !collapsed.isEmpty || events[PathKey(path)] != nil }

    /// Folders take the place of the events in them; if there are too many of those as well, the root does.
    private mutating func collapse() {
        for event in events.values { collapsed.insert(PathKey(event.path.parentPath ?? root)) }
        events = [:]
        let top = PathKey(root)
        if collapsed.count > limit || collapsed.contains(where: { $0 != top && !$0.text.isPath(below: root) }) {
            collapsed = [top]
        }
    }

    /// Everything, in a stable order in which a folder comes before what is in it.
    mutating func takeAll() -> [WatchEvent] {
        var batch = notices
        batch += collapsed.map { WatchEvent(.rescan(.backlog), path: $0.text, isDirectory: true) }
        batch += events.values
        clear()
        return batch.count > 1 ? batch.sorted(by: WatchEvent.precedes) : batch
    }
}

extension WatchEvent {
    /// By the bytes of the path, so that a folder comes before what is in it.
    static func precedes(_ one: WatchEvent, _ other: WatchEvent) -> Bool {
        let order = String.order(one.path, other.path)
        return order == 0 ? one.rank < other.rank : order < 0
    }

    fileprivate var rank: Int {
        if case .rescan(.started) = kind { return 0 }
        if case .rescan = kind { return 1 }
        return kind.isMode ? 2 : 3
    }
}

extension WatchEvent.Kind {
    fileprivate var isMode: Bool {
        switch self {
        case .polling, .watching: true
        case .created, .modified, .removed, .rescan: false
        }
    }
}
