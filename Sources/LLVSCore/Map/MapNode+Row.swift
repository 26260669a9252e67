/// How a node lies in its row. Local: no other device sees it, and no digest covers it.
///
/// Whole node: u8 1, u8 level, u8 count; per key varint length shared with the key before, varint length of the rest, the
/// rest; then the items. Delta: see ``MapNodeDelta``; its base has a lower row, and a chain of at most ``maximumLinks``
/// deltas ends at a whole node. Item: 32 bytes of digest, varint, varint. Varints are LEB128 of 64 bits.
enum MapNodeRow {
    case whole(MapNode)
    case delta(MapNodeDelta)

    /// The most deltas between a node's row and a row that holds a whole node.
    static let maximumLinks = 16

    /// The row of a whole node.
    static func whole(level: UInt8, keys: MapKeys, items: [MapItem]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(3 + keys.byteCount + items.count * (Digest.byteCount + 10))
        row.append(1)
        row.append(level)
        row.append(UInt8(items.count))
        for index in items.indices {
            let shared = keys.sharedPrefixCount(withPreviousOf: index)
            keys.withKey(index) { key in
                row.append(varint: UInt64(shared))
                row.append(varint: UInt64(key.count - shared))
                row.append(contentsOf: key[shared...])
            }
        }
        for item in items { append(item, to: &row) }
        return row
    }

    /// Reads a row.
    /// - Throws: ``StoreError/Code/damaged`` for bytes that no node is written as.
    init(decoding row: [UInt8], id: Int64) throws(StoreError) {
        if row.first == 1 {
            guard let node = row.withUnsafeBytes(Self.wholeNode) else {
                throw MapNodeReader.damaged(id, "does not decode")
            }
            self = .whole(node)
            return
        }
        var reader = ByteReader(row, of: "map node in row \(id)")
        switch try reader.u8() {
        case MapNodeDelta.sameKeys: self = .delta(try MapNodeDelta(itemsFrom: &reader, id: id))
        case MapNodeDelta.otherKeys: self = .delta(try MapNodeDelta(keysFrom: &reader, id: id))
        case let form: throw reader.failure("has the unknown form \(form)")
        }
        try reader.expectEnd()
    }

    /// The node in a row of form 1.
    private static func wholeNode(_ row: UnsafeRawBufferPointer) -> MapNode? {
        var cursor = MapRowCursor(row, at: 1)
        guard let level = cursor.byte(), let count = cursor.byte().map(Int.init), level <= MapNode.maximumLevel,
            (1...MapBoundary.maximumCount).contains(count), let keys = MapKeys(count, from: &cursor), keys.areUTF8
        else { return nil }
        var items: [MapItem] = []
        items.reserveCapacity(count)
        for _ in 0..<count {
            guard let item = cursor.item() else { return nil }
            items.append(item)
        }
        guard cursor.isAtEnd, let total = MapNode.total(level: level, items: items) else { return nil }
        return MapNode(level: level, links: 0, keys: keys, items: items, total: total)
    }

    static func append(_ item: MapItem, to row: inout [UInt8]) {
        item.digest.withUnsafeBytes { row.append(contentsOf: $0) }
        row.append(varint: UInt64(bitPattern: item.first))
        row.append(varint: UInt64(bitPattern: item.second))
    }
}

extension ByteReader {
    mutating func mapItem() throws(StoreError) -> MapItem {
        MapItem(
            digest: try digest(), first: Int64(bitPattern: try varint()), second: Int64(bitPattern: try varint()))
    }
}
