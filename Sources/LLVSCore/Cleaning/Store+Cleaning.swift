/// What a call of ``Store/collectGarbage(keepingDropped:now:progress:)`` removed.
public struct CollectedGarbage: Hashable, Sendable {
    /// Merges of this device that are no longer in use.
    public internal(set) var versions = 0
    /// Nodes of maps that no version reaches.
    public internal(set) var nodes = 0
    /// Nodes that were written in full, because they were kept as differences from such nodes.
    public internal(set) var rewritten = 0
}

extension Store {
    /// How long merges that are no longer in use stay readable: somebody may be editing what they show.
    public static let keptDropped = Duration.seconds(30 * 86_400)

    /// Removes what nothing needs any more: merges that this device made for itself and dropped, with their values, and nodes
    /// of maps that no version reaches. No version of the history and none that is in use loses anything.
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
        var collected = CollectedGarbage()
        collected.versions = try removeDropped(Self.milliseconds(age), now: now)
        var sweep = NodeSweep(storage: storage)
        try sweep.mark(progress)
        collected.rewritten = try sweep.writeInFull(progress)
        collected.nodes = try sweep.remove(progress)
        return collected
    }

    private static func milliseconds(_ duration: Duration) -> Int64 {
        let (whole, rest) = duration.components
        let (product, overflow) = whole.multipliedReportingOverflow(by: 1_000)
        return overflow ? (whole < 0 ? 0 : Int64.max) : product + rest / 1_000_000_000_000_000
    }

    /// A few versions a transaction, whoever else writes: each is looked at again when it goes.
    private func removeDropped(_ age: Int64, now: Int64) throws -> Int {
        var expired = try write(now: now) { transaction in
            let time = try ElapsedTime.pass(at: now, in: transaction.writer)
            return try DroppedVersions(transaction: transaction).expired(after: age, at: time)
        }[...]
        var removed = 0
        while !expired.isEmpty {
            let batch = expired.prefix(16)
            expired = expired.dropFirst(16)
            removed += try write(now: now) { try DroppedVersions(transaction: $0).remove(batch) }
        }
        return removed
    }
}
