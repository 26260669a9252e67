/// How a node lies in its row. Local: no other device sees it, and no digest covers it.
///
/// Whole node: u8 1, u8 level, u8 count; per key varint length shared with the key before, varint length of the rest, the
/// rest; then the items. Delta: u8 2, u8 links, varint base row, u8 count; per change u8 index, the item. A delta has the
/// keys of its base, whose row is lower, and ends a chain of at most ``maximumLinks`` rows above a whole node.
/// Item: 32 bytes of digest, varint, varint. Varints are LEB128 of 64 bits.
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
                append(UInt64(shared), to: &row)
                append(UInt64(key.count - shared), to: &row)
                row.append(contentsOf: key[shared...])
            }
        }
        for item in items { append(item, to: &row) }
        return row
    }

    /// The row of a node that has other items than node `base` at `changed`, and `links` rows below its own.
    static func delta(base: Int64, links: Int, changed: [Int], items: [MapItem]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(12 + changed.count * (Digest.byteCount + 10))
        row.append(2)
        row.append(UInt8(links))
        append(UInt64(bitPattern: base), to: &row)
        row.append(UInt8(changed.count))
        for index in changed {
            row.append(UInt8(index))
            append(items[index], to: &row)
        }
        return row
    }

    /// Reads a row.
    /// - Throws: ``StoreError/Code/damaged`` for bytes that no node is written as.
    init(decoding row: [UInt8], id: Int64) throws(StoreError) {
        var reader = ByteReader(row, of: "map node in row \(id)")
        switch try reader.u8() {
        case 1: self = .whole(try Self.wholeNode(&reader))
        case 2: self = .delta(try MapNodeDelta(&reader, id: id))
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

    private static func append(_ item: MapItem, to row: inout [UInt8]) {
        item.digest.withUnsafeBytes { row.append(contentsOf: $0) }
        append(UInt64(bitPattern: item.first), to: &row)
        append(UInt64(bitPattern: item.second), to: &row)
    }

    private static func append(_ number: UInt64, to row: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            row.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        row.append(UInt8(rest))
    }
}

/// A node as the difference from another with the same keys.
struct MapNodeDelta {
    /// The row of the other node.
    let base: Int64
    let links: Int
    let changes: [(index: Int, item: MapItem)]

    fileprivate init(_ reader: inout ByteReader, id: Int64) throws(StoreError) {
        links = Int(try reader.u8())
        base = Int64(bitPattern: try reader.varint())
        let count = Int(try reader.u8())
        guard (1...MapNodeRow.maximumLinks).contains(links), base > 0, base < id,
            (1...MapBoundary.maximumCount).contains(count)
        else {
            throw reader.failure("is link \(links) on row \(base) with \(count) changes")
        }
        var changes: [(index: Int, item: MapItem)] = []
        changes.reserveCapacity(count)
        for _ in 0..<count {
            let index = Int(try reader.u8())
            if let last = changes.last, last.index >= index { throw reader.failure("has changes out of order") }
            changes.append((index, try reader.mapItem()))
        }
        self.changes = changes
    }

    /// The node, given the other; nil if the two do not fit together. The other may have been written in full since: then
    /// its chain is shorter than it was.
    func applied(to node: MapNode) -> MapNode? {
        guard links > node.links else { return nil }
        var items = node.items
        for change in changes {
            guard change.index < items.count else { return nil }
            items[change.index] = change.item
        }
        guard let total = MapNode.total(level: node.level, items: items) else { return nil }
        return MapNode(level: node.level, links: links, keys: node.keys, items: items, total: total)
    }
}

extension ByteReader {
    fileprivate mutating func mapItem() throws(StoreError) -> MapItem {
        MapItem(
            digest: try digest(), first: Int64(bitPattern: try varint()), second: Int64(bitPattern: try varint()))
    }

    fileprivate mutating func varint() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try u8()
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 {
                guard shift == 0 || byte > 0, shift < 63 || byte == 1 else { break }
                return number
            }
        }
        throw failure("has a number that is not written as it should be")
    }
}
