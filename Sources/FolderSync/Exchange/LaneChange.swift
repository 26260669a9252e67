import LLVSCore

/// Gives an attachment another lane: a twin, a cloned or restored copy of this store, writes to the same, or did.
///
/// The new lane will hold what no file of the folder is seen to hold: what was numbered in the old one counts as published only
/// where its files are read again, pieces of values too. Nothing in the folder is touched.
struct LaneChange {
    let store: Store
    let zones: ExchangeZones
    let identity: StoreIdentity
    let now: Int64

    /// Takes the lane, in one transaction.
    func take(_ lane: LaneID) throws {
        try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            var record = try zones.attachmentRecord(in: writer)
            try forgetOwn(writer)
            record.last = LaneChain(startOf: lane, in: identity)
            record.scanned = 0
            record.published = 0
            record.hasTwin = false
            try zones.put(record, in: writer)
            try writer.put(lane.bytes, for: zones.key(), in: ExchangeZones.lane)
            // What is there of the old lane and where it ends, each of the twins knows in its own way: none is stated.
            let end = LaneChain(startOf: zones.lane, in: identity)
            try OwnNotes.add(.retired(zones.lane, end: end), zones: zones, writer)
            try writer.put([], for: zones.key(zones.lane.bytes), in: ExchangeZones.retired)
        }
    }

    private func forgetOwn(_ writer: any StorageWriter) throws {
        var numbered: [Version.ID] = []
        try zones.scan(ExchangeZones.outbox, in: writer) { _, bytes in
            numbered.append(try OutboxEntry(decoding: bytes).id)
            return true
        }
        for (_, file) in try OwnFileRecords(zones: zones).all(in: writer) {
            guard let digest = file.piece else { continue }
            try writer.put([], for: zones.key(digest.bytes), in: ExchangeZones.unproved)
        }
        for id in numbered { try writer.remove(zones.key(id.utf8), in: ExchangeZones.present) }
        for zone in [
            ExchangeZones.outbox, ExchangeZones.own, ExchangeZones.begun, ExchangeZones.replaced, ExchangeZones.swept,
            ExchangeZones.elapsed, ExchangeZones.acknowledged, ExchangeZones.ownSet, ExchangeZones.ownSetSeen,
        ] {
            try zones.removeAll(in: zone, writer)
        }
        try zones.removeAll(in: ExchangeZones.range, prefix: zones.lane.bytes, writer)
        try zones.removeAll(in: ExchangeZones.taken, prefix: Array("\(zones.lane)/".utf8), writer)
        // Whatever was said in the old lane is said in the new one, whose files are this store's own; but what speaks of numbers
        // of the old lane is true there alone.
        for subject in try OwnNotes.all(zones: zones, in: writer).map(\.subject) {
            if case .carried = subject { try writer.remove(zones.key(subject.encoded), in: ExchangeZones.note) }
        }
        try OwnNotes.unconfirm(zones: zones, writer)
    }
}
