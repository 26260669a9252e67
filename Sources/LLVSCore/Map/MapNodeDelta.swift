/// A node as the difference from another.
///
/// With the keys of the other: u8 2, u8 links, varint base row, u8 count; per change u8 index, the item. With other keys: u8 4,
/// u8 links, varint base row, u8 count; per change a byte of what is done in its two highest bits and an index into the base's
/// keys in the others: 0 sets the item there, 1 puts a key before it (varint length shared with the base's key before that
/// index, varint length of the rest, the rest, the item), 2 takes it away. Changes come in the order of the keys they concern.
struct MapNodeDelta {
    static let sameKeys: UInt8 = 2
    static let otherKeys: UInt8 = 4

    enum Change {
        case set(MapItem)
        case insert(shared: Int, rest: ArraySlice<UInt8>, MapItem)
        case remove
    }

    /// The row of the other node.
    let base: Int64
    let links: Int
    /// Each with an index into the other node's keys.
    private let changes: [(index: Int, change: Change)]
    private let keepsKeys: Bool

    /// The node, given the other; nil if the two do not fit together. The other may have been written in full since: then
    /// its chain is shorter than it was.
    func applied(to node: MapNode) -> MapNode? {
        guard links > node.links else { return nil }
        if !keepsKeys { return rebuilt(from: node) }
        var items = node.items
        for case (let index, .set(let item)) in changes {
            guard index < items.count else { return nil }
            items[index] = item
        }
        guard let total = MapNode.total(level: node.level, items: items) else { return nil }
        return MapNode(level: node.level, links: links, keys: node.keys, items: items, total: total)
    }

    private func rebuilt(from node: MapNode) -> MapNode? {
        var made = MapChunk()
        made.reserveCapacity(node.count + changes.count, byteCount: node.keys.byteCount + 64)
        var next = 0
        for (index, change) in changes {
            guard index <= node.count else { return nil }
            while next < index {
                made.append(next, of: node.keys, node.items[next])
                next += 1
            }
            switch change {
            case .insert(let shared, let rest, let item):
                let before = index > 0 ? node.keys[index - 1] : []
                guard shared <= before.count, made.append(before.prefix(shared) + rest, item) else { return nil }
                continue
            case .set(let item):
                guard index < node.count else { return nil }
                made.append(index, of: node.keys, item)
            case .remove:
                guard index < node.count else { return nil }
            }
            next = index + 1
        }
        while next < node.count {
            made.append(next, of: node.keys, node.items[next])
            next += 1
        }
        guard (1...MapBoundary.maximumCount).contains(made.count), made.keys.areAscending,
            let total = MapNode.total(level: node.level, items: made.items)
        else { return nil }
        return MapNode(level: node.level, links: links, keys: made.keys, items: made.items, total: total)
    }
}

extension MapNodeDelta {
    /// The row of a node that has other items than node `base` at `changed`, and `links` rows below its own.
    static func row(base: Int64, links: Int, changed: [Int], items: [MapItem]) -> [UInt8] {
        var row: [UInt8] = []
        row.reserveCapacity(12 + changed.count * (Digest.byteCount + 10))
        begin(&row, sameKeys, base: base, links: links, count: changed.count)
        for index in changed {
            row.append(UInt8(index))
            MapNodeRow.append(items[index], to: &row)
        }
        return row
    }

    /// The row of a node of other keys than node `base`, which is `old`; nil if there is none, or if
    /// it would save too little to be worth a link.
    static func row(base: Int64, of old: MapNode, links: Int, keys: MapKeys, items: [MapItem]) -> [UInt8]? {
        var changes: [UInt8] = []
        changes.reserveCapacity(256)
        var count = 0
        // A third of the whole node.
        let limit = (keys.byteCount + items.count * (Digest.byteCount + 6)) / 3
        var (before, after) = (0, 0)
        while before < old.count || after < items.count {
            let order = before == old.count ? 1 : after == items.count ? -1 : old.keys.order(before, keys, after)
            if order < 0 {
                changes.append(2 << 6 | UInt8(before))
            } else if order > 0 {
                changes.append(1 << 6 | UInt8(before))
                append(after, of: keys, after: before, of: old.keys, to: &changes)
                MapNodeRow.append(items[after], to: &changes)
            } else if old.items[before] != items[after] {
                changes.append(UInt8(before))
                MapNodeRow.append(items[after], to: &changes)
            } else {
                count -= 1
            }
            count += 1
            if order <= 0 { before += 1 }
            if order >= 0 { after += 1 }
            if changes.count > limit { return nil }
        }
        if count == 0 { return nil }
        var row: [UInt8] = []
        row.reserveCapacity(12 + changes.count)
        begin(&row, otherKeys, base: base, links: links, count: count)
        return row + changes
    }

    private static func begin(_ row: inout [UInt8], _ form: UInt8, base: Int64, links: Int, count: Int) {
        row.append(form)
        row.append(UInt8(links))
        row.append(varint: UInt64(bitPattern: base))
        row.append(UInt8(count))
    }

    private static func append(
        _ index: Int, of keys: MapKeys, after next: Int, of old: MapKeys, to row: inout [UInt8]
    ) {
        let shared = next > 0 ? keys.sharedPrefixCount(of: index, old, next - 1) : 0
        keys.withKey(index) { key in
            row.append(varint: UInt64(shared))
            row.append(varint: UInt64(key.count - shared))
            row.append(contentsOf: key[shared...])
        }
    }
}

extension MapNodeDelta {
    init(itemsFrom reader: inout ByteReader, id: Int64) throws(StoreError) {
        let count: Int
        (links, base, count) = try Self.begin(&reader, id: id, mostChanges: MapBoundary.maximumCount)
        var changes: [(index: Int, change: Change)] = []
        changes.reserveCapacity(count)
        for _ in 0..<count {
            let index = Int(try reader.u8())
            if let last = changes.last, last.index >= index { throw reader.failure("has changes out of order") }
            changes.append((index, .set(try reader.mapItem())))
        }
        self.changes = changes
        keepsKeys = true
    }

    init(keysFrom reader: inout ByteReader, id: Int64) throws(StoreError) {
        let count: Int
        (links, base, count) = try Self.begin(&reader, id: id, mostChanges: 2 * MapBoundary.maximumCount)
        var changes: [(index: Int, change: Change)] = []
        changes.reserveCapacity(count)
        // The first index that may come.
        var first = 0
        for _ in 0..<count {
            let byte = try reader.u8()
            let index = Int(byte & 0x3f)
            guard index >= first else { throw reader.failure("has changes out of order") }
            changes.append((index, try Self.change(byte >> 6, &reader)))
            first = byte >> 6 == 1 ? index : index + 1
        }
        self.changes = changes
        keepsKeys = false
    }

    private static func change(_ kind: UInt8, _ reader: inout ByteReader) throws(StoreError) -> Change {
        switch kind {
        case 0: return .set(try reader.mapItem())
        case 1:
            let shared = try reader.varint()
            let count = try reader.varint()
            let most = UInt64(Value.ID.maximumByteCount)
            guard shared <= most, count >= 1, count <= most - shared else {
                throw reader.failure("has a key of an impossible length")
            }
            return .insert(shared: Int(shared), rest: try reader.slice(Int(count)), try reader.mapItem())
        case 2: return .remove
        default: throw reader.failure("has a change that is none")
        }
    }

    private static func begin(
        _ reader: inout ByteReader, id: Int64, mostChanges: Int
    ) throws(StoreError) -> (links: Int, base: Int64, count: Int) {
        let links = Int(try reader.u8())
        let base = Int64(bitPattern: try reader.varint())
        let count = Int(try reader.u8())
        guard (1...MapNodeRow.maximumLinks).contains(links), base > 0, base < id, (1...mostChanges).contains(count)
        else {
            throw reader.failure("is link \(links) on row \(base) with \(count) changes")
        }
        return (links, base, count)
    }
}
