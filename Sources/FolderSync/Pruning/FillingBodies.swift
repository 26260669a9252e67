import LLVSCore

/// Values of a version in the store that have no bytes there, and come with bytes in pieces.
struct FillingBodies {
    let record: VersionRecord
    let bodies: [(index: Int, body: EntriesFile.Body)]

    var pieces: Set<Digest> { PendingVersion.pieces(of: bodies.map(\.body)) }

    /// Which values a file gives their bytes back.
    struct Lacking {
        /// Also those that were pruned here.
        let includesPruned: Bool

        /// Fills in what comes inline; what comes in pieces is left, if there is any.
        func fill(_ entry: EntriesFile.Entry, _ transaction: ExchangeTransaction) throws -> FillingBodies? {
            let storing = entry.record.changes.storing
            let absent = try transaction.absentBodies(
                of: entry.record.id, count: storing.count, includingPruned: includesPruned)
            var rest: [(Int, EntriesFile.Body)] = []
            for index in absent {
                switch entry.bodies[index] {
                case .inline(let bytes):
                    try transaction.fill(index, storing[index], of: entry.record.id, with: .bytes(Array(bytes)))
                case .pieces: rest.append((index, entry.bodies[index]))
                case .pruned: continue
                }
            }
            return rest.isEmpty ? nil : FillingBodies(record: entry.record, bodies: rest)
        }
    }

    /// Nil if the store has the bytes of all values. What was pruned here is taken again where somebody publishes it anew, which
    /// is not done without need; entries that are known by their numbers, in a packed file say, are not anew.
    static func lacking(
        in transaction: ExchangeTransaction, _ lane: LaneID, _ range: LaneKnowledge.Range, _ zones: ExchangeZones
    ) throws -> Lacking? {
        guard try transaction.hasAbsentBodies() else { return nil }
        let known = try LaneKnowledge(zones: zones, reader: transaction.writer).ranges(of: lane)
        let isKnown = known.contains {
            $0.before.sequence <= range.before.sequence && $0.after.sequence >= range.after.sequence
        }
        return Lacking(includesPruned: lane != zones.lane && !isKnown)
    }
}

extension Retrieval {
    /// Fills in values that come in pieces, if these are there. It is not waited for them.
    mutating func fill(_ filling: FillingBodies) throws {
        guard try stage(filling.pieces) else {
            return try store.exchange(now: now) { try unstage(filling.pieces, $0.writer) }
        }
        do {
            try fillStaged(filling)
        } catch let error as StoreError where [.invalidVersion, .valueUnreadable].contains(error.code) {
            report.damaged.append(SyncReport.Item(file: "", reason: error.what))
        }
    }

    private func fillStaged(_ filling: FillingBodies) throws {
        let storing = filling.record.changes.storing
        try store.exchange(now: now) { transaction in
            let arriving = ArrivingVersion.make(
                filling.record, bodies: filling.all, zones: zones, reader: transaction.writer)
            for (index, _) in filling.bodies {
                try transaction.fill(
                    index, storing[index], of: filling.record.id, with: try arriving.content(storing[index]))
            }
            try unstage(filling.pieces, transaction.writer)
        }
    }
}

extension FillingBodies {
    /// A body for each value that the version stores.
    fileprivate var all: [EntriesFile.Body] {
        var all = record.changes.storing.map { _ in EntriesFile.Body.pruned(length: 0) }
        for (index, body) in bodies { all[index] = body }
        return all
    }
}
