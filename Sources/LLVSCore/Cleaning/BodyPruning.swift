/// What pruning takes, or would take, out of a store.
public struct PrunedValues: Hashable, Sendable {
    /// How many values lose their bytes.
    public internal(set) var values = 0
    /// How many bytes these are, before compression.
    public internal(set) var byteCount: UInt64 = 0

    /// Nothing.
    public init() {}
}

extension Store {
    /// Drops the bytes of values that only versions of the first `count` of the log show, and of these none that anybody may
    /// still need; see ``PruningPlan``. Ids, hashes, and every version with its changes stay.
    ///
    /// A few hundred bodies a transaction; whatever comes in between makes the rest be looked at anew. Interrupted, it has done
    /// part, and the next call does the rest. Costs reading each version once, and what differs between the maps that stay.
    ///
    /// - Parameters:
    ///   - states: for each other device, the local numbers of all versions that it is known to have.
    ///   - isRehearsal: nothing is dropped; what would be is counted.
    package func pruneValues(
        before count: Int64, states: [[Int64]], isRehearsal: Bool = false,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> PrunedValues {
        try prepareBranches()
        var pruned = PrunedValues()
        while true {
            let plan = try read { try PruningPlan(before: count, states: states, in: $0) }
            if isRehearsal { return plan.values }
            var start = 0
            while start < plan.rows.count {
                try progress(start, plan.rows.count)
                let batch = plan.rows[start..<min(start + 256, plan.rows.count)]
                let isValid = try write { transaction in
                    guard try plan.holds(in: transaction.snapshot) else { return false }
                    for row in batch { try BodyStorage.prune(row, in: transaction.writer, &pruned) }
                    return true
                }
                if !isValid { break }
                start += batch.count
            }
            if start >= plan.rows.count { return pruned }
        }
    }
}

extension BodyStorage {
    fileprivate static func prune(_ row: Int64, in writer: any StorageWriter, _ pruned: inout PrunedValues) throws {
        if case .pruned = try body(row, in: writer) { return }
        let size = try size(row, in: writer)
        try remove(row, from: writer)
        _ = try setPruned(size: size, isOwn: true, at: row, writer)
        pruned.values += 1
        pruned.byteCount += size
    }
}

/// Which bodies go, and what must be unchanged for that to be right.
///
/// A body stays if any of these shows it:
/// - a version after the first `count` of the log, or one that is not firm, or a parent of either: what such work is based on;
/// - a version that somebody may go on from: a head, the end of a branch, one that is not firm, what a coordinator shows, and
///   what another device is known to have had last; of those that are merges, also what they merge;
/// - a version that a merge of two of those may have as its base (``VersionGraph/needed(ends:)``).
private struct PruningPlan {
    /// Rows of bodies, ascending.
    private(set) var rows: [Int64] = []
    private(set) var values = PrunedValues()
    private let lastVersion: Int64
    private let loose: Set<Int64>
    private let current: Set<Int64>

    init(before count: Int64, states: [[Int64]], in snapshot: StoreSnapshot) throws {
        lastVersion = try snapshot.reader.lastRow(in: StoreZones.versions)
        loose = Set(try snapshot.loose().map(\.version.row))
        current = Set(try snapshot.allCurrent().map(\.row))
        let old = try Self.firstVersions(count, in: snapshot)
        let graph = try VersionGraph(in: snapshot)
        // Firm heads too where a merge of this device's stands on them: it may be made again in another way.
        let ends = graph.ends.union(try snapshot.heads().map(\.row)).union(current).union(loose)
        var kept = graph.needed(
            ends: try Self.expanded(ends.union(states.flatMap { graph.maximal(of: $0) }), graph, in: snapshot))
        for row in graph.rows where !old.contains(row) {
            kept.insert(row)
            for parent in graph.parents(of: row) { kept.insert(parent) }
        }
        let needed = try Self.bodies(shownBy: graph.rows.filter(kept.contains), in: snapshot)
        for row in graph.rows where old.contains(row) { try add(bodiesOf: row, but: needed, in: snapshot) }
    }

    /// With what is merged in them, as long as no work stands on the merges: another device may have merged the same in another
    /// way, and then it shows what lost here.
    private static func expanded(
        _ ends: Set<Int64>, _ graph: VersionGraph, in snapshot: StoreSnapshot
    ) throws -> Set<Int64> {
        var (ends, open) = (ends, Array(ends))
        while let row = open.popLast() {
            if try snapshot.stored(row).isAuthored { continue }
            open += graph.parents(of: row).filter { ends.insert($0).inserted }
        }
        return ends
    }

    private mutating func add(bodiesOf row: Int64, but needed: RowSet, in snapshot: StoreSnapshot) throws {
        let version = try snapshot.stored(row)
        guard version.firstBody > 0 else { return }
        let stored = try snapshot.changes(version).entries.count {
            $0.operation == .insert || $0.operation == .update
        }
        for body in version.firstBody..<version.firstBody + Int64(stored) where !needed.contains(body) {
            if case .pruned = try BodyStorage.body(body, in: snapshot.reader) { continue }
            rows.append(body)
            values.values += 1
            values.byteCount += try BodyStorage.size(body, in: snapshot.reader)
        }
    }

    /// Whether no version came or went since, and nothing else became current.
    func holds(in snapshot: StoreSnapshot) throws -> Bool {
        try snapshot.reader.lastRow(in: StoreZones.versions) == lastVersion
            && Set(snapshot.loose().map(\.version.row)) == loose && Set(snapshot.allCurrent().map(\.row)) == current
    }

    private static func firstVersions(_ count: Int64, in snapshot: StoreSnapshot) throws -> RowSet {
        var old = RowSet()
        try snapshot.reader.scanRows(StoreZones.firm, from: 1) { number, bytes in
            guard number <= count else { return false }
            old.insert(try LogEntry(decoding: bytes, number: number).row)
            return true
        }
        return old
    }

    private static func bodies(shownBy versions: [Int64], in snapshot: StoreSnapshot) throws -> RowSet {
        var needed = RowSet()
        var before = StoredVersion.root
        for row in versions {
            let version = try snapshot.stored(row)
            try snapshot.rowDifferences(from: before, to: version) { _, _, reference in
                if let reference { needed.insert(reference.body) }
            }
            before = version
        }
        return needed
    }
}
