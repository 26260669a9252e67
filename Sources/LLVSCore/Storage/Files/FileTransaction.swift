/// Reads a snapshot of a log.
class FileReadTransaction: StorageReader {
    fileprivate var zones: FileZones
    fileprivate let log: FileLog
    private var isOpen = true

    init(_ snapshot: FileSnapshot) {
        zones = snapshot.zones
        log = snapshot.log
    }

    func end() {
        isOpen = false
    }

    fileprivate func checkOpen() {
        precondition(isOpen, "A transaction was used after its closure returned.")
    }

    fileprivate func bytes(_ extent: FileExtent) throws -> [UInt8] {
        try log.value(extent)
    }

    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? {
        checkOpen()
        return try zones.keyed[zone]?[OrderedBytes(bytes: key)].map(bytes)
    }

    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        checkOpen()
        let end = before.map(OrderedBytes.init(bytes:))
        try zones.keyed[zone]?.forEach(from: OrderedBytes(bytes: from)) { key, extent in
            if let end, key >= end { return false }
            return try body(key.bytes, bytes(extent))
        }
    }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        checkOpen()
        return try zones.rows[zone]?[id].map(bytes)
    }

    func lastRow(in zone: RowZone) throws -> Int64 {
        checkOpen()
        return zones.rows[zone]?.lastKey ?? 0
    }

    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
        checkOpen()
        try zones.rows[zone]?.forEach(from: from) { try body($0.key, bytes($0.value)) }
    }
}

/// Reads and changes a copy of a log's index; the values go to the end of the log, where none counts before the last frame.
final class FileWriteTransaction: FileReadTransaction, StorageWriter {
    private var frames: FileFrameWriter
    /// The first write that failed. A body that swallows it must not commit the rest.
    private(set) var failure: (any Error)?

    override init(_ snapshot: FileSnapshot) {
        frames = FileFrameWriter(snapshot.log, at: snapshot.end)
        super.init(snapshot)
    }

    /// Commits; the log with everything in it.
    func commit() throws -> FileSnapshot {
        if let failure { throw failure }
        let end = try frames.finish()
        return FileSnapshot(log: log, zones: zones, end: end)
    }

    override func bytes(_ extent: FileExtent) throws -> [UInt8] {
        try frames.pending(extent) ?? super.bytes(extent)
    }

    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws {
        try change(.key(OrderedBytes(bytes: key), zone), to: value)
    }

    func remove(_ key: [UInt8], in zone: KeyedZone) throws {
        let key = OrderedBytes(bytes: key)
        guard zones.keyed[zone]?[key] != nil else { return }
        try change(.key(key, zone), to: nil)
    }

    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64 {
        let last = try lastRow(in: zone)
        guard last < Int64.max - 1 else { throw StoreError.rowIDsUsedUp(in: zone, path: log.path) }
        try setRow(bytes, at: last + 1, in: zone)
        return last + 1
    }

    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws {
        checkRowID(id)
        try change(.row(id, zone), to: bytes)
    }

    func removeRow(_ id: Int64, in zone: RowZone) throws {
        guard zones.rows[zone]?[id] != nil else { return }
        try change(.row(id, zone), to: nil)
    }

    private func change(_ place: FileOperation.Place, to value: [UInt8]?) throws {
        checkOpen()
        do {
            guard value?.count ?? 0 <= Int32.max else {
                throw StoreError(
                    .inputOutput, "a value is too large for one row", remedy: "pass large values as streams",
                    path: log.path)
            }
            zones.apply(place, try frames.add(place, value))
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}
