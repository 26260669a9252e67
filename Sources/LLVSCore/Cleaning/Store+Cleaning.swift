/// What a call of ``Store/collectGarbage(keepingDropped:now:progress:)`` removed.
public struct CollectedGarbage: Hashable, Sendable {
    /// Merges of this device that are no longer in use.
    public internal(set) var versions = 0
    /// Nodes of maps that no version reaches.
    public internal(set) var nodes = 0
    /// Nodes that were written in full, because they were kept as differences from such nodes.
    public internal(set) var rewritten = 0

    mutating func add(_ other: CollectedGarbage) {
        versions += other.versions
        nodes += other.nodes
        rewritten += other.rewritten
    }
}

extension Store {
    /// How long merges that are no longer in use stay readable: somebody may be editing what they show.
    public static let keptDropped = Duration.seconds(30 * 86_400)

    /// Removes what nothing needs any more: merges that this device made for itself and dropped, with their values, and nodes
    /// of maps that no version reaches. No version of the history and none that is in use loses anything.
    ///
    /// Rarely needed: a coordinator removes dropped merges by itself, with the nodes that were theirs; see
    /// ``sweepDropped(keeping:atMost:now:)``. This call also finds what else is left over, such as nodes of maps that were
    /// built again.
    ///
    /// Safe beside other threads and processes at any moment, and if it is killed: it works in short transactions, between
    /// which others write, and the next call does the rest. The space is used again by later versions; a SQLite file does not
    /// get shorter.
    ///
    /// Reads each version and each node once: about 10 µs a node.
    ///
    /// - Parameters:
    ///   - age: how long a dropped merge is kept. Time counts from the first call that sees it dropped, and between two calls
    ///     one hour at most (no step of a clock can make it pass faster): call it once an hour or so. Less than a merge takes
    ///     to be made may make a merge start over.
    ///   - now: milliseconds since 1970.
    ///   - progress: called with the steps done and their number, of which there may turn out to be fewer. What it throws ends
    ///     the call.
    /// - Throws: ``StoreError``; with `.damaged` if a map cannot be read, and then no node is removed.
    @discardableResult
    public func collectGarbage(
        keepingDropped age: Duration = Store.keptDropped, now: Int64 = Store.wallClock(),
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> CollectedGarbage {
        var collected = try removeDropped(Self.milliseconds(age), now: now, atMost: .max).removed
        var sweep = NodeSweep(storage: storage)
        try sweep.mark(progress)
        collected.rewritten = try sweep.writeInFull(progress)
        collected.nodes += try sweep.remove(progress)
        return collected
    }

    /// Removes merges that this device made for itself and dropped long ago, with their values and the nodes of maps that were
    /// theirs alone. What keeps a store from growing without new work: ``StoreCoordinator/merge(publishing:)`` calls it once
    /// an hour.
    ///
    /// Costs a look at the versions that are not part of the history, of which there are few, and what it removes; nothing is
    /// written while there are none. It works in transactions of at most sixteen merges, between which others write, and may be
    /// killed at any moment: the next call does the rest.
    ///
    /// - Parameters:
    ///   - age: how long a dropped merge is kept, as in ``collectGarbage(keepingDropped:now:progress:)``.
    ///   - most: how many merges it removes at most.
    ///   - now: milliseconds since 1970.
    /// - Returns: what went, and whether there is more that could go at once.
    /// - Throws: ``StoreError``; with `.damaged` if a map cannot be read, whose version is then kept.
    public func sweepDropped(
        keeping age: Duration = Store.keptDropped, atMost most: Int = 64, now: Int64 = Store.wallClock()
    ) throws -> (removed: CollectedGarbage, hasMore: Bool) {
        let isNeeded = try read { snapshot in
            var isNeeded = false
            for zone in [StoreZones.loose, StoreZones.dropped] where !isNeeded {
                try snapshot.reader.scan(zone, from: [], before: nil) { _, _ in
                    isNeeded = true
                    return false
                }
            }
            return isNeeded
        }
        guard isNeeded else { return (CollectedGarbage(), false) }
        return try removeDropped(Self.milliseconds(age), now: now, atMost: max(1, most))
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (whole, rest) = duration.components
        let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000)
        return overflow ? (whole < 0 ? 0 : Int64.max) : product + rest / 1_000_000_000_000_000
    }

    /// A few versions a transaction, whoever else writes: each is looked at again when it goes.
    private func removeDropped(
        _ age: Int64, now: Int64, atMost most: Int
    ) throws -> (removed: CollectedGarbage, hasMore: Bool) {
        let time = try write(now: now) { try ElapsedTime.pass(at: now, in: $0.writer) }
        var look = try read { try DroppedVersions.look(after: age, at: time.total, in: $0) }
        for batch in look.new.batches(of: 512) {
            try write(now: now) { try DroppedVersions(transaction: $0).note(batch, at: time.total) }
        }
        for batch in look.obsolete.batches(of: 512) {
            try write(now: now) { try DroppedVersions(transaction: $0).forget(batch) }
        }
        var removed = CollectedGarbage()
        for batch in look.expired.batches(of: 16) {
            if removed.versions >= most { return (removed, true) }
            removed.add(try write(now: now) { try DroppedVersions(transaction: $0).remove(batch, &look) })
        }
        return (removed, false)
    }
}
