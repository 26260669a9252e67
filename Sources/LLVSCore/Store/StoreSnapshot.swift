/// One consistent view of a store: versions, states, maps and bodies through one reading transaction.
///
/// Rows written by the transaction itself are never put into the caches that outlive it, because they may be rolled back.
struct StoreSnapshot {
    let reader: any StorageReader
    let caches: StoreCaches
    let stage: TransactionStage?
    private let map: ValueMap

    init(_ reader: any StorageReader, _ caches: StoreCaches, stage: TransactionStage? = nil) {
        self.reader = reader
        self.caches = caches
        self.stage = stage
        map = ValueMap(nodes: StoreZones.nodes, cache: caches.nodes)
    }

    func stored(_ row: Int64) throws -> StoredVersion {
        if row == 0 { return .root }
        if let known = stage?.versions[row] ?? caches.version(row) { return known }
        guard let bytes = try reader.row(row, in: StoreZones.versions) else {
            throw StoreError.damagedRecord("version row \(row)")
        }
        let version = try StoredVersion(decoding: bytes, row: row)
        if let stage { stage.remember(version) } else { caches.remember(version) }
        return version
    }

    func entry(_ id: Version.ID) throws -> VersionIndexEntry? {
        try reader.value(id.utf8, in: StoreZones.index).map { try VersionIndexEntry(decoding: $0) }
    }

    /// The version of this id in whatever state, or nil.
    func find(_ id: Version.ID) throws -> StoredVersion? {
        if id == .root { return .root }
        if let latest = stage?.latest, latest.id == id { return latest }
        // A writer sees everything that is committed.
        if stage != nil, let known = caches.firmVersion(id) { return known }
        guard let entry = try entry(id) else { return nil }
        let version = try stored(entry.row)
        guard version.id == id else { throw StoreError.damagedRecord("the index entry of version \(id)") }
        if entry.state == .firm { rememberFirm(version) }
        return version
    }

    /// Whether a version that is there counts, as a writer finds out.
    func isFirm(_ version: StoredVersion) throws -> Bool {
        if stage?.firm[version.id] != nil || caches.firmVersion(version.id) != nil { return true }
        guard let entry = try entry(version.id) else { throw StoreError.damagedRecord("the index") }
        if entry.state == .firm { rememberFirm(version) }
        return entry.state == .firm
    }

    private func rememberFirm(_ version: StoredVersion) {
        if let stage {
            stage.rememberFirm(version.id, row: version.row)
        } else {
            caches.rememberFirm(version.id, row: version.row)
        }
    }

    func get(_ id: Version.ID) throws -> StoredVersion {
        guard let version = try find(id) else { throw StoreError.noSuchVersion(id) }
        return version
    }

    /// Firm heads, ascending in canonical order; empty for a store without versions.
    func heads() throws -> [StoredVersion] {
        try headList().rows.map { try stored($0) }.sorted(by: StoredVersion.canonicalOrder)
    }

    /// Versions that are not firm, with their states, ascending by row.
    func loose() throws -> [(version: StoredVersion, entry: VersionIndexEntry)] {
        var found: [(StoredVersion, VersionIndexEntry)] = []
        try reader.scan(StoreZones.loose, from: [], before: nil) { key, _ in
            let version = try stored(try StoreZones.row(fromKey: key))
            guard let entry = try entry(version.id) else { throw StoreError.damagedRecord("the index") }
            found.append((version, entry))
            return true
        }
        return found
    }

    func changes(_ version: StoredVersion) throws -> ChangeList {
        if version.isRoot { return .empty }
        guard let bytes = try changesBytes(of: version.row) else {
            throw StoreError.damagedRecord("the change list of version \(version.id)")
        }
        return try ChangeList(decoding: bytes)
    }

    /// What is known of a value without reading; nil if reading would tell more.
    static func knownReference(_ id: Value.ID, _ version: StoredVersion, _ caches: StoreCaches) -> MapReference? {
        ValueMap(nodes: StoreZones.nodes, cache: caches.nodes).knownReference(for: id, in: version.map)
    }

    func reference(_ id: Value.ID, _ version: StoredVersion) throws -> MapReference? {
        try map.reference(for: id, in: version.map, reader: reader, staged: stage?.nodes)
    }

    /// The values whose ids start with `prefix`, ascending, until `body` returns false.
    func forEachReference(
        in version: StoredVersion, prefix: [UInt8], _ body: (Value.ID, MapReference) throws -> Bool
    ) throws {
        try map.forEach(in: version.map, prefix: prefix, reader: reader, staged: stage?.nodes, body)
    }

    /// The same, leaf by leaf: its node, and the entries in it.
    func forEachLeaf(
        in version: StoredVersion, prefix: [UInt8], _ body: (MapNode, Range<Int>) throws -> Bool
    ) throws {
        try map.forEachLeaf(
            in: version.map, from: prefix, before: ValueMap.end(ofPrefix: prefix), reader: reader,
            staged: stage?.nodes, body)
    }

    /// The values that two versions have differently, ascending.
    func differences(
        from old: StoredVersion, to new: StoredVersion,
        _ body: (Value.ID, MapReference?, MapReference?) throws -> Void
    ) throws {
        try map.differences(from: old.map, to: new.map, reader: reader, staged: stage?.nodes, body)
    }

    /// The levels and nodes of a version's map.
    func mapSize(of version: StoredVersion) throws -> (depth: Int, nodes: Int) {
        try map.size(of: version.map, reader: reader, staged: stage?.nodes)
    }

    /// Checks the map's nodes, order, boundaries, counts and digests.
    func checkMap(of version: StoredVersion, _ checked: CheckedMapNodes) throws {
        try map.checkInvariants(of: version.map, reader: reader, staged: stage?.nodes, checked: checked)
    }

    /// The values whose references differ in anything, also in their rows.
    func rowDifferences(
        from old: StoredVersion, to new: StoredVersion,
        _ body: (Value.ID, MapReference?, MapReference?) throws -> Void
    ) throws {
        try map.rowDifferences(from: old.map, to: new.map, reader: reader, body)
    }

    /// The map that `edits` make of a version's, written in this transaction.
    func map(of version: StoredVersion, changedBy edits: [(Value.ID, MapEdit)], writer: any StorageWriter) throws
        -> MapRoot
    {
        try map.apply(edits, to: version.map, writer: writer, staged: stage?.nodes)
    }

    func valueReference(_ id: Value.ID, _ reference: MapReference) throws -> Value.Reference {
        Value.Reference(id: id, contentHash: reference.contentHash, version: try stored(reference.version).id)
    }

    func current(_ name: String) throws -> StoredVersion {
        guard let bytes = try reader.value(Array(name.utf8), in: StoreZones.current) else { return .root }
        return try get(try Version.ID(utf8: bytes))
    }

    /// The current versions of all coordinators.
    func allCurrent() throws -> [StoredVersion] {
        var found: [StoredVersion] = []
        try reader.scan(StoreZones.current, from: [], before: nil) { _, value in
            found.append(try get(try Version.ID(utf8: value)))
            return true
        }
        return found
    }
}
