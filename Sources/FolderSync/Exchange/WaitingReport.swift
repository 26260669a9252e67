import LLVSCore

/// What the store waits for, from what it remembers: no look at the folder.
struct WaitingReport {
    let zones: ExchangeZones
    let identity: StoreIdentity
    let view: ExchangeView

    func items() throws -> [SyncReport.Item] {
        try versions() + lanes()
    }

    /// Versions that were read and wait for parents or pieces.
    func versions() throws -> [SyncReport.Item] {
        var items: [SyncReport.Item] = []
        try zones.scan(ExchangeZones.pending, in: view.reader) { _, bytes in
            let pending = try PendingVersion(decoding: bytes)
            let absent = try pending.record.version.parents.filter { try view.state(of: $0) == nil }
            let staged = StagedPieces(reader: view.reader, zones: zones)
            let missing = try pending.pieces.filter { try staged.row(of: $0) == nil }.count
            let reason =
                if let parent = absent.first {
                    "version \(pending.record.id) waits for its parent \(parent)"
                } else if missing == 1 {
                    "version \(pending.record.id) waits for 1 file"
                } else {
                    "version \(pending.record.id) waits for \(missing) files"
                }
            items.append(SyncReport.Item(file: pending.file, reason: reason))
            return true
        }
        return items
    }

    func lanes() throws -> [SyncReport.Item] {
        let behind = try missing()
        let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
        var items = try behind.map { missing in
            let ended = try knowledge.isRetired(missing.lane) ? ", and nobody writes it any more" : ""
            return SyncReport.Item(
                file: missing.lane.description,
                reason: "the lane is known up to \(missing.known), \(missing.here) are here\(ended)")
        }
        if !behind.isEmpty, let reason = try stuck() { items.append(SyncReport.Item(file: "", reason: reason)) }
        return items
    }

    /// Why the store cannot begin, or go on, with what there is. Nil as long as it can, and for what is on its way.
    ///
    /// A lane that nobody writes any more is no reason while nothing that came stands on what is missing of it.
    func stuck() throws -> String? {
        let behind = try missing()
        if try view.firmCount() == 0 { return behind.isEmpty ? nil : Self.incomplete(behind) }
        guard try zones.attachmentRecord(in: view.reader).isOverdue else { return nil }
        let early = try versions()
        let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
        if early.isEmpty, try behind.allSatisfy({ try knowledge.isRetired($0.lane) }) { return nil }
        return behind.isEmpty ? early.first?.reason : Self.incomplete(behind)
    }

    private static func incomplete(_ behind: [SyncReport.MissingEntries]) -> String {
        let lanes = behind.map { "\($0.lane) from \($0.here + 1) to \($0.known)" }.joined(separator: ", ")
        return "the history is incomplete: it needs the lane \(lanes), and nothing in the folder has that in full"
    }

    /// Lanes that are said to go further than was read.
    func missing() throws -> [SyncReport.MissingEntries] {
        let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
        return try knowledge.lanes().filter { $0 != zones.lane }.compactMap { lane in
            let known = try knowledge.announced(lane)
            let here = try knowledge.reach(lane)
            return here < known ? SyncReport.MissingEntries(lane: lane, known: known, here: here) : nil
        }
    }
}
