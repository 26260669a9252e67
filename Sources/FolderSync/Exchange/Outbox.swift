import LLVSCore

/// The own lane as the store knows it: which versions have which numbers. Numbers are given in a transaction, before anything
/// is written, so that a crash between the two is finished and never numbered twice.
struct Outbox {
    let store: Store
    let zones: ExchangeZones
    let identity: StoreIdentity
    let now: Int64

    private static let batch = 1_000

    /// Numbers every firm version that no lane of this folder has. Returns the attachment's record afterwards.
    func fill() throws -> AttachmentRecord {
        let (known, isFull) = try store.inspect { view in
            let record = try zones.attachmentRecord(in: view.reader)
            return (record, try record.scanned == view.firmCount())
        }
        if isFull { return known }
        while true {
            let (record, isDone) = try store.exchange(now: now) { transaction in
                let writer = transaction.writer
                var record = try zones.attachmentRecord(in: writer)
                var looked = 0
                try transaction.view.forEachFirm(from: record.scanned + 1) { number, version in
                    record.scanned = number
                    looked += 1
                    let key = zones.key(version.id.utf8)
                    if try writer.value(key, in: ExchangeZones.present) == nil {
                        record.last = record.last.appending(version.id, record: try version.recordDigest())
                        try writer.put([], for: key, in: ExchangeZones.present)
                        let entry = OutboxEntry(id: version.id, chain: record.last.digest)
                        try writer.put(entry.encoded, for: zones.key(record.last.sequence), in: ExchangeZones.outbox)
                    }
                    return looked < Self.batch
                }
                if looked > 0 { try zones.put(record, in: writer) }
                return (record, looked < Self.batch)
            }
            if isDone { return record }
        }
    }

    /// How many bytes the versions with these numbers are, as they were saved. Costs reading them once, values not.
    func byteCount(_ numbers: ClosedRange<UInt64>) throws -> Int {
        var total = 0
        var next = numbers.lowerBound
        while next <= numbers.upperBound {
            try Task.checkCancellation()
            let end = min(next + UInt64(Self.batch) - 1, numbers.upperBound)
            try store.inspect { view in
                for number in next...end { total += try view.outgoing(entry(number, in: view.reader).id).byteCount() }
            }
            next = end + 1
        }
        return total
    }

    func entry(_ number: UInt64, in reader: any StorageReader) throws -> OutboxEntry {
        guard let bytes = try reader.value(zones.key(number), in: ExchangeZones.outbox) else {
            throw StoreError(
                .damaged, "the outbox has no number \(number)",
                remedy: "run verify, and restore the store from a backup or make a new one from the shared folder")
        }
        return try OutboxEntry(decoding: bytes)
    }

    /// The chain after a number of the own lane.
    func chain(at number: UInt64, in reader: any StorageReader) throws -> LaneChain {
        if number == 0 { return LaneChain(startOf: zones.lane, in: identity) }
        return LaneChain(sequence: number, digest: try entry(number, in: reader).chain)
    }
}

extension ExchangeZones {
    func attachmentRecord(in reader: any StorageReader) throws -> AttachmentRecord {
        guard let bytes = try reader.value(key(), in: ExchangeZones.attachment) else {
            throw FolderSyncError.notAttached(nil)
        }
        return try AttachmentRecord(decoding: bytes)
    }

    func put(_ record: AttachmentRecord, in writer: any StorageWriter) throws {
        try writer.put(record.encoded, for: key(), in: ExchangeZones.attachment)
    }
}
