extension StoreZones {
    /// Hash of a value's id ‖ generation, inverted ‖ version row: the versions that changed it, newest first.
    static let changed = KeyedZone("changed")
    /// Generation, inverted ‖ version row: versions that changed more values than are indexed one by one.
    static let broad = KeyedZone("broad")
    /// Hash of a branch's name ‖ version row: firm versions on it that none other on it is known to descend from.
    static let branches = KeyedZone("branches")
    /// Setting that is there when these three zones have every version.
    static let historyIndexed = [UInt8]("history".utf8)
}

/// Answers from zones of their own what the versions themselves tell only if all are read: who changed a value, and where
/// the branches end.
///
/// A changed value costs one key of 24 bytes. Of a version that changes more than ``mostChanges`` only the version is noted:
/// whether it changed a value is asked of the map, which costs less than a key for each of a hundred thousand values.
enum HistoryIndex {
    /// The most changes of a version that are indexed one by one.
    static let mostChanges = 1_000
    /// How many versions a save looks at to find out which heads of its branch it descends from.
    static let mostVisited = 1_000

    static func prefix(of id: Value.ID) -> [UInt8] {
        Array(SHA256.hash(id.utf8).bytes.prefix(8))
    }

    static func prefix(of branch: Branch) -> [UInt8] {
        SHA256.hash(branch.utf8).bytes
    }

    /// Newest first where versions are compared: keys ascend.
    static func place(_ version: StoredVersion) -> [UInt8] {
        withUnsafeBytes(of: (~version.generation).bigEndian) { Array($0) } + StoreZones.key(version.row)
    }

    /// The generation and row that a key ends with.
    static func place(fromKey key: [UInt8]) throws -> (generation: UInt64, row: Int64) {
        guard key.count >= 16 else { throw StoreError.damagedRecord("a key of the history's index") }
        let generation = key.suffix(16).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return (~generation, try StoreZones.row(fromKey: Array(key.suffix(8))))
    }

    /// The keys of a version that changes these ids, ascending in each zone.
    static func keys(_ changes: ChangeList, of version: StoredVersion) -> (changed: [[UInt8]], broad: [[UInt8]]) {
        let place = place(version)
        if changes.entries.count > mostChanges { return ([], [place]) }
        return (changes.entries.map { prefix(of: $0.id) + place }.sorted { $0.precedes($1) }, [])
    }
}

extension StoreTransaction {
    /// Notes what a new version changed.
    func index(_ changes: ChangeList, of version: StoredVersion) throws {
        let keys = HistoryIndex.keys(changes, of: version)
        for key in keys.changed { try writer.put([], for: key, in: StoreZones.changed) }
        for key in keys.broad { try writer.put([], for: key, in: StoreZones.broad) }
    }

    /// Forgets what a version changed that goes. It is on no branch: only firm versions are.
    func unindex(_ changes: ChangeList, of version: StoredVersion) throws {
        let keys = HistoryIndex.keys(changes, of: version)
        for key in keys.changed { try writer.remove(key, in: StoreZones.changed) }
        for key in keys.broad { try writer.remove(key, in: StoreZones.broad) }
    }

    /// Notes that a version on a branch became firm. It has no firm child yet, so it is a head of its branch.
    func indexBranch(of version: StoredVersion) throws {
        guard let branch = version.branch else { return }
        let prefix = HistoryIndex.prefix(of: branch)
        let before = try snapshot.branchHeads(prefix)
        let heads = try snapshot.maximal(of: before + [version], visiting: HistoryIndex.mostVisited)
        for head in before where !heads.contains(where: { $0.row == head.row }) {
            try writer.remove(prefix + StoreZones.key(head.row), in: StoreZones.branches)
        }
        try writer.put([], for: prefix + StoreZones.key(version.row), in: StoreZones.branches)
    }

    /// Makes the index of a store that was written before there was one. A store keeps it up from its first version on.
    func prepareHistoryIndex() throws {
        guard !snapshot.caches.hasHistoryIndex, snapshot.stage?.hasHistoryIndex != true else { return }
        if try writer.value(StoreZones.historyIndexed, in: StoreZones.settings) == nil {
            try writer.scanRows(StoreZones.versions, from: 1) { row, bytes in
                let version = try StoredVersion(decoding: bytes, row: row)
                try index(try snapshot.changes(version), of: version)
                if version.branch != nil, try snapshot.entry(version.id)?.state == .firm {
                    try indexBranch(of: version)
                }
                return true
            }
            try writer.put([1], for: StoreZones.historyIndexed, in: StoreZones.settings)
        }
        snapshot.stage?.hasHistoryIndex = true
    }
}

extension Store {
    /// Sees to it that the history's index can be asked. Writes only if it is missing.
    func prepareHistoryIndex() throws {
        if caches.hasHistoryIndex { return }
        let isThere = try read { snapshot in
            try snapshot.reader.value(StoreZones.historyIndexed, in: StoreZones.settings) != nil
                || snapshot.reader.lastRow(in: StoreZones.versions) == 0
        }
        if !isThere { try write { try $0.prepareHistoryIndex() } }
    }
}
