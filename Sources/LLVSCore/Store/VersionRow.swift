/// How a version lies in its row. Local: no other device sees it.
///
/// u8 2, u8 flags, u8 number of parents, varint row each, varint first body, 48 bytes of map root, the id, u32 length and the
/// canonical version, and, with flag 1, the canonical change list up to the end. With flag 2 the id is native: its 32 bytes;
/// else u32 length and its text. A longer change list has a row of its own, so that walks through the history need not read
/// it.
///
/// Rows of before: u8 1, u8 number of parents, i64 row each, i64 first body, 48 bytes of map root, u32 length and the id, u32
/// length and the canonical version.
struct VersionRow {
    let parents: [Int64]
    let firstBody: Int64
    let map: MapRoot
    let id: Version.ID
    let header: [UInt8]
    /// The canonical change list, unless it has a row of its own.
    let changes: ArraySlice<UInt8>?

    /// The longest change list that is put into the version's row.
    static let longestChanges = 1_024

    private static let changesFlag: UInt8 = 1
    private static let nativeFlag: UInt8 = 2

    /// The row, and whether the change list is in it.
    static func encode(_ version: StoredVersion, changes: [UInt8]) -> (bytes: [UInt8], holdsChanges: Bool) {
        let holdsChanges = changes.count <= longestChanges
        var out = ByteWriter(reserving: 128 + version.header.count + (holdsChanges ? changes.count : 0))
        out.u8(2)
        out.u8((holdsChanges ? changesFlag : 0) | (version.id.isNative ? nativeFlag : 0))
        out.u8(UInt8(version.parents.count))
        for parent in version.parents { out.varint(UInt64(bitPattern: parent)) }
        out.varint(UInt64(bitPattern: version.firstBody))
        out.append(version.map.encoded)
        if let digest = version.id.digest { out.append(digest) } else { out.lengthPrefixed(version.id.utf8) }
        out.lengthPrefixed(version.header)
        if holdsChanges { out.append(changes) }
        return (out.bytes, holdsChanges)
    }

    init(decoding bytes: [UInt8], row: Int64) throws {
        var reader = ByteReader(bytes, of: "version row \(row)")
        let form = try reader.u8()
        guard form == 1 || form == 2 else { throw StoreError.damagedRecord("version row \(row)") }
        let flags = try form == 2 ? reader.u8() : 0
        guard flags & ~(Self.changesFlag | Self.nativeFlag) == 0 else {
            throw StoreError.damagedRecord("version row \(row)")
        }
        let count = Int(try reader.u8())
        func number() throws -> Int64 { try form == 1 ? reader.i64() : Int64(bitPattern: reader.varint()) }
        var parents: [Int64] = []
        for _ in 0..<count { parents.append(try number()) }
        self.parents = parents
        firstBody = try number()
        map = try MapRoot(decoding: try reader.bytes(MapRoot.encodedByteCount))
        id =
            try flags & Self.nativeFlag != 0
            ? Version.ID(reader.digest()) : Version.ID(utf8: reader.lengthPrefixed())
        header = try reader.lengthPrefixed()
        if flags & Self.changesFlag != 0 {
            changes = try reader.slice(reader.remaining)
        } else {
            changes = nil
            try reader.expectEnd()
        }
    }
}

extension StoreSnapshot {
    /// The canonical change list of the version in a row; nil if it is missing.
    func changesBytes(of row: Int64) throws -> [UInt8]? {
        guard let bytes = try reader.row(row, in: StoreZones.versions) else { return nil }
        if let changes = try VersionRow(decoding: bytes, row: row).changes { return Array(changes) }
        return try reader.row(row, in: StoreZones.changes)
    }
}

extension StoreTransaction {
    /// Writes a version and its change list into their row, or their two rows.
    func write(_ version: StoredVersion, changes: [UInt8]) throws {
        let (bytes, holdsChanges) = VersionRow.encode(version, changes: changes)
        try writer.setRow(bytes, at: version.row, in: StoreZones.versions)
        if !holdsChanges { try writer.setRow(changes, at: version.row, in: StoreZones.changes) }
    }
}
