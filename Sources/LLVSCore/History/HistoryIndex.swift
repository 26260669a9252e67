extension StoreZones {
    /// Segment ‖ hash of a value's id ‖ place in the segment: a version that changed the value.
    static let changed = KeyedZone("changed")
    /// Segment → ``HistorySegment``.
    static let segments = RowZone("segments")
    /// Hash of a branch's name ‖ version row: firm versions on it that none other on it is known to descend from.
    static let branches = KeyedZone("branches")
    /// Setting that is there when the list of branches has every version.
    static let branchesListed = [UInt8]("branches".utf8)
}

/// Answers from zones of their own what the versions themselves tell only if all are read: who changed a value, and where
/// the branches end.
///
/// Changes are indexed by the thousand versions, in the transaction of the last of them: keys of one segment are neighbours,
/// so that a save costs a few microseconds in the mean, where a key at a random place would cost as much as the save of two
/// rows. The newest versions, less than a segment, are asked one by one.
enum HistoryIndex {
    /// The versions of a segment: rows (n − 1) · 1,000 + 1 to n · 1,000 are segment n.
    static let segmentSize: Int64 = 1_000
    /// The most changes of a version that are indexed one by one. Whether one of more changed a value is asked of its map.
    static let mostChanges = 1_000
    /// How many versions a save looks at to find out which heads of its branch it descends from.
    static let mostVisited = 1_000

    static func prefix(of branch: Branch) -> [UInt8] {
        SHA256.hash(branch.utf8).bytes
    }

    /// What the keys of versions in a segment that changed a value start with.
    static func prefix(of id: Value.ID, in segment: Int64) -> [UInt8] {
        StoreZones.key(segment) + SHA256.hash(id.utf8).bytes.prefix(8)
    }

    static func rows(of segment: Int64) -> ClosedRange<Int64> {
        (segment - 1) * segmentSize + 1...segment * segmentSize
    }

    /// The keys of a version's changes; nil if they are too many.
    static func keys(_ changes: ChangeList, of row: Int64) -> [[UInt8]]? {
        if changes.entries.count > mostChanges { return nil }
        let segment = (row - 1) / segmentSize + 1
        let place = UInt16((row - 1) % segmentSize)
        return changes.entries.map { prefix(of: $0.id, in: segment) + [UInt8(place >> 8), UInt8(place & 0xff)] }
    }
}

/// What is known of a segment beside its keys.
struct HistorySegment: Equatable {
    /// No version in this segment or one before has a greater generation.
    var greatestGeneration: UInt64 = 0
    /// The rows of versions that are not indexed change by change.
    var broad: [Int64] = []

    init() {}

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "a segment of the history's index")
        greatestGeneration = try reader.u64()
        for _ in 0..<(try reader.count(ofEntriesOf: 8)) { broad.append(try reader.i64()) }
        try reader.expectEnd()
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u64(greatestGeneration)
        out.count(broad.count)
        for row in broad { out.i64(row) }
        return out.bytes
    }
}

extension StoreSnapshot {
    func segment(_ number: Int64) throws -> HistorySegment {
        if number == 0 { return HistorySegment() }
        guard let bytes = try reader.row(number, in: StoreZones.segments) else {
            throw StoreError.damagedRecord("segment \(number) of the history's index")
        }
        return try HistorySegment(decoding: bytes)
    }

    /// What a segment must be, from its versions and the segment before.
    func makeSegment(_ number: Int64) throws -> (segment: HistorySegment, keys: [[UInt8]]) {
        var segment = try segment(number - 1)
        segment.broad = []
        var keys: [[UInt8]] = []
        for row in HistoryIndex.rows(of: number) {
            // Not remembered: a store that gets its index late has a million of them. What is missing was cleaned away.
            guard let bytes = try reader.row(row, in: StoreZones.versions) else { continue }
            let version = try StoredVersion(decoding: bytes, row: row)
            segment.greatestGeneration = max(segment.greatestGeneration, version.generation)
            if let more = try indexedKeys(of: version) { keys += more } else { segment.broad.append(row) }
        }
        return (segment, keys.sorted { $0.precedes($1) })
    }

    /// The keys of a version's changes; nil if they are too many, which is seen without decoding them.
    private func indexedKeys(of version: StoredVersion) throws -> [[UInt8]]? {
        guard let bytes = try changesBytes(of: version.row) else {
            throw StoreError.damagedRecord("the change list of version \(version.id)")
        }
        if try ChangeList.count(in: bytes) > HistoryIndex.mostChanges { return nil }
        return HistoryIndex.keys(try ChangeList(decoding: bytes), of: version.row)
    }
}

extension StoreTransaction {
    /// Indexes what versions changed if `row`, the newest, fills a segment; those before it too, in a store that was written
    /// before there was an index.
    func indexChanges(through row: Int64) throws {
        guard row % HistoryIndex.segmentSize == 0 else { return }
        for number in try writer.lastRow(in: StoreZones.segments) + 1..<row / HistoryIndex.segmentSize + 1 {
            let (segment, keys) = try snapshot.makeSegment(number)
            for key in keys { try writer.put([], for: key, in: StoreZones.changed) }
            try writer.setRow(segment.encoded, at: number, in: StoreZones.segments)
        }
    }

    /// Forgets what a version changed that goes. It is on no branch: only firm versions are.
    func unindex(_ changes: ChangeList, of row: Int64) throws {
        let number = (row - 1) / HistoryIndex.segmentSize + 1
        guard try number <= writer.lastRow(in: StoreZones.segments) else { return }
        if let keys = HistoryIndex.keys(changes, of: row) {
            for key in keys { try writer.remove(key, in: StoreZones.changed) }
        } else {
            var segment = try snapshot.segment(number)
            segment.broad.removeAll { $0 == row }
            try writer.setRow(segment.encoded, at: number, in: StoreZones.segments)
        }
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

    /// Lists the branches of a store that was written before there was a list. A store keeps it up from its first version on.
    func prepareBranches() throws {
        guard !snapshot.caches.hasBranches, snapshot.stage?.hasBranches != true else { return }
        if try writer.value(StoreZones.branchesListed, in: StoreZones.settings) == nil {
            try writer.scanRows(StoreZones.versions, from: 1) { row, bytes in
                let version = try StoredVersion(decoding: bytes, row: row)
                if version.branch != nil, try snapshot.entry(version.id)?.state == .firm {
                    try indexBranch(of: version)
                }
                return true
            }
            try writer.put([1], for: StoreZones.branchesListed, in: StoreZones.settings)
        }
        snapshot.stage?.hasBranches = true
    }
}

extension Store {
    /// Sees to it that the list of branches can be asked. Writes only if it is missing.
    func prepareBranches() throws {
        if caches.hasBranches { return }
        let isThere = try read { snapshot in
            try snapshot.reader.value(StoreZones.branchesListed, in: StoreZones.settings) != nil
                || snapshot.reader.lastRow(in: StoreZones.versions) == 0
        }
        if !isThere { try write { try $0.prepareBranches() } }
    }
}
