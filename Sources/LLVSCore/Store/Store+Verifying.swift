/// How much of a store is verified. Each level includes those before it.
public enum VerifyLevel: String, CaseIterable, Hashable, Sendable {
    /// Which versions there are: the bytes and id of each version, its parents, its changes, that its values and its map have
    /// rows, and the lists of what counts. Reads no value: costs what the history costs, some 10 µs a version.
    case names
    /// The storage's own check, and the hash of every value. Costs reading every byte twice.
    case hash
    /// Every map, compared with the one that the change lists make, and every version against its parents. Costs about as
    /// much again as the changes took to be saved.
    case deep
}

extension Store {
    /// Checks the whole store: the storage, every version's bytes, id and parents, every body's hash, every map, which is
    /// built again from the change lists, and the lists of what counts; or less of it. Returns what is wrong, a sentence each;
    /// empty when sound.
    ///
    /// - Parameters:
    ///   - level: how much is verified.
    ///   - progress: called with the versions done and their number.
    public func verify(
        _ level: VerifyLevel = .deep, progress: (Int, Int) -> Void = { _, _ in }
    ) throws -> [String] {
        let findings = level == .names ? [] : try storage.checkIntegrity()
        return try storage.read { reader in
            // Caches of its own: those of the store would hide what is on the disk now.
            let snapshot = StoreSnapshot(reader, StoreCaches())
            var check = StoreCheck(snapshot: snapshot, storage: storage, level: level, findings: findings)
            try check.checkVersions(progress)
            try check.checkLists()
            return check.findings
        }
    }
}

/// One look at everything in a store. What is damaged is noted, and the look goes on.
struct StoreCheck {
    let snapshot: StoreSnapshot
    let storage: any Storage
    let level: VerifyLevel
    var findings: [String]
    private let checked = CheckedMapNodes()
    /// The state of each version that is there and in the index, by row.
    private(set) var states: [Int64: VersionState] = [:]

    init(snapshot: StoreSnapshot, storage: any Storage, level: VerifyLevel = .deep, findings: [String] = []) {
        self.snapshot = snapshot
        self.storage = storage
        self.level = level
        self.findings = findings
    }

    /// Runs a part of the check; that something does not decode is a finding, that the storage cannot be read is thrown.
    mutating func noting(_ body: (inout StoreCheck) throws -> Void) throws {
        do {
            try body(&self)
        } catch let error as StoreError where [.damaged, .invalidVersion, .valueUnreadable].contains(error.code) {
            findings.append("\(error)")
        } catch let error as StoreError where [.noSuchVersion, .invalidVersionID].contains(error.code) {
            findings.append("\(error)")
        }
    }

    mutating func checkVersions(_ progress: (Int, Int) -> Void) throws {
        let total = Int(try snapshot.reader.lastRow(in: StoreZones.versions))
        try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
            try noting { check in
                let version = try StoredVersion(decoding: bytes, row: row)
                guard let entry = try check.snapshot.entry(version.id), entry.row == row else {
                    check.findings.append("version \(version.id) is not in the index")
                    return
                }
                check.states[row] = entry.state
                try check.check(version)
            }
            progress(Int(row), total)
            return true
        }
    }

    private mutating func check(_ version: StoredVersion) throws {
        guard let changes = try snapshot.changesBytes(of: version.row) else {
            findings.append("version \(version.id) has no change list")
            return
        }
        let record = try VersionRecord(
            decodingHeader: version.header, changes: changes, id: version.id, allowingForeign: true)
        let parents = try version.parents.map { try snapshot.stored($0) }
        guard parents.map(\.id) == (record.version.parents.isEmpty ? [.root] : record.version.parents) else {
            findings.append("version \(version.id) does not point to its parents")
            return
        }
        if level == .deep { try VersionRules.check(record, parents: parents, in: snapshot) }
        let storing = record.changes.entries.filter { $0.operation == .insert || $0.operation == .update }
        if (version.firstBody == 0) != storing.isEmpty { findings.append("version \(version.id) has a wrong body row") }
        if level == .names { return try checkPresence(of: version, bodies: storing.count) }
        try checkBodies(of: version, storing)
        if level == .deep { try checkMap(of: version, record: record, parents: parents) }
    }

    /// Whether the rows are there that a version names: the root of its map, and the last of its bodies.
    private mutating func checkPresence(of version: StoredVersion, bodies: Int) throws {
        if version.map.node != 0, try snapshot.reader.row(version.map.node, in: StoreZones.nodes) == nil {
            findings.append("the map of version \(version.id) is missing")
        }
        if bodies > 0, try snapshot.reader.lastRow(in: StoreZones.bodies) < version.firstBody + Int64(bodies) - 1 {
            findings.append("values of version \(version.id) are missing")
        }
    }

    private mutating func checkBodies(of version: StoredVersion, _ storing: [ChangeList.Entry]) throws {
        for (index, entry) in storing.enumerated() {
            do {
                let content = try BodyStorage.content(
                    version.firstBody + Int64(index), hash: entry.contentHash, in: snapshot.reader, of: storage)
                _ = try content.digest()
            } catch let error as StoreError where [.damaged, .valueUnreadable].contains(error.code) {
                findings.append("the value '\(entry.id)' of version \(version.id) cannot be read: \(error.what)")
            }
        }
    }

    /// The map is an index: the basis' map with the changes must give it, every row in it included.
    mutating func checkMap(of version: StoredVersion, record: VersionRecord, parents: [StoredVersion]) throws {
        try snapshot.checkMap(of: version, checked)
        let basis = parents[version.basis]
        var changed: [Value.ID: MapReference?] = [:]
        var count = basis.map.count
        var body = version.firstBody
        for entry in record.changes.entries {
            if entry.replacedHash == .zero { count += 1 }
            switch entry.operation {
            case .insert, .update:
                changed[entry.id] = MapReference(contentHash: entry.contentHash, version: version.row, body: body)
                body += 1
            case .preserve:
                changed[entry.id] = try snapshot.reference(entry.id, parents[1 - version.basis])
            case .remove, .preserveRemoval:
                changed.updateValue(nil, forKey: entry.id)
                count -= 1
            }
        }
        var wrong: [Value.ID] = []
        try snapshot.rowDifferences(from: basis, to: version) { id, _, reference in
            if changed.removeValue(forKey: id) != .some(reference) { wrong.append(id) }
        }
        wrong += changed.keys.sorted()
        for id in wrong { findings.append("the map of version \(version.id) is wrong about '\(id)'") }
        if count != version.map.count {
            findings.append("the map of version \(version.id) does not follow its changes")
        }
    }
}
