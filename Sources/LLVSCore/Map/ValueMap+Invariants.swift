extension ValueMap {
    /// Reads the whole map and throws unless it is what its content makes it: digests, order, boundaries, totals and height.
    /// - Throws: ``StoreError/Code/damaged`` naming the first node that is wrong.
    package func checkInvariants(
        of root: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil
    ) throws {
        let source = source(reader, staged)
        guard let top = try source.root(root) else {
            guard root == .empty else { throw MapNodeReader.damaged(0, "is empty and has the digest of values") }
            return
        }
        guard top.level == 0 || top.count > 1 else {
            throw MapNodeReader.damaged(root.node, "is a root with one child")
        }
        var check = MapCheck(source: source, levels: Int(top.level) + 1)
        try check.visit(top, MapItem(node: root.node, digest: root.digest, total: root.count))
    }
}

/// A walk through all nodes in order that remembers, for each level, how the node before ended.
private struct MapCheck {
    private let source: MapNodeReader
    /// For each level, whether a node came that did not end with a cut; only the last may.
    private var isOpen: [Bool]
    private var lastKey: [UInt8] = []
    private var scratch: [UInt8] = []

    init(source: MapNodeReader, levels: Int) {
        self.source = source
        isOpen = [Bool](repeating: false, count: levels)
    }

    /// Checks a subtree. The depth is that of levels, of which there are at most 64.
    mutating func visit(_ node: MapNode, _ item: MapItem) throws {
        guard MapNode.digest(level: node.level, keys: node.keys, items: node.items, scratch: &scratch) == item.digest
        else { throw MapNodeReader.damaged(item.node, "does not have the digest its parent states") }
        try checkBoundaries(node, item.node)
        if node.level == 0 {
            guard lastKey.isEmpty || lastKey.precedes([UInt8](node.keys[0])) else {
                throw MapNodeReader.damaged(item.node, "does not come after the leaf before it")
            }
            lastKey = [UInt8](node.keys.last)
        } else {
            for index in 0..<node.count {
                try visit(try source.child(of: node, at: index), node.items[index])
            }
        }
    }

    private mutating func checkBoundaries(_ node: MapNode, _ id: Int64) throws {
        let level = Int(node.level)
        if isOpen[level] { throw MapNodeReader.damaged(id, "follows a node of its level that has no end") }
        for count in 1...node.count {
            let cuts = node.keys.withKey(count - 1) {
                MapBoundary.cuts(after: $0, level: node.level, count: count)
            }
            if count < node.count, cuts { throw MapNodeReader.damaged(id, "goes on after entry \(count)") }
            if count == node.count { isOpen[level] = !cuts }
        }
    }
}
