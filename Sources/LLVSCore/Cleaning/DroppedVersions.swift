extension StoreZones {
    /// Row of a dropped version → since when it is, and how much time had passed in the store when that was first seen.
    static let dropped = KeyedZone("dropped")
}

/// Merges that were dropped, and how long ago: see ``ElapsedTime``.
struct DroppedVersions {
    let transaction: StoreTransaction

    private var writer: any StorageWriter { transaction.writer }

    /// Notes which merges are dropped now, forgets those that are not any more, and returns those that have been for at
    /// least `age` milliseconds, the youngest first, so that what builds on a version comes before it.
    func expired(after age: Int64, at time: ElapsedTime) throws -> [VersionIndexEntry] {
        var seen = try noted()
        var expired: [VersionIndexEntry] = []
        for (version, entry) in try transaction.snapshot.loose() where entry.state == .dropped {
            if let note = seen.removeValue(forKey: version.row), note.since == entry.since {
                if time.total - note.at >= age { expired.append(entry) }
            } else {
                try note(entry, at: time.total)
                if age <= 0 { expired.append(entry) }
            }
        }
        for row in seen.keys { try writer.remove(StoreZones.key(row), in: StoreZones.dropped) }
        return expired.reversed()
    }

    private func noted() throws -> [Int64: (since: Int64, at: Int64)] {
        var found: [Int64: (since: Int64, at: Int64)] = [:]
        try writer.scan(StoreZones.dropped, from: [], before: nil) { key, value in
            var reader = ByteReader(value, of: "note of a dropped version")
            found[try StoreZones.row(fromKey: key)] = (try reader.i64(), try reader.i64())
            try reader.expectEnd()
            return true
        }
        return found
    }

    private func note(_ entry: VersionIndexEntry, at total: Int64) throws {
        var out = ByteWriter()
        out.i64(entry.since)
        out.i64(total)
        try writer.put(out.bytes, for: StoreZones.key(entry.row), in: StoreZones.dropped)
    }

    /// Removes those of these versions that are still what they were, and that nothing stands on. Returns how many went.
    func remove(_ entries: some Sequence<VersionIndexEntry>) throws -> Int {
        let snapshot = transaction.snapshot
        let loose = try snapshot.loose()
        let states = Dictionary(uniqueKeysWithValues: loose.map { ($0.version.row, ($0.version, $0.entry)) })
        var children: [Int64: Int] = [:]
        for (version, _) in loose { for parent in version.parents { children[parent, default: 0] += 1 } }
        let current = Set(try snapshot.allCurrent().map(\.row))
        // Rows at the end are given out again, and other processes may remember what was in them.
        let last = try writer.lastRow(in: StoreZones.versions)
        var removed = 0
        for old in entries {
            guard let (version, entry) = states[old.row], entry.state == .dropped, entry.since == old.since,
                children[old.row, default: 0] == 0, !current.contains(old.row), old.row != last
            else { continue }
            try remove(version)
            for parent in version.parents { children[parent, default: 0] -= 1 }
            removed += 1
        }
        return removed
    }

    /// Everything of a version but its map, whose nodes may be those of others. Nobody else has references to its bodies:
    /// only what descends from a version takes them over.
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
