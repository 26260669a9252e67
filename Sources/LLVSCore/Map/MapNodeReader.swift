/// Reads nodes in one transaction: from the cache, from what the transaction staged, or from their rows.
struct MapNodeReader {
    let nodes: RowZone
    let cache: MapNodeCache
    let reader: any StorageReader
    let staged: StagedMapNodes?

    /// The root node; nil for the empty map.
    func root(_ root: MapRoot) throws -> MapNode? {
        guard root.node != 0 else { return nil }
        let node = try node(root.node, digest: root.digest)
        guard node.total == root.count else {
            throw Self.damaged(root.node, "holds \(node.total) values where \(root.count) are stated")
        }
        return node
    }

    /// The child at `index` of the inner node `parent`, which must be what the parent says it is.
    func child(of parent: MapNode, at index: Int) throws -> MapNode {
        let item = parent.items[index]
        let child = try node(item.node, digest: item.digest)
        guard Self.isChild(child, of: parent, at: index) else {
            throw Self.damaged(item.node, "is not the child its parent states")
        }
        return child
    }

    private static func isChild(_ child: MapNode, of parent: MapNode, at index: Int) -> Bool {
        child.level + 1 == parent.level && child.total == parent.items[index].total
            && child.keys.endsLike(parent.keys, at: index)
    }

    /// The node in row `id`. If it comes from the disk, its ids and hashes must be those that `digest` states: a search in other
    /// ones would miss what is there.
    func node(_ id: Int64, digest: Digest? = nil) throws -> MapNode {
        if let known = known(id) { return known }
        var deltas: [MapNodeDelta] = []
        var next = id
        var node: MapNode
        while true {
            switch try row(next) {
            case .whole(let whole): node = whole
            case .delta(let delta):
                deltas.append(delta)
                next = delta.base
                guard deltas.count <= MapNodeRow.maximumLinks else {
                    throw Self.damaged(id, "is more than \(MapNodeRow.maximumLinks) links from a whole node")
                }
                guard let base = known(next) else { continue }
                node = base
            }
            break
        }
        for delta in deltas.reversed() {
            guard let applied = delta.applied(to: node) else { throw Self.damaged(id, "does not fit row \(next)") }
            node = applied
        }
        if let digest {
            guard MapNode.digest(level: node.level, keys: node.keys, items: node.items) == digest
            else {
                throw Self.damaged(id, "does not have the digest its parent states")
            }
        }
        keep(node, id: id)
        return node
    }

    private func known(_ id: Int64) -> MapNode? {
        staged?.nodes[id] ?? cache.node(id)
    }

    private func keep(_ node: MapNode, id: Int64) {
        if let staged {
            staged.insert(node, id: id)
        } else if cache.mayKeepNodes(of: reader) {
            cache.insert(node, id: id)
        }
    }

    private func row(_ id: Int64) throws -> MapNodeRow {
        guard let row = try reader.row(id, in: nodes) else { throw Self.damaged(id, "is missing") }
        do throws(StoreError) {
            return try MapNodeRow(decoding: row, id: id)
        } catch {
            throw StoreError(.damaged, error.what, remedy: Self.remedy)
        }
    }

    /// The error that the node in row `id` is wrong.
    static func damaged(_ id: Int64, _ problem: String) -> StoreError {
        StoreError(.damaged, "the map node in row \(id) \(problem)", remedy: remedy)
    }

    private static let remedy = "verify the store, and restore it from a backup or sync it anew"
}
