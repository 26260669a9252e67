extension ValueMap {
    /// Calls `body` with each id whose content hash differs between two maps, ascending: what it is in `old` and in `new`,
    /// nil where it is absent. References that differ in their rows alone are equal here.
    ///
    /// Nodes of equal digest are not read, so the cost follows the number of differences and not the sizes of the maps.
    package func differences(
        from old: MapRoot, to new: MapRoot, reader: any StorageReader, staged: StagedMapNodes? = nil,
        _ body: (Value.ID, MapReference?, MapReference?) throws -> Void
    ) throws {
        if old.digest == new.digest { return }
        try compare(old, new, byRows: false, source(reader, staged), body)
    }

    /// As ``differences(from:to:reader:staged:_:)``, but references that differ in their rows alone differ too: what else
    /// the two maps have, they share.
    package func rowDifferences(
        from old: MapRoot, to new: MapRoot, reader: any StorageReader,
        _ body: (Value.ID, MapReference?, MapReference?) throws -> Void
    ) throws {
        try compare(old, new, byRows: true, source(reader, nil), body)
    }

    private func compare(
        _ old: MapRoot, _ new: MapRoot, byRows: Bool, _ source: MapNodeReader,
        _ body: (Value.ID, MapReference?, MapReference?) throws -> Void
    ) throws {
        var left = try MapWalk(of: old, source)
        var right = try MapWalk(of: new, source)
        while !left.isAtEnd || !right.isAtEnd {
            if try left.skip(what: &right, byRows: byRows) { continue }
            if left.level >= 0 || right.level >= 0 {
                // The higher of the two goes down; both, if they are level.
                let (leftLevel, rightLevel) = (left.level, right.level)
                if leftLevel >= rightLevel { try left.descend() }
                if rightLevel >= leftLevel { try right.descend() }
                continue
            }
            let order = left.isAtEnd ? 1 : right.isAtEnd ? -1 : left.order(right)
            let (before, after) = (order <= 0 ? left.entry : nil, order >= 0 ? right.entry : nil)
            if let id = before?.id ?? after?.id { try body(id, before?.reference, after?.reference) }
            if order <= 0 { left.moveOn() }
            if order >= 0 { right.moveOn() }
        }
    }
}

/// Goes through a map in order, over whole subtrees where it is told to.
private struct MapWalk {
    private let source: MapNodeReader
    private let root: (node: MapNode, item: MapItem)?
    /// From the root down, each with the index of the entry it is at. Empty: before the root, or past it.
    private var path: [(node: MapNode, index: Int)] = []
    private(set) var isAtEnd: Bool

    init(of root: MapRoot, _ source: MapNodeReader) throws {
        self.source = source
        self.root = try source.root(root).map {
            ($0, MapItem(node: root.node, digest: root.digest, total: root.count))
        }
        isAtEnd = self.root == nil
    }

    /// The level of the subtree it is at; −1 at an entry of a leaf, −2 at the end.
    var level: Int {
        if isAtEnd { return -2 }
        return path.last.map { Int($0.node.level) - 1 } ?? root.map { Int($0.node.level) } ?? -2
    }

    /// The id and reference it is at, in a leaf.
    var entry: (id: Value.ID, reference: MapReference)? {
        path.last.map { (Value.ID(trusted: [UInt8]($0.node.keys[$0.index])), $0.node.items[$0.index].reference) }
    }

    /// Compares the ids both are at, in leaves.
    func order(_ other: MapWalk) -> Int {
        guard let mine = path.last, let theirs = other.path.last else { return 0 }
        return mine.node.keys.order(mine.index, theirs.node.keys, theirs.index)
    }

    /// Goes into the subtree it is at.
    mutating func descend() throws {
        if let (node, index) = path.last {
            path.append((try source.child(of: node, at: index), 0))
        } else if let root {
            path.append((root.node, 0))
        }
    }

    /// Goes on past the entry or subtree it is at.
    mutating func moveOn() {
        while let (node, index) = path.last {
            if index + 1 < node.count {
                path[path.count - 1].index = index + 1
                return
            }
            path.removeLast()
        }
        isAtEnd = true
    }

    /// Moves both on if what they are at is equal, or would be if the lower one had not yet gone into it. By rows: if it is
    /// one and the same.
    mutating func skip(what other: inout MapWalk, byRows: Bool) throws -> Bool {
        if isAtEnd || other.isAtEnd { return false }
        if level < other.level { return other.skipUp(to: &self, byRows: byRows) }
        return skipUp(to: &other, byRows: byRows)
    }

    /// As ``skip(what:byRows:)``, for `other` at the same level or lower.
    private mutating func skipUp(to other: inout MapWalk, byRows: Bool) -> Bool {
        guard let depth = other.depthOfSubtree(startingHereAt: level), let theirs = other.item(at: depth),
            let mine = item(at: path.count), byRows ? mine == theirs : mine.digest == theirs.digest
        else { return false }
        // At a leaf's entries the digest is that of the content, and says nothing of the id.
        if level == -1, order(other) != 0 { return false }
        other.path.removeLast(other.path.count - depth)
        other.moveOn()
        moveOn()
        return true
    }

    /// How long the path to a subtree of this level is that starts at the entry it is at; nil if there is none.
    private func depthOfSubtree(startingHereAt level: Int) -> Int? {
        var depth = path.count
        var current = self.level
        while current < level {
            guard depth > 0, path[depth - 1].index == 0 else { return nil }
            depth -= 1
            current += 1
        }
        return depth
    }

    /// The subtree or entry that the first `depth` nodes of the path lead to.
    private func item(at depth: Int) -> MapItem? {
        depth == 0 ? root?.item : path[depth - 1].node.items[path[depth - 1].index]
    }
}
