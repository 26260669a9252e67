/// One writing transaction of a store: versions are added whole, in a state, with their map, bodies and heads.
struct StoreTransaction {
    let writer: any StorageWriter
    let snapshot: StoreSnapshot
    /// The wall clock: when states change.
    let now: Int64

    init(_ writer: any StorageWriter, _ caches: StoreCaches, stage: TransactionStage, now: Int64) {
        self.writer = writer
        self.now = now
        snapshot = StoreSnapshot(writer, caches, stage: stage)
    }

    /// Adds a version whose parents are in the store, or finds it there. `bodies` gives the content of an inserted or
    /// updated value.
    ///
    /// - Parameter isOwn: made here of its parents, so that it need not be checked against them again.
    /// - Throws: ``StoreError/Code/invalidVersion`` if the record contradicts its parents, or the one known under its id.
    @discardableResult
    func add(
        _ record: VersionRecord, state: VersionState, isOwn: Bool = false,
        bodies: (ChangeList.Entry) throws -> Value.Content
    ) throws -> StoredVersion {
        let version = record.version
        if let known = try snapshot.find(version.id) {
            // A native id proves its content; under a foreign one the first stays.
            guard known.header == record.header else {
                throw StoreError(
                    .invalidVersion, "the version \(version.id) is known with other content",
                    remedy: "what came first is kept; look at the device that made the other")
            }
            if state == .firm { try makeFirm(known) }
            return known
        }
        let parents = try version.parents.isEmpty ? [.root] : version.parents.map { try snapshot.get($0) }
        if !isOwn { try VersionRules.check(record, parents: parents, in: snapshot) }
        try prepareBranches()
        let row = try writer.lastRow(in: StoreZones.versions) + 1
        let (edits, firstBody) = try edits(for: record, parents: parents, row: row, bodies: bodies)
        let basis = parents[Int(version.basisIndex)]
        let map = try snapshot.map(of: basis, changedBy: edits, writer: writer)
        let stored = StoredVersion(
            row: row, id: version.id, kind: version.kind, generation: version.generation, stamp: version.stamp,
            time: version.time, branch: version.branch, parents: parents.map(\.row), basis: Int(version.basisIndex),
            map: map, firstBody: firstBody, header: record.header)
        try write(stored, changes: record.changesBytes)
        snapshot.stage?.rememberWritten(stored)
        if state == .firm {
            for parent in parents { try makeFirm(parent) }
            try enterHistory(stored)
        } else {
            try setState(state, of: stored)
        }
        try indexChanges(through: row)
        return stored
    }

    private func edits(
        for record: VersionRecord, parents: [StoredVersion], row: Int64,
        bodies: (ChangeList.Entry) throws -> Value.Content
    ) throws -> ([(Value.ID, MapEdit)], firstBody: Int64) {
        var edits: [(Value.ID, MapEdit)] = []
        edits.reserveCapacity(record.changes.entries.count)
        var firstBody: Int64 = 0
        for entry in record.changes.entries {
            switch entry.operation {
            case .insert, .update:
                let body = try BodyStorage.append(
                    try bodies(entry), hash: entry.contentHash, of: entry.id, to: writer)
                if firstBody == 0 { firstBody = body }
                edits.append((entry.id, .put(MapReference(contentHash: entry.contentHash, version: row, body: body))))
            case .preserve:
                let other = parents[1 - Int(record.version.basisIndex)]
                guard let reference = try snapshot.reference(entry.id, other) else {
                    throw StoreError.damagedRecord("the map of version \(other.id)")
                }
                edits.append((entry.id, .put(reference)))
            case .remove, .preserveRemoval:
                edits.append((entry.id, .remove))
            }
        }
        return (edits, firstBody)
    }

    /// Makes a version part of the history, its provisional ancestors first.
    func makeFirm(_ version: StoredVersion) throws {
        var pending = [version]
        var order: [StoredVersion] = []
        var seen: Set<Int64> = [0]
        while let next = pending.popLast() {
            guard seen.insert(next.row).inserted else { continue }
            if try snapshot.isFirm(next) { continue }
            order.append(next)
            for parent in next.parents { pending.append(try snapshot.stored(parent)) }
        }
        order.sort(by: StoredVersion.canonicalOrder)
        for version in order {
            try writer.remove(StoreZones.key(version.row), in: StoreZones.loose)
            try enterHistory(version)
        }
    }

    /// Its parents are in the history, and it has no child there.
    private func enterHistory(_ version: StoredVersion) throws {
        try setState(.firm, of: version)
        try appendToLog(version)
        try indexBranch(of: version)
    }

    func setState(_ state: VersionState, of version: StoredVersion) throws {
        let entry = VersionIndexEntry(row: version.row, state: state, since: now)
        try writer.put(entry.encoded, for: version.id.utf8, in: StoreZones.index)
        if state == .firm {
            snapshot.stage?.rememberFirm(version.id, row: version.row)
        } else {
            try writer.put([], for: StoreZones.key(version.row), in: StoreZones.loose)
        }
    }

    func setCurrent(_ version: StoredVersion, of name: String) throws {
        try writer.put(version.id.utf8, for: Array(name.utf8), in: StoreZones.current)
    }
}
