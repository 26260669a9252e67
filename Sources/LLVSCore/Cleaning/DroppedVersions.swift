extension StoreZones {
    /// Row of a dropped version → since when it is, and how much time had passed in the store when that was first seen.
    static let dropped = KeyedZone("dropped")
}

/// Merges that were dropped, and how long ago: see ``ElapsedTime``.
struct DroppedVersions {
    let transaction: StoreTransaction

    private var writer: any StorageWriter { transaction.writer }

    /// What one look at all versions that do not count found.
    struct Look {
        /// Dropped, and not noted yet.
        var new: [VersionIndexEntry] = []
        /// Rows noted that are not dropped any more, or were dropped again since.
        var obsolete: [Int64] = []
        /// Dropped for long enough, the youngest first, so that what builds on a version comes before it.
        var expired: [VersionIndexEntry] = []
        /// How many of the versions that do not count stand on a row.
        var children: [Int64: Int] = [:]
        /// The last row there was.
        var lastVersion: Int64 = 0
    }

    /// Looks which merges are dropped, and which of them have been for at least `age` milliseconds.
    static func look(after age: Int64, at total: Int64, in snapshot: StoreSnapshot) throws -> Look {
        let reader = snapshot.reader
        var noted = try notes(in: reader)
        var look = Look()
        look.lastVersion = try reader.lastRow(in: StoreZones.versions)
        try reader.scan(StoreZones.loose, from: [], before: nil) { key, _ in
            let row = try StoreZones.row(fromKey: key)
            // Not remembered: there may be many, and nobody else asks for them.
            guard let bytes = try reader.row(row, in: StoreZones.versions) else {
                throw StoreError.damagedRecord("version row \(row)")
            }
            let version = try StoredVersion(decoding: bytes, row: row)
            guard let entry = try snapshot.entry(version.id) else { throw StoreError.damagedRecord("the index") }
            for parent in version.parents { look.children[parent, default: 0] += 1 }
            guard entry.state == .dropped else { return true }
            if let note = noted[row], note.since == entry.since {
                noted[row] = nil
                if total - note.at >= age { look.expired.append(entry) }
            } else {
                look.new.append(entry)
                if age <= 0 { look.expired.append(entry) }
            }
            return true
        }
        let new = Set(look.new.map(\.row))
        look.obsolete = noted.keys.filter { !new.contains($0) }
        look.expired.reverse()
        return look
    }

    private static func notes(in reader: any StorageReader) throws -> [Int64: (since: Int64, at: Int64)] {
        var found: [Int64: (since: Int64, at: Int64)] = [:]
        try reader.scan(StoreZones.dropped, from: [], before: nil) { key, value in
            var note = ByteReader(value, of: "note of a dropped version")
            found[try StoreZones.row(fromKey: key)] = (try note.i64(), try note.i64())
            try note.expectEnd()
            return true
        }
        return found
    }

    /// Notes that these are dropped. What became of one meanwhile shows at the next look: a note holds for one state alone.
    func note(_ entries: some Sequence<VersionIndexEntry>, at total: Int64) throws {
        for entry in entries {
            var out = ByteWriter()
            out.i64(entry.since)
            out.i64(total)
            try writer.put(out.bytes, for: StoreZones.key(entry.row), in: StoreZones.dropped)
        }
    }

    func forget(_ rows: some Sequence<Int64>) throws {
        for row in rows { try writer.remove(StoreZones.key(row), in: StoreZones.dropped) }
    }

    /// Removes those of these versions that are still what they were, and that nothing stands on; `look` learns what went.
    func remove(_ entries: some Sequence<VersionIndexEntry>, _ look: inout Look) throws -> CollectedGarbage {
        try countLater(&look)
        let current = Set(try transaction.snapshot.allCurrent().map(\.row))
        // Rows at the end are given out again, and other processes may remember what was in them.
        let last = (
            version: try writer.lastRow(in: StoreZones.versions), node: try writer.lastRow(in: StoreZones.nodes)
        )
        var removed = CollectedGarbage()
        for old in entries {
            guard look.children[old.row, default: 0] == 0, !current.contains(old.row), old.row != last.version,
                let bytes = try writer.row(old.row, in: StoreZones.versions)
            else { continue }
            let version = try StoredVersion(decoding: bytes, row: old.row)
            guard let entry = try transaction.snapshot.entry(version.id), entry.row == old.row,
                entry.state == .dropped, entry.since == old.since
            else { continue }
            let nodes = try ownNodes(of: version)
            if nodes.contains(last.node) { continue }
            for node in nodes { try writer.removeRow(node, in: StoreZones.nodes) }
            try remove(version)
            for parent in version.parents { look.children[parent, default: 0] -= 1 }
            removed.versions += 1
            removed.nodes += nodes.count
        }
        return removed
    }

    /// Counts what was made since the look: it may stand on what is to go.
    private func countLater(_ look: inout Look) throws {
        var later: [Int64] = []
        try writer.scan(StoreZones.loose, from: StoreZones.key(look.lastVersion + 1), before: nil) { key, _ in
            later.append(try StoreZones.row(fromKey: key))
            return true
        }
        for row in later {
            for parent in try transaction.snapshot.stored(row).parents { look.children[parent, default: 0] += 1 }
            look.lastVersion = max(look.lastVersion, row)
        }
    }

    /// The nodes that were written for a version's map: they came after all of its basis'. No other version has them, since
    /// only what stands on the version could.
    private func ownNodes(of version: StoredVersion) throws -> [Int64] {
        let basis = try transaction.snapshot.stored(version.parents[version.basis]).map.node
        guard version.map.node > basis else { return [] }
        let source = ValueMap(nodes: StoreZones.nodes).source(writer, nil)
        var own: [Int64] = [version.map.node]
        var seen = RowSet()
        seen.insert(version.map.node)
        var next = 0
        var pending = [version.map.node]
        while next < pending.count {
            let node = try source.node(pending[next])
            next += 1
            guard node.level > 0 else { continue }
            for item in node.items where item.node > basis && seen.insert(item.node) {
                own.append(item.node)
                // Leaves have no children to look for.
                if node.level > 1 { pending.append(item.node) }
            }
        }
        return own
    }

    /// Everything of a version but its map. Nobody else has references to its bodies: only what descends from a version takes
    /// them over.
    private func remove(_ version: StoredVersion) throws {
        let changes = try transaction.snapshot.changes(version)
        let stored = changes.entries.count { $0.operation == .insert || $0.operation == .update }
        for index in 0..<Int64(stored) { try BodyStorage.remove(version.firstBody + index, from: writer) }
        try transaction.unindex(changes, of: version.row)
        let key = StoreZones.key(version.row)
        try writer.removeRow(version.row, in: StoreZones.changes)
        try writer.removeRow(version.row, in: StoreZones.versions)
        try writer.remove(version.id.utf8, in: StoreZones.index)
        try writer.remove(key, in: StoreZones.loose)
        try writer.remove(key, in: StoreZones.dropped)
    }
}
