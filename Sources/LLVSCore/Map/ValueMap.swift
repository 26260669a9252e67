/// The map from value ids to what is stored under them: ordered, persistent and independent of history.
///
/// Every version of the map is a ``MapRoot``; versions share the nodes that are equal in both. Nodes are rows that are
/// appended, never changed and never looked up by their hash. A tree of nodes is a function of the map's content alone (see
/// ``MapBoundary``), so equal content has equal digests, whatever edits led to it.
///
/// The map is an index: it can be rebuilt from the change lists of the versions.
package struct ValueMap: Sendable {
    /// Where the nodes are.
    package let nodes: RowZone
    /// Nodes of this zone, and of no other.
    package let cache: MapNodeCache

    /// The map in this zone, with a cache that serves no other zone or storage.
    package init(nodes: RowZone, cache: MapNodeCache = MapNodeCache()) {
        self.nodes = nodes
        self.cache = cache
    }

    /// What is stored under `id`, or nil.
    /// - Throws: ``StoreError/Code/damaged`` if a node is missing or does not decode; so do all other calls.
    package func reference(
        for id: Value.ID, in root: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil
    ) throws -> MapReference? {
        let source = source(reader, staged)
        guard var node = try source.root(root) else { return nil }
        return try id.utf8.withUnsafeBytes { key in
            while true {
                let (index, found) = node.keys.search(key)
                if node.level == 0 { return found ? node.items[index].reference : nil }
                guard index < node.count else { return nil }
                node = try source.child(of: node, at: index)
            }
        }
    }

    /// What is stored under `id`, as far as the nodes in memory tell; nil if they do not, or if it is not there. That a child is
    /// its parent's is not checked as it is where rows are read: a leaf that has the id is the one that it is in.
    func knownReference(for id: Value.ID, in root: MapRoot) -> MapReference? {
        guard root.node != 0, var node = cache.node(root.node), node.total == root.count else { return nil }
        return id.utf8.withUnsafeBytes { key in
            while true {
                let (index, found) = node.keys.search(key)
                if node.level == 0 { return found ? node.items[index].reference : nil }
                guard index < node.count, let child = cache.node(node.items[index].node),
                    child.level + 1 == node.level, child.total == node.items[index].total
                else { return nil }
                node = child
            }
        }
    }

    /// How many ids of `root` are not below `from` and below `before`, without visiting them.
    package func count(
        in root: MapRoot, from: [UInt8] = [], before: [UInt8]? = nil, reader: any StorageReader,
        staged: StagedMapNodes? = nil
    ) throws -> Int {
        let source = source(reader, staged)
        let end = try before.map { try rank(of: $0, in: root, source) } ?? root.count
        let start = from.isEmpty ? 0 : try rank(of: from, in: root, source)
        return max(0, end - start)
    }

    /// How many ids are below `key`.
    private func rank(of key: [UInt8], in root: MapRoot, _ source: MapNodeReader) throws -> Int {
        guard var node = try source.root(root) else { return 0 }
        return try key.withUnsafeBytes { key in
            var rank = 0
            while true {
                let index = node.keys.search(key).index
                if node.level == 0 { return rank + index }
                for item in node.items[..<index] { rank += item.total }
                guard index < node.count else { return rank }
                node = try source.child(of: node, at: index)
            }
        }
    }

    func source(_ reader: any StorageReader, _ staged: StagedMapNodes?) -> MapNodeReader {
        MapNodeReader(nodes: nodes, cache: cache, reader: reader, staged: staged)
    }
}
