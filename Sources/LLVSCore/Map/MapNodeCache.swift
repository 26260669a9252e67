import Synchronization

/// Decoded nodes, shared by all readers of one zone of nodes, at most a fixed number of them.
///
/// Only committed nodes may enter: a row id that was rolled back is given out again. Nodes read in a reading transaction are
/// committed; those of a writing transaction wait in ``StagedMapNodes`` until ``adopt(_:)``. Rows of committed nodes that
/// are removed from the end of the zone are given out again too: whoever removes nodes calls ``removeAll()``.
package final class MapNodeCache: Sendable {
    private let table: Mutex<MapNodeTable>
    /// The type of transaction that was last found to be a reading one: asking what a type conforms to is slow.
    private let readingType = Atomic<UInt>(0)

    /// A node with more bytes of keys than this is not kept: it would take the room of hundreds.
    private static let maximumKeyBytes = 65_536

    /// An empty cache for up to `capacity` nodes, which is rounded up to a power of two of at least 16.
    package init(capacity: Int = 4096) {
        table = Mutex(MapNodeTable(capacity: capacity))
    }

    /// The number of nodes it holds at most.
    package var capacity: Int { table.withLock { $0.capacity } }

    /// Forgets all nodes.
    package func removeAll() {
        table.withLock { $0 = MapNodeTable(capacity: $0.capacity) }
    }

    /// Takes over the nodes of a writing transaction, which must have been committed; they must not be offered otherwise.
    package func adopt(_ staged: StagedMapNodes) {
        table.withLock { table in
            for id in staged.superseded { table.demote(id) }
            for (id, node) in staged.nodes where mayKeep(node) { table.insert(node, id: id) }
        }
        staged.removeAll()
    }

    /// Whether what `reader` reads is committed.
    func mayKeepNodes(of reader: any StorageReader) -> Bool {
        let type = UInt(bitPattern: ObjectIdentifier(type(of: reader)))
        if type == readingType.load(ordering: .relaxed) { return true }
        if reader is any StorageWriter { return false }
        readingType.store(type, ordering: .relaxed)
        return true
    }

    func node(_ id: Int64) -> MapNode? {
        table.withLock { $0.node(id) }
    }

    func insert(_ node: MapNode, id: Int64) {
        if mayKeep(node) { table.withLock { $0.insert(node, id: id) } }
    }

    private func mayKeep(_ node: MapNode) -> Bool { node.keys.byteCount <= Self.maximumKeyBytes }
}

/// The nodes a writing transaction wrote or read, to be shared once it has been committed.
///
/// Make one for each transaction, hand it to every call on the map in it, and give it to ``MapNodeCache/adopt(_:)`` after the
/// commit. Without one, or without adopting it, nodes are only read again from their rows.
package final class StagedMapNodes {
    fileprivate(set) var nodes: [Int64: MapNode] = [:]
    /// Committed nodes that gave way to these: most likely nobody asks for them again soon.
    fileprivate var superseded: [Int64] = []
    private let capacity: Int

    /// Room for up to `capacity` nodes; when it is used up, they are forgotten and the next ones kept.
    package init(capacity: Int = 16_384) { self.capacity = max(1, capacity) }

    func insert(_ node: MapNode, id: Int64) {
        if nodes.count >= capacity { nodes.removeAll(keepingCapacity: true) }
        nodes[id] = node
    }

    /// Forgets a node that gave way to another: most likely nobody asks for it again in this transaction.
    func remove(_ id: Int64) {
        if nodes.removeValue(forKey: id) == nil, superseded.count < capacity { superseded.append(id) }
    }

    fileprivate func removeAll() {
        nodes.removeAll()
        superseded.removeAll()
    }
}
