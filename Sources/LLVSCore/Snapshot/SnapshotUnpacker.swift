/// Puts the rows and keys of chunks, which come in order, into an empty storage. The chunks were verified: they are what
/// somebody wrote, which may still be anything.
struct SnapshotUnpacker {
    private static let rowZones = Dictionary(uniqueKeysWithValues: StoreZones.allRows.map { ($0.name, $0) })
    private static let keyedZones = Dictionary(uniqueKeysWithValues: StoreZones.allKeyed.map { ($0.name, $0) })

    /// The zones that came, the last of which may go on.
    private var zones: [String] = []
    private var lastRow: Int64 = 0
    private var lastKey: [UInt8]?
    /// A row of which parts are still to come.
    private var part: (id: Int64, size: UInt64, bytes: [UInt8])?

    mutating func unpack(_ chunk: [UInt8], into writer: any StorageWriter) throws {
        var reader = ByteReader(chunk, of: "snapshot's chunk", code: .damagedSnapshot)
        try reader.expect(SnapshotPacker.formatName)
        while reader.remaining > 0 {
            let kind = try reader.u8()
            let name = String(decoding: try reader.slice(Int(try reader.u8())), as: UTF8.self)
            try enter(name)
            switch (kind, Self.rowZones[name], Self.keyedZones[name]) {
            case (SnapshotPacker.Section.rows, let zone?, _): try rows(of: zone, &reader, writer)
            case (SnapshotPacker.Section.partOfRow, let zone?, _): try partOfRow(of: zone, &reader, writer)
            case (SnapshotPacker.Section.keys, _, let zone?): try keys(of: zone, &reader, writer)
            default: throw reader.failure("has a part \(kind) of '\(name)', which a store does not have")
            }
        }
    }

    /// Throws if something is missing at the end.
    func finish() throws {
        if part != nil { throw StoreError.damagedSnapshot("ends within a row") }
    }

    private mutating func enter(_ name: String) throws {
        if zones.last == name { return }
        guard !zones.contains(name), part == nil else {
            throw StoreError.damagedSnapshot("has its parts out of order")
        }
        zones.append(name)
        lastRow = 0
        lastKey = nil
    }

    private mutating func rows(of zone: RowZone, _ reader: inout ByteReader, _ writer: any StorageWriter) throws {
        var rows: [(id: Int64, bytes: ArraySlice<UInt8>)] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 12)) {
            rows.append((try rowID(&reader), try reader.lengthPrefixedSlice()))
        }
        try writer.setRows(rows, in: zone)
    }

    private mutating func rowID(_ reader: inout ByteReader) throws -> Int64 {
        let id = try reader.i64()
        guard id > lastRow, id < Int64.max, part == nil else { throw reader.failure("has rows out of order") }
        lastRow = id
        return id
    }

    private mutating func partOfRow(of zone: RowZone, _ reader: inout ByteReader, _ writer: any StorageWriter) throws {
        let id: Int64
        if let part {
            id = try reader.i64()
            guard id == part.id else { throw reader.failure("has a row within another") }
        } else {
            id = try rowID(&reader)
        }
        let size = try reader.u64()
        var row = part ?? (id, size, [])
        guard try reader.u64() == row.bytes.count, row.size == size else {
            throw reader.failure("has parts of a row that do not fit together")
        }
        let bytes = try reader.lengthPrefixedSlice()
        guard !bytes.isEmpty, UInt64(row.bytes.count) + UInt64(bytes.count) <= size else {
            throw reader.failure("has parts of a row that do not fit together")
        }
        // What is there is all that is allocated, whatever size is stated.
        part = nil
        row.bytes += bytes
        if UInt64(row.bytes.count) < size {
            part = row
        } else {
            try writer.setRow(row.bytes, at: id, in: zone)
        }
    }

    private mutating func keys(of zone: KeyedZone, _ reader: inout ByteReader, _ writer: any StorageWriter) throws {
        for _ in 0..<(try reader.count(ofEntriesOf: 8)) {
            let key = try reader.lengthPrefixed()
            if let lastKey, !lastKey.precedes(key) { throw reader.failure("has keys out of order") }
            lastKey = key
            try writer.put(try reader.lengthPrefixed(), for: key, in: zone)
        }
    }
}
