/// Takes ``MapGarbage`` through a whole storage in short transactions: marking, writing in full what stands on garbage, and
/// removing. Each step leaves a store in which every map reads.
struct NodeSweep {
    private static let versionsRead = 256
    private static let rowsRead = 2_048
    private static let rowsWritten = 512

    let storage: any Storage
    private var garbage = MapGarbage()
    /// The last node there was before marking began.
    private var lastNode: Int64 = 0
    private var lastVersion: Int64 = 0

    init(storage: any Storage) {
        self.storage = storage
    }

    private var total: Int { Int(clamping: lastVersion) + 2 * Int(clamping: min(lastNode, 1 << 60)) }

    /// Marks the maps of all versions, those included that come meanwhile.
    mutating func mark(_ progress: (Int, Int) throws -> Void) throws {
        lastNode = try storage.read { try $0.lastRow(in: StoreZones.nodes) }
        var next: Int64? = 1
        while let first = next {
            next = try markSome(from: first)
            try progress(Int(clamping: (next ?? lastVersion + 1) - 1), total)
        }
    }

    private mutating func markSome(from first: Int64) throws -> Int64? {
        let storage = storage
        return try storage.read { reader in
            lastVersion = try reader.lastRow(in: StoreZones.versions)
            var next: Int64?
            var read = 0
            try reader.scanRows(StoreZones.versions, from: first) { row, bytes in
                guard read < Self.versionsRead else {
                    next = row
                    return false
                }
                read += 1
                try garbage.mark(try StoredVersion(decoding: bytes, row: row).map, in: reader)
                return true
            }
            return next
        }
    }

    /// Writes nodes in full that are kept as differences from garbage. Returns their number.
    func writeInFull(_ progress: (Int, Int) throws -> Void) throws -> Int {
        var written = 0
        try forEachLook { look, done in
            for batch in look.standing.batches(of: Self.rowsWritten) {
                try storage.write { try garbage.writeInFull(batch, to: $0) }
                written += batch.count
            }
            try progress(Int(clamping: lastVersion) + done, total)
        }
        return written
    }

    /// Removes garbage. Returns the number of nodes that went.
    func remove(_ progress: (Int, Int) throws -> Void) throws -> Int {
        var removed = 0
        try forEachLook { look, done in
            for batch in look.garbage.batches(of: Self.rowsWritten) {
                removed += try storage.write { writer in
                    // The row at the end would be given out again, and other processes may remember what was in it.
                    let last = try writer.lastRow(in: StoreZones.nodes)
                    let rows = batch.filter { $0 != last }
                    for row in rows { try writer.removeRow(row, in: StoreZones.nodes) }
                    return rows.count
                }
            }
            try progress(Int(clamping: lastVersion) + Int(clamping: lastNode) + done, total)
        }
        return removed
    }

    private func forEachLook(_ body: (MapGarbage.Look, _ done: Int) throws -> Void) throws {
        var next: Int64? = 1
        while let first = next {
            let look = try storage.read { try garbage.look(from: first, to: lastNode, limit: Self.rowsRead, in: $0) }
            next = look.next
            try body(look, Int(clamping: (look.next ?? lastNode + 1) - 1))
        }
    }
}

extension Array {
    /// Its elements in runs of at most `size`.
    func batches(of size: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}
