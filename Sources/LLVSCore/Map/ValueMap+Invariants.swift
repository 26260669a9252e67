extension ValueMap {
    /// Reads the whole map and throws unless it is what its content makes it: digests, order, boundaries, totals and height.
    ///
    /// With `checked`, subtrees that an earlier call found sound are not read again: checking all versions of a map costs
    /// what their nodes cost, once.
    /// - Throws: ``StoreError/Code/damaged`` naming the first node that is wrong.
    package func checkInvariants(
        of root: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil, checked: CheckedMapNodes? = nil
    ) throws {
        let source = source(reader, staged)
        guard let top = try source.root(root) else {
            guard root == .empty else { throw MapNodeReader.damaged(0, "is empty and has the digest of values") }
            return
        }
        guard top.level == 0 || top.count > 1 else {
            throw MapNodeReader.damaged(root.node, "is a root with one child")
        }
        var check = MapCheck(source: source, levels: Int(top.level) + 1, checked: checked ?? CheckedMapNodes())
        try check.visit(top, MapItem(node: root.node, digest: root.digest, total: root.count))
    }
}

/// Nodes whose subtrees were found sound, for several checks in one transaction.
package final class CheckedMapNodes {
    /// What a subtree was, and how it began and ended.
    fileprivate struct Subtree {
        let item: MapItem
        let first: [UInt8]
        let last: [UInt8]
        /// For each level up to its own, whether its last node has no end.
        let isOpen: ArraySlice<Bool>
    }

    fileprivate var subtrees: [Int64: Subtree] = [:]

    package init() {}
}

/// A walk through all nodes in order that remembers, for each level, how the node before ended.
private struct MapCheck {
    private let source: MapNodeReader
    /// For each level, whether a node came that did not end with a cut; only the last may.
    private var isOpen: [Bool]
    private var lastKey: [UInt8] = []
    private let checked: CheckedMapNodes

    init(source: MapNodeReader, levels: Int, checked: CheckedMapNodes) {
        self.source = source
        self.checked = checked
        isOpen = [Bool](repeating: false, count: levels)
    }

    /// Checks a subtree. The depth is that of levels, of which there are at most 64.
    mutating func visit(_ node: MapNode, _ item: MapItem) throws {
        guard MapNode.digest(level: node.level, keys: node.keys, items: node.items) == item.digest
        else { throw MapNodeReader.damaged(item.node, "does not have the digest its parent states") }
        try checkBoundaries(node, item.node)
        var first: [UInt8] = []
        if node.level == 0 {
            first = [UInt8](node.keys[0])
            try checkOrder(first, after: lastKey, item.node)
            lastKey = [UInt8](node.keys.last)
        } else {
            for index in 0..<node.count {
                let child = node.items[index]
                if let known = checked.subtrees[child.node], known.item == child {
                    try pass(known, level: Int(node.level) - 1)
                } else {
                    try visit(try source.child(of: node, at: index), child)
                }
                if index == 0 { first = checked.subtrees[child.node]?.first ?? [] }
            }
        }
        checked.subtrees[item.node] = CheckedMapNodes.Subtree(
            item: item, first: first, last: lastKey, isOpen: isOpen[...Int(node.level)])
    }

    /// Takes a subtree that is known to be sound for what it was.
    private mutating func pass(_ known: CheckedMapNodes.Subtree, level: Int) throws {
        if isOpen[...level].contains(true) {
            throw MapNodeReader.damaged(known.item.node, "follows a node of its level that has no end")
        }
        try checkOrder(known.first, after: lastKey, known.item.node)
        lastKey = known.last
        isOpen.replaceSubrange(...level, with: known.isOpen)
    }

    private func checkOrder(_ first: [UInt8], after last: [UInt8], _ id: Int64) throws {
        guard last.isEmpty || last.precedes(first) else {
            throw MapNodeReader.damaged(id, "does not come after the leaf before it")
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
