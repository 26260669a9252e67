/// One version of the map: the node everything is reached from.
package struct MapRoot: Hashable, Sendable {
    /// The row of the root node; 0 for the empty map, which has none.
    package let node: Int64
    /// The digest of ids and content hashes: equal for equal content on every device, whatever the history.
    package let digest: Digest
    /// The number of values.
    package let count: Int

    /// The map without values.
    package static let empty = MapRoot(node: 0, digest: MapNode.emptyDigest, count: 0)

    /// How many bytes ``encoded`` has.
    package static let encodedByteCount = 48

    init(node: Int64, digest: Digest, count: Int) {
        self.node = node
        self.digest = digest
        self.count = count
    }

    init(_ item: MapItem) {
        self.init(node: item.node, digest: item.digest, count: item.total)
    }

    /// The root as bytes for local storage: i64 node, 32 bytes of digest, u64 count.
    package var encoded: [UInt8] {
        var writer = ByteWriter(reserving: Self.encodedByteCount)
        writer.i64(node)
        writer.append(digest)
        writer.u64(UInt64(count))
        return writer.bytes
    }

    /// Reads what ``encoded`` wrote.
    /// - Throws: ``StoreError/Code/damaged`` for any other bytes.
    package init(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, of: "map root")
        node = try reader.i64()
        digest = try reader.digest()
        let count = try reader.u64()
        try reader.expectEnd()
        guard let count = Int(exactly: count), node >= 0, (node == 0) == (count == 0),
            node != 0 || digest == MapNode.emptyDigest
        else {
            throw reader.failure("states \(count) values under node \(node)")
        }
        self.count = count
    }
}
