import FileCoordination
import LLVSCore

/// Publishes versions again whose files were lost and whose owner is gone: in the own lane, like own work.
///
/// Which versions those are, is found by reading the whole folder: whatever no whole file holds. It is rare, needs nothing to
/// be remembered for it, and heals every kind of loss. Several devices may do it; a version that is there twice is there.
struct Carrying {
    let store: Store
    let zones: ExchangeZones
    let identity: StoreIdentity
    let folder: SharedFolder
    let now: Int64

    /// Counts the time that lanes have lacked files, and says which are due now.
    func note(_ losses: [LaneLoss]) throws -> [LaneLoss] {
        var due: [LaneLoss] = []
        var (known, updates) = try (records(), [LaneID: LossRecord?]())
        for loss in losses {
            var record = known.removeValue(forKey: loss.lane) ?? LossRecord(lastPass: now)
            record.advance(to: now)
            updates[loss.lane] = record
            if record.isDue(loss) { due.append(loss) }
        }
        for lane in known.keys { updates[lane] = .some(nil) }
        try put(updates)
        return due
    }

    private func records() throws -> [LaneID: LossRecord] {
        try store.inspect { view in
            var records: [LaneID: LossRecord] = [:]
            try zones.scan(ExchangeZones.loss, in: view.reader) { key, bytes in
                if let lane = LaneID(bytes: key) { records[lane] = try LossRecord(decoding: bytes) }
                return true
            }
            return records
        }
    }

    private func put(_ updates: [LaneID: LossRecord?]) throws {
        if updates.isEmpty { return }
        try store.exchange(now: now) { transaction in
            for (lane, record) in updates {
                let key = zones.key(lane.bytes)
                if let record {
                    try transaction.writer.put(record.encoded, for: key, in: ExchangeZones.loss)
                } else {
                    try transaction.writer.remove(key, in: ExchangeZones.loss)
                }
            }
        }
    }

    /// Numbers in the own lane what the folder lacks, and what is to be said about it. Returns how many versions.
    /// - Parameter folder: what the folder holds, read just now.
    func carry(_ losses: [LaneLoss], _ found: FolderVerification, _ outbox: Outbox) throws -> Int {
        let count = try forgetAbsent(found)
        let record = try outbox.fill()
        try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            let knowledge = LaneKnowledge(zones: zones, reader: writer)
            // Versions that wait for others are not in the own lane yet: nothing is said before all are.
            let isComplete = try !zones.hasPending(in: writer)
            for lane in try knowledge.lanes() where isComplete && lane != zones.lane {
                let end = try knowledge.contiguous(lane, in: identity)
                for (from, to) in found.gaps(in: lane, upTo: end) {
                    let note = FolderNote.Subject.carried(lane, from: from, to: to, upTo: record.last.sequence)
                    try OwnNotes.add(note, zones: zones, writer)
                }
            }
            for loss in losses {
                var record = LossRecord(lastPass: now)
                record.settled = loss.digest
                try writer.put(record.encoded, for: zones.key(loss.lane.bytes), in: ExchangeZones.loss)
            }
        }
        return count
    }

    /// Takes back that a lane of the folder holds a version, where no whole file does. Own files are written again anyway.
    private func forgetAbsent(_ found: FolderVerification) throws -> Int {
        try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            var own: Set<Version.ID> = []
            try zones.scan(ExchangeZones.outbox, in: writer) { _, bytes in
                own.insert(try OutboxEntry(decoding: bytes).id)
                return true
            }
            var absent: [Version.ID] = []
            try transaction.view.forEachFirm(from: 1) { _, version in
                let id = version.id
                if !own.contains(id), !found.holds(id) { absent.append(id) }
                return true
            }
            if absent.isEmpty { return 0 }
            for id in absent { try writer.remove(zones.key(id.utf8), in: ExchangeZones.present) }
            var record = try zones.attachmentRecord(in: writer)
            record.scanned = 0
            try zones.put(record, in: writer)
            return absent.count
        }
    }
}
