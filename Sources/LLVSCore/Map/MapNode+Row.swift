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
        var reader = ByteReader(row, of: "map node in row \(id)")
        switch try reader.u8() {
        case 1: self = .whole(try Self.wholeNode(&reader))
        case MapNodeDelta.sameKeys: self = .delta(try MapNodeDelta(itemsFrom: &reader, id: id))
        case MapNodeDelta.otherKeys: self = .delta(try MapNodeDelta(keysFrom: &reader, id: id))
        case let form: throw reader.failure("has the unknown form \(form)")
        }
        try reader.expectEnd()
    }

    private static func wholeNode(_ reader: inout ByteReader) throws(StoreError) -> MapNode {
        let level = try reader.u8()
        let count = Int(try reader.u8())
        guard level <= MapNode.maximumLevel, (1...MapBoundary.maximumCount).contains(count) else {
            throw reader.failure("states level \(level) and \(count) entries")
        }
        var keys = MapKeys()
        keys.reserveCapacity(count, byteCount: reader.remaining)
        for _ in 0..<count { try appendKey(to: &keys, &reader) }
        guard keys.areUTF8 else { throw reader.failure("has a key that is not UTF-8") }
        var items: [MapItem] = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try reader.mapItem()) }
        guard let total = MapNode.total(level: level, items: items) else {
            throw reader.failure("has a child of an impossible size")
        }
        return MapNode(level: level, links: 0, keys: keys, items: items, total: total)
    }

    private static func appendKey(to keys: inout MapKeys, _ reader: inout ByteReader) throws(StoreError) {
        let shared = try reader.varint()
        let count = try reader.varint()
        let previous = keys.last
        guard shared <= UInt64(previous.count), count >= 1, count <= UInt64(Value.ID.maximumByteCount) - shared else {
            throw reader.failure("has a key of an impossible length")
        }
        let suffix = try reader.slice(Int(count))
        let next = previous.startIndex + Int(shared)
        guard next == previous.endIndex || previous[next] < suffix[suffix.startIndex] else {
            throw reader.failure("has keys out of order")
        }
        keys.append(sharing: Int(shared), suffix)
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
