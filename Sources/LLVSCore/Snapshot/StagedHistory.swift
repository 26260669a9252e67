extension ExchangeTransaction {
    /// Puts a version, whose parents are in the store, beside the history: it counts for nobody until ``enter(_:)``, and is
    /// cleaned away like a dropped merge if that never comes. Returns its row; of a version that is known, the one it has.
    package func stage(_ arrival: ArrivingVersion) throws -> Int64 {
        try transaction.add(arrival.record, state: .dropped, bodies: arrival.content).row
    }

    /// Makes the versions of these rows part of the history, in this order, which has parents first, and returns those of
    /// them that are no parents of others.
    ///
    /// One transaction, whose memory does not grow with the number of versions: what was staged over many becomes the history
    /// at once.
    /// - Throws: ``StoreError/Code/invalidVersion`` if a row comes twice or its parents are no part of the history.
    package func enter(_ rows: [ClosedRange<Int64>]) throws -> [Version.ID] {
        var entering = try EnteringHistory(transaction: transaction)
        for run in rows {
            for row in run { try entering.enter(row) }
        }
        return try entering.finish()
    }
}

/// Versions on their way from beside the history into it.
private struct EnteringHistory {
    let transaction: StoreTransaction
    private var entered = RowSet()
    /// Of those that entered, the ones without children among them.
    private var ends: Set<Int64> = []
    /// Of `ends`, those that were no part of the history before: nothing of it can stand on them.
    private var new: Set<Int64> = []
    /// Heads of the history that turned out to be parents.
    private var covered: Set<Int64> = []
    private let heads: Set<Int64>

    private var writer: any StorageWriter { transaction.writer }

    init(transaction: StoreTransaction) throws {
        self.transaction = transaction
        heads = Set(try transaction.snapshot.heads().map(\.row))
    }

    mutating func enter(_ row: Int64) throws {
        guard row > 0, let bytes = try writer.row(row, in: StoreZones.versions) else {
            throw StoreError(.noSuchVersion, "a version that was staged is gone", remedy: "start again")
        }
        guard entered.insert(row) else {
            throw StoreError(
                .invalidVersion, "a version comes twice", remedy: "take the snapshot again from another copy")
        }
        let version = try StoredVersion(decoding: bytes, row: row)
        for parent in version.parents where parent != 0 {
            try check(parent)
            ends.remove(parent)
            if heads.contains(parent) { covered.insert(parent) }
        }
        ends.insert(row)
        guard try transaction.snapshot.entry(version.id)?.state != .firm else { return }
        new.insert(row)
        for parent in version.parents { new.remove(parent) }
        try transaction.setState(.firm, of: version)
        try writer.remove(StoreZones.key(row), in: StoreZones.loose)
        _ = try writer.append(LogEntry(row: row, others: nil).encoded, to: StoreZones.firm)
        try transaction.indexBranch(of: version)
    }

    private func check(_ parent: Int64) throws {
        if entered.contains(parent) { return }
        let version = try transaction.snapshot.stored(parent)
        guard try transaction.snapshot.entry(version.id)?.state != .firm else { return }
        throw StoreError(
            .invalidVersion, "a version comes before its parent \(version.id)",
            remedy: "take the snapshot again from another copy")
    }

    func finish() throws -> [Version.ID] {
        if !covered.isEmpty || !new.isEmpty { try transaction.setHeads(heads.subtracting(covered).union(new)) }
        return try ends.map { try transaction.snapshot.stored($0).id }
    }
}

extension ExchangeView {
    /// The heads of the history.
    package func heads() throws -> [Version.ID] { try snapshot.heads().map(\.id) }
}
