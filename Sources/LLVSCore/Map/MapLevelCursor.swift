/// Goes through the nodes of one level of an existing map in order.
struct MapLevelCursor {
    /// The node it is at.
    private(set) var node: MapNode
    /// The row of that node.
    private(set) var id: Int64

    private let source: MapNodeReader
    private let level: UInt8
    /// From the root to the node's parent, each with the index of the child that was taken.
    private var path: [(node: MapNode, id: Int64, index: Int)] = []

    /// Starts at the first node of a level; nil if the map has no such level.
    init?(level: UInt8, under root: MapNode?, id: Int64, _ source: MapNodeReader) throws {
        guard let root, level <= root.level else { return nil }
        self.node = root
        self.id = id
        self.source = source
        self.level = level
        while node.level > level { try descend(0) }
    }

    /// Whether no node of the level comes after this one.
    var isLast: Bool { path.allSatisfy { $0.index == $0.node.count - 1 } }

    /// Moves to the node that has the key at `index` of `keys` or would take it in. It must not lie before this node.
    mutating func seek(_ keys: MapKeys, _ index: Int) throws {
        while let parent = path.last, node.keys.order(node.count - 1, keys, index) < 0 { ascend(to: parent) }
        while node.level > level {
            let child = keys.withKey(index) { node.keys.search($0).index }
            try descend(min(child, node.count - 1))
        }
    }

    /// Moves to the next node; false if there is none.
    mutating func moveOn() throws -> Bool {
        guard !isLast else { return false }
        while let parent = path.last {
            ascend(to: parent)
            if parent.index + 1 < parent.node.count {
                try descend(parent.index + 1)
                break
            }
        }
        while node.level > level { try descend(0) }
        return true
    }

    private mutating func ascend(to parent: (node: MapNode, id: Int64, index: Int)) {
        path.removeLast()
        node = parent.node
        id = parent.id
    }

    private mutating func descend(_ index: Int) throws {
        let child = try source.child(of: node, at: index)
        path.append((node, id, index))
        id = node.items[index].node
        node = child
    }
}
