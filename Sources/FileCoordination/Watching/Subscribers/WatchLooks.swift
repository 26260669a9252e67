/// Who takes batches one after the other: an iterator or a stream.
final class WatchReader: Sendable {}

/// What a subscriber was given and may look at: it may see there what has not been told, and what is gone before the watcher
/// looks.
///
/// A look begins when a batch is handed over. When its reader comes for the next one, the subscriber looks no more; but hints of
/// what it saw may still wait, until the watcher's thread has begun a round after that and ended it.
struct WatchLooks {
    /// A batch that was not come back from.
    private struct Held {
        var reader: WatchReader
        let events: [WatchEvent]
        let reads: Bool
        /// Whether it may read everything, for the first time. It is not told to read again what is in doubt, but of it.
        let starts: Bool
    }

    struct Returned {
        /// By the bytes of their paths, as in every batch.
        var events: [WatchEvent]
        var reads = false
        /// The first round in which it matters no more.
        var until: Int
    }

    /// So many paths are remembered one by one.
    private static let limit = 1 << 18

    private let root: String
    private var held: [Held] = []
    /// Those that end together are merged, so that there are few.
    private var returned: [Returned] = []
    /// Those of which the watcher's thread is to say first what of it can matter.
    private var unchecked: [Returned] = []
    /// The first round in which trees that were read matter no more.
    private var readUntil = 0
    /// The same of what was read at the start.
    private var startUntil = 0
    /// How often a batch told to read a tree.
    private(set) var readings = 0

    init(root: String) { self.root = root }

    mutating func give(_ batch: [WatchEvent], to reader: WatchReader) {
        let reads = batch.contains { $0.kind == .rescan(.backlog) }
        let starts = batch.contains { $0.kind == .rescan(.started) }
        if reads { readings += 1 }
        held.append(Held(reader: reader, events: batch, reads: reads, starts: starts))
    }

    /// - Parameter isChecked: False if much of it may turn out not to matter; see ``takeUnchecked()``.
    /// - Returns: Whether it read a tree.
    mutating func comeBack(_ reader: WatchReader, in round: Int, isChecked: Bool = true) -> Bool {
        if !returned.isEmpty { returned.removeAll { $0.until <= round } }
        if !unchecked.isEmpty { unchecked.removeAll { $0.until <= round } }
        var hasRead = false
        for index in held.indices.reversed() {
            // Nobody else comes for what was given to one that is no more.
            let isOver = held[index].reader === reader || isKnownUniquelyReferenced(&held[index].reader)
            guard isOver else { continue }
            let look = held.remove(at: index)
            if look.reads || look.starts { hasRead = true }
            if look.reads { readUntil = round + 2 }
            if look.starts { startUntil = round + 2 }
            let returned = Returned(events: look.events, reads: look.reads, until: round + 2)
            if isChecked { keep(returned) } else { unchecked.append(returned) }
        }
        return hasRead
    }

    mutating func takeUnchecked() -> [Returned] {
        defer { unchecked = [] }
        return unchecked
    }

    mutating func keep(_ look: Returned) {
        if look.events.isEmpty { return }
        returned.append(look)
        while let other = returned.dropLast().last, let last = returned.last, other.until == last.until,
            other.events.count <= 2 * last.events.count
        {
            returned.removeLast(2)
            returned.append(Returned(events: Self.merge(other.events, last.events), until: last.until))
        }
        guard returned.reduce(0, { $0 + $1.events.count }) > Self.limit else { return }
        // As if it had read the whole tree.
        let all = WatchEvent(.rescan(.backlog), path: root, isDirectory: true)
        returned = [Returned(events: [all], until: look.until)]
        readUntil = look.until
    }

    private static func merge(_ one: [WatchEvent], _ other: [WatchEvent]) -> [WatchEvent] {
        var merged: [WatchEvent] = []
        merged.reserveCapacity(one.count + other.count)
        var rest = other[...]
        for event in one {
            while let first = rest.first, WatchEvent.precedes(first, event) { merged.append(rest.removeFirst()) }
            // Told twice.
            if let first = rest.first, !WatchEvent.precedes(event, first) { continue }
            merged.append(event)
        }
        return merged + rest
    }
}

extension WatchLooks {
    func areOpen(in round: Int) -> Bool {
        !held.isEmpty || round < max(readUntil, startUntil) || (returned + unchecked).contains { round < $0.until }
    }

    /// Whether a tree is being read, or was a moment ago.
    func isReading(in round: Int) -> Bool { round < readUntil || held.contains(where: \.reads) }

    private func isStarting(in round: Int) -> Bool { round < startUntil || held.contains(where: \.starts) }

    func mayHaveSeen(_ path: String, in round: Int) -> Bool {
        isReading(in: round) || isStarting(in: round)
            || batches(in: round).contains { !Self.events(of: path, in: $0).isEmpty }
    }

    /// What was told at the place; O(log n) and what is found.
    func events(at doubt: WatchDoubt, in round: Int) -> [WatchEvent] {
        let path = doubt.path.isEmpty ? root : FilePlace.join(root, doubt.path)
        let prefix = path.utf8.last == UInt8(ascii: "/") ? path : path + "/"
        var found: [WatchEvent] = []
        for batch in batches(in: round) {
            if !doubt.isInside { found += Self.events(of: path, in: batch) }
            found += batch[Self.place(of: prefix, in: batch)...].prefix { $0.path.utf8.starts(with: prefix.utf8) }
        }
        if isStarting(in: round), !doubt.isInside, !doubt.path.isEmpty {
            found.append(WatchEvent(.removed, path: path, isDirectory: false))
        }
        return found
    }

    /// What may be other than it was told, or seen.
    func unknown(in round: Int) -> WatchUnknown {
        var unknown = WatchUnknown()
        for event in batches(in: round).joined() {
            switch event.kind {
            case .created, .modified, .removed: unknown.paths.insert(PathKey(event.path))
            case .rescan(.backlog): unknown.folders.insert(PathKey(event.path))
            case .rescan, .polling, .watching: break
            }
        }
        return unknown
    }

    private func batches(in round: Int) -> [[WatchEvent]] {
        held.map(\.events) + (returned + unchecked).filter { round < $0.until }.map(\.events)
    }

    private static func events(of path: String, in batch: [WatchEvent]) -> ArraySlice<WatchEvent> {
        batch[place(of: path, in: batch)...].prefix { String.order($0.path, path) == 0 }
    }

    /// Of the path, or of what would come after it.
    private static func place(of path: String, in batch: [WatchEvent]) -> Int {
        var (low, high) = (0, batch.count)
        while low < high {
            let middle = (low + high) / 2
            if String.order(batch[middle].path, path) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
