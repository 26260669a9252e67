/// Finds the nodes that maps reach, and removes the others.
///
/// Nodes are only ever appended, and a new map shares nodes with the map it was made from, never with anything else. So what
/// no version reached at some moment no version will reach, and what is appended later has a higher row. That is why marking
/// and removing may take any number of transactions, with others writing in between.
struct MapGarbage {
    private let map: ValueMap
    /// Nodes that some map reaches, in their own right and not as the base of another.
    private(set) var reached = RowSet()

    init() {
        // A cache of its own: the store's would be swept clean of what its readers use.
        map = ValueMap(nodes: StoreZones.nodes)
    }

    /// Marks what a map reaches.
    mutating func mark(_ root: MapRoot, in reader: any StorageReader) throws {
        guard root.node != 0, reached.insert(root.node) else { return }
        let source = map.source(reader, nil)
        var pending = [root.node]
        while let row = pending.popLast() {
            let node = try source.node(row)
            guard node.level > 0 else { continue }
            for item in node.items where reached.insert(item.node) {
                // Leaves have no children to look for.
                if node.level > 1 { pending.append(item.node) }
            }
        }
    }

    /// What some rows are.
    struct Look {
        /// Rows that no map reaches.
        var garbage: [Int64] = []
        /// Rows that are kept as differences from such rows, and must be written in full before those go.
        var standing: [Int64] = []
        /// The row to go on with, nil at the end.
        var next: Int64?
    }

    /// Looks at the rows from `first` to `last`, at most `limit` of them.
    func look(from first: Int64, to last: Int64, limit: Int, in reader: any StorageReader) throws -> Look {
        var look = Look()
        var looked = 0
        try reader.scanRows(StoreZones.nodes, from: first) { row, bytes in
            guard row <= last else { return false }
            guard looked < limit else {
                look.next = row
                return false
            }
            looked += 1
            if !reached.contains(row) {
                look.garbage.append(row)
            } else if case .delta(let delta) = try MapNodeRow(decoding: bytes, id: row), !reached.contains(delta.base) {
                look.standing.append(row)
            }
            return true
        }
        return look
    }

    /// Writes nodes in full, in their own rows: what they are stays the same. One that is gone is not missed: somebody else
    /// cleans up too.
    func writeInFull(_ rows: some Sequence<Int64>, to writer: any StorageWriter) throws {
        let source = map.source(writer, nil)
        for row in rows where try writer.row(row, in: StoreZones.nodes) != nil {
            let node = try source.node(row)
            try writer.setRow(
                MapNodeRow.whole(level: node.level, keys: node.keys, items: node.items), at: row, in: StoreZones.nodes)
        }
    }
}
