/// What a node holds under a key. In a leaf: content hash, version row and body row. In an inner node: the digest, row and
/// number of values of the child whose last id is the key.
struct MapItem: Hashable, Sendable {
    let digest: Digest
    let first: Int64
    let second: Int64

    init(digest: Digest, first: Int64, second: Int64) {
        self.digest = digest
        self.first = first
        self.second = second
    }

    init(_ reference: MapReference) {
        self.init(digest: reference.contentHash, first: reference.version, second: reference.body)
    }

    init(node: Int64, digest: Digest, total: Int) {
        self.init(digest: digest, first: node, second: Int64(total))
    }

    /// What a leaf's item says.
    var reference: MapReference { MapReference(contentHash: digest, version: first, body: second) }
    /// The child's row, in an inner node.
    var node: Int64 { first }
    /// The number of values in the child, in an inner node; never negative in a node that was decoded.
    var total: Int { Int(second) }
}

/// One node of the map, decoded. Nodes are written once and never change.
final class MapNode: Sendable {
    /// 0 for a leaf; a parent's is one more than its children's.
    let level: UInt8
    /// How many rows lie below this node's own in its delta chain; 0 if its row is the whole node.
    let links: Int
    /// Ascending. In an inner node: the last id below each child.
    let keys: MapKeys
    /// One for each key.
    let items: [MapItem]
    /// The number of values in the subtree.
    let total: Int

    /// The most levels a map has above its leaves: more would not fit in memory, disk or time.
    static let maximumLevel: UInt8 = 63

    /// A node whose parts belong together. The totals of an inner node's children must not overflow.
    init(level: UInt8, links: Int, keys: MapKeys, items: [MapItem], total: Int) {
        self.level = level
        self.links = links
        self.keys = keys
        self.items = items
        self.total = total
    }

    var count: Int { items.count }

    /// The value's id at `index` of a leaf.
    func id(at index: Int) -> Value.ID { Value.ID(trusted: [UInt8](keys[index])) }

    /// The digest of the map without values: that of a leaf without entries.
    static let emptyDigest = digest(level: 0, keys: MapKeys(), items: [])

    /// The digest of a node: the SHA-256 of "LLVSmap1", u8 level, u32 count, and per entry u32 length, key, 32 bytes of
    /// digest. Rows and totals, which differ from store to store, are left out.
    static func digest(level: UInt8, keys: MapKeys, items: [MapItem]) -> Digest {
        let size = 13 + keys.byteCount + items.count * (4 + Digest.byteCount)
        return withUnsafeTemporaryAllocation(byteCount: size, alignment: 8) { buffer in
            var rest = buffer
            put("LLVSmap1".utf8, &rest)
            put(CollectionOfOne(level), &rest)
            putLength(items.count, &rest)
            for index in items.indices {
                keys.withKey(index) { key in
                    putLength(key.count, &rest)
                    put(key, &rest)
                }
                items[index].digest.withUnsafeBytes { put($0, &rest) }
            }
            return SHA256.hash(UnsafeRawBufferPointer(buffer))
        }
    }

    private static func put(_ bytes: some Collection<UInt8>, _ rest: inout UnsafeMutableRawBufferPointer) {
        rest.copyBytes(from: bytes)
        rest = UnsafeMutableRawBufferPointer(rebasing: rest[bytes.count...])
    }

    private static func putLength(_ length: Int, _ rest: inout UnsafeMutableRawBufferPointer) {
        withUnsafeBytes(of: UInt32(length).littleEndian) { put($0, &rest) }
    }

    /// The number of values below these items; nil if the rows lie, with a negative number or a sum that overflows.
    static func total(level: UInt8, items: [MapItem]) -> Int? {
        if level == 0 { return items.count }
        var total = 0
        for item in items {
            guard item.second > 0, item.first > 0 else { return nil }
            let (sum, overflow) = total.addingReportingOverflow(item.total)
            if overflow { return nil }
            total = sum
        }
        return total
    }
}
