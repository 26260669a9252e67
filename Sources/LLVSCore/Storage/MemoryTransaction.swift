/// All zones of a storage in memory, with value semantics.
struct MemoryZones: Sendable {
    var keyed: [KeyedZone: ChunkedMap<OrderedBytes, [UInt8]>] = [:]
    var rows: [RowZone: ChunkedMap<Int64, [UInt8]>] = [:]
}

/// Reads a snapshot of a storage in memory.
class MemoryReadTransaction: StorageReader {
    fileprivate(set) var zones: MemoryZones
    private var isOpen = true

    init(_ zones: MemoryZones) {
        self.zones = zones
    }

    func end() {
        isOpen = false
    }

    fileprivate func checkOpen() {
        precondition(isOpen, "A transaction was used after its closure returned.")
    }

    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? {
        checkOpen()
        return zones.keyed[zone]?[OrderedBytes(bytes: key)]
    }

    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        checkOpen()
        let end = before.map(OrderedBytes.init(bytes:))
        try zones.keyed[zone]?.forEach(from: OrderedBytes(bytes: from)) { key, value in
            if let end, key >= end { return false }
            return try body(key.bytes, value)
        }
    }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        checkOpen()
        return zones.rows[zone]?[id]
    }

    func lastRow(in zone: RowZone) throws -> Int64 {
        checkOpen()
        return zones.rows[zone]?.lastKey ?? 0
    }

    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
        checkOpen()
        try zones.rows[zone]?.forEach(from: from) { try body($0.key, $0.value) }
    }
}

/// Reads and changes a copy of a storage in memory.
final class MemoryWriteTransaction: MemoryReadTransaction, StorageWriter {
    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws {
        checkOpen()
        zones.keyed[zone, default: ChunkedMap()].set(value, for: OrderedBytes(bytes: key))
    }

    func remove(_ key: [UInt8], in zone: KeyedZone) throws {
        checkOpen()
        zones.keyed[zone]?.remove(OrderedBytes(bytes: key))
    }

    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64 {
        let last = try lastRow(in: zone)
        guard last < Int64.max - 1 else { throw StoreError.rowIDsUsedUp(in: zone) }
        try setRow(bytes, at: last + 1, in: zone)
        return last + 1
    }

    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws {
        checkOpen()
        checkRowID(id)
        zones.rows[zone, default: ChunkedMap()].set(bytes, for: id)
    }

    func removeRow(_ id: Int64, in zone: RowZone) throws {
        checkOpen()
        zones.rows[zone]?.remove(id)
    }
}
