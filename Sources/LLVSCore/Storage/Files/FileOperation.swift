/// Where a value is in the log: its bytes, then their check.
struct FileExtent: Sendable {
    var offset: Int64
    var count: Int

    /// What the value takes in the log.
    var stored: Int64 { count == 0 ? 0 : Int64(count + FileCheck.size) }
}

/// A change of one key or row, as the table of a frame lists it:
///
///     table = u16 zones ‖ (u8 kind ‖ u8 length ‖ name) each ‖ u32 operations ‖ operation each
///     operation = u8 0 remove, 1 put ‖ u16 zone ‖ u32 length and key, or i64 row ‖ u32 size of the value, if put
///
/// The values stand before the table in the order of the puts.
struct FileOperation {
    enum Place {
        case key(OrderedBytes, KeyedZone)
        case row(Int64, RowZone)
    }

    let place: Place
    /// Nil: removed.
    let extent: FileExtent?

    private enum Zone {
        case keyed(KeyedZone)
        case rows(RowZone)
    }

    static func decode(_ table: ArraySlice<UInt8>, values: Int64, end: Int64, path: String) throws -> [FileOperation] {
        var reader = ByteReader(table, of: "table of a frame")
        let zones = try (0..<(try reader.u16())).map { _ in try zone(&reader, path: path) }
        let count = try reader.count(ofEntriesOf: 7)
        var operations: [FileOperation] = []
        operations.reserveCapacity(count)
        var next = values
        for _ in 0..<count {
            let isPut = try reader.u8() == 1
            let number = Int(try reader.u16())
            guard number < zones.count else { throw StoreError.damagedLog(path, at: end, "a zone is not listed") }
            let place: Place
            switch zones[number] {
            case .keyed(let zone): place = .key(OrderedBytes(bytes: try reader.lengthPrefixed()), zone)
            case .rows(let zone):
                let id = try reader.i64()
                guard id >= 1, id < Int64.max else { throw StoreError.damagedLog(path, at: end, "a row's number") }
                place = .row(id, zone)
            }
            let extent = isPut ? FileExtent(offset: next, count: Int(try reader.u32())) : nil
            next += extent?.stored ?? 0
            operations.append(FileOperation(place: place, extent: extent))
        }
        try reader.expectEnd()
        guard next == end else { throw StoreError.damagedLog(path, at: end, "its values do not fill their place") }
        return operations
    }

    private static func zone(_ reader: inout ByteReader, path: String) throws -> Zone {
        let kind = try reader.u8()
        let name = String(decoding: try reader.slice(Int(try reader.u8())), as: UTF8.self)
        guard isZoneName(name), kind < 2 else { throw StoreError.damagedLog(path, at: 0, "a zone has no valid name") }
        return kind == 0 ? .keyed(KeyedZone(name)) : .rows(RowZone(name))
    }
}

/// Writes the table of a frame.
struct FileTable {
    private var zones: [String: UInt16] = [:]
    private var names = ByteWriter()
    private var operations = ByteWriter()
    private var count = 0

    var isEmpty: Bool { count == 0 }
    /// Whether another zone may have no number.
    var isFull: Bool { zones.count == UInt16.max }

    mutating func add(_ place: FileOperation.Place, _ extent: FileExtent?) {
        operations.u8(extent == nil ? 0 : 1)
        switch place {
        case .key(let key, let zone):
            operations.u16(number(of: zone.name, kind: 0))
            operations.lengthPrefixed(key.bytes)
        case .row(let id, let zone):
            operations.u16(number(of: zone.name, kind: 1))
            operations.i64(id)
        }
        if let extent { operations.count(extent.count) }
        count += 1
    }

    private mutating func number(of name: String, kind: UInt8) -> UInt16 {
        let key = "\(kind)\(name)"
        if let number = zones[key] { return number }
        let number = UInt16(zones.count)
        zones[key] = number
        names.u8(kind)
        names.u8(UInt8(name.utf8.count))
        names.append(Array(name.utf8))
        return number
    }

    var encoded: [UInt8] {
        var table = ByteWriter(reserving: names.bytes.count + operations.bytes.count + 6)
        table.u16(UInt16(zones.count))
        table.append(names.bytes)
        table.count(count)
        table.append(operations.bytes)
        return table.bytes
    }
}
