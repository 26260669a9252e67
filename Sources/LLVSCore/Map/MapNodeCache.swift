import Synchronization

/// Decoded nodes, shared by all readers of one zone of nodes, at most a fixed number of them.
///
/// Only committed nodes may enter: a row id that was rolled back is given out again. Nodes read in a reading transaction are
/// committed; those of a writing transaction wait in ``StagedMapNodes`` until ``adopt(_:)``. Rows of committed nodes that
/// are removed from the end of the zone are given out again too: whoever removes nodes calls ``removeAll()``.
package final class MapNodeCache: Sendable {
    private struct Slot {
        var id: Int64 = 0
        var node: MapNode?
    }

    /// Sets of ``ways`` slots; a node has its place in one of them, the most recently used first.
    private let slots: Mutex<[Slot]>
    private let setBits: Int
    /// The type of transaction that was last found to be a reading one: asking what a type conforms to is slow.
    private let readingType = Atomic<UInt>(0)

    private static let ways = 4
    /// A node with more bytes of keys than this is not kept: it would take the room of hundreds.
    private static let maximumKeyBytes = 65_536

    /// An empty cache for up to `capacity` nodes, which is rounded up to a power of two of at least 8.
    package init(capacity: Int = 4096) {
        var bits = 1
        while Self.ways << bits < capacity, bits < 24 { bits += 1 }
        setBits = bits
        slots = Mutex([Slot](repeating: Slot(), count: Self.ways << bits))
    }

    /// The number of nodes it holds at most.
    package var capacity: Int { Self.ways << setBits }

    /// Forgets all nodes.
    package func removeAll() {
        slots.withLock { slots in
            for index in slots.indices { slots[index] = Slot() }
        }
    }

    /// Takes over the nodes of a writing transaction, which must have been committed; they must not be offered otherwise.
    package func adopt(_ staged: StagedMapNodes) {
        for (id, node) in staged.nodes { insert(node, id: id) }
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
        let start = firstSlot(of: id)
        return slots.withLock { slots in
            for way in 0..<Self.ways where slots[start + way].id == id {
                if way > 0 { slots.swapAt(start, start + way) }
                return slots[start].node
            }
            return nil
        }
    }

    func insert(_ node: MapNode, id: Int64) {
        guard node.keys.byteCount <= Self.maximumKeyBytes else { return }
        let start = firstSlot(of: id)
        slots.withLock { slots in
            var way = 0
            while way < Self.ways - 1, slots[start + way].id != id { way += 1 }
            while way > 0 {
                slots[start + way] = slots[start + way - 1]
                way -= 1
            }
            slots[start] = Slot(id: id, node: node)
        }
    }

    /// Multiplied by 2⁶⁴ over the golden ratio: rows in a row fall into sets far apart.
    private func firstSlot(of id: Int64) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: id) &* 0x9e37_79b9_7f4a_7c15) >> UInt64(64 - setBits)) * Self.ways
    }
}

/// The nodes a writing transaction wrote or read, to be shared once it has been committed.
///
/// Make one for each transaction, hand it to every call on the map in it, and give it to ``MapNodeCache/adopt(_:)`` after the
/// commit. Without one, or without adopting it, nodes are only read again from their rows.
package final class StagedMapNodes {
    fileprivate(set) var nodes: [Int64: MapNode] = [:]
    private let capacity: Int

    /// Room for up to `capacity` nodes; when it is used up, they are forgotten and the next ones kept.
    package init(capacity: Int = 16_384) { self.capacity = max(1, capacity) }

    func insert(_ node: MapNode, id: Int64) {
        if nodes.count >= capacity { nodes.removeAll(keepingCapacity: true) }
        nodes[id] = node
    }

    /// Forgets a node that gave way to another: most likely nobody asks for it again in this transaction.
    func remove(_ id: Int64) { nodes[id] = nil }

    fileprivate func removeAll() { nodes.removeAll() }
}
