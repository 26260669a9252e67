extension Store {
    /// Builds the maps again that are not what the change lists make them, in one transaction, and returns the versions whose
    /// maps they are, parents first; none in a sound store, to which nothing is written.
    ///
    /// The map is an index and the change lists are the truth: every value that is still there is found again. What else is
    /// damaged (versions, change lists, values) stays, and so do maps that cannot be made without it: ``verify(_:progress:)``
    /// says what. Costs about what a deep verification costs, during which nobody else writes. Other processes that have the
    /// store open should open it again; the old nodes go with ``collectGarbage(keepingDropped:now:progress:)``.
    ///
    /// - Parameter progress: called with the versions done and their number.
    @discardableResult
    public func rebuildMaps(progress: (Int, Int) -> Void = { _, _ in }) throws -> [Version.ID] {
        let rebuilt = try storage.write { writer in
            // Caches of its own: those of the store would hide what is on the disk now.
            try MapRepair(writer, storage: storage).run(progress)
        }
        if !rebuilt.isEmpty { caches.removeAll() }
        return rebuilt
    }
}

/// Goes through the versions, parents first, so that each map is checked and built on one that is sound.
private struct MapRepair {
    private let writer: any StorageWriter
    private let storage: any Storage
    private let stage = TransactionStage()
    private let snapshot: StoreSnapshot

    init(_ writer: any StorageWriter, storage: any Storage) {
        self.writer = writer
        self.storage = storage
        snapshot = StoreSnapshot(writer, StoreCaches(), stage: stage)
    }

    func run(_ progress: (Int, Int) -> Void) throws -> [Version.ID] {
        let last = try writer.lastRow(in: StoreZones.versions)
        var rebuilt: [Version.ID] = []
        var check = StoreCheck(snapshot: snapshot, storage: storage)
        // Pages of numbers: the zone that is scanned must not be changed meanwhile.
        var next: Int64 = 1
        while next <= last {
            for row in try rows(from: next) {
                if let id = try repair(row, &check) { rebuilt.append(id) }
                progress(Int(clamping: row), Int(clamping: last))
                next = row + 1
            }
            if try rows(from: next).isEmpty { break }
        }
        return rebuilt
    }

    private func rows(from first: Int64) throws -> [Int64] {
        var rows: [Int64] = []
        try writer.scanRows(StoreZones.versions, from: first) { row, _ in
            rows.append(row)
            return rows.count < 1_024
        }
        return rows
    }

    /// The version, if its map was built again.
    private func repair(_ row: Int64, _ check: inout StoreCheck) throws -> Version.ID? {
        var repaired: Version.ID?
        try check.noting { check in
            let version = try snapshot.stored(row)
            let record = try VersionRecord(
                decodingHeader: version.header, changes: try changesBytes(of: version), id: version.id,
                allowingForeign: true)
            let parents = try version.parents.map { try snapshot.stored($0) }
            check.findings = []
            try check.noting { try $0.checkMap(of: version, record: record, parents: parents) }
            guard !check.findings.isEmpty else { return }
            try rebuild(version, record, parents)
            repaired = version.id
        }
        return repaired
    }

    private func changesBytes(of version: StoredVersion) throws -> [UInt8] {
        guard let bytes = try snapshot.changesBytes(of: version.row) else {
            throw StoreError.damagedRecord("the change list of version \(version.id)")
        }
        return bytes
    }

    private func rebuild(_ version: StoredVersion, _ record: VersionRecord, _ parents: [StoredVersion]) throws {
        var body = version.firstBody
        let edits = try record.changes.entries.map { entry -> (Value.ID, MapEdit) in
            switch entry.operation {
            case .insert, .update:
                defer { body += 1 }
                return (
                    entry.id, .put(MapReference(contentHash: entry.contentHash, version: version.row, body: body))
                )
            case .preserve:
                guard let reference = try snapshot.reference(entry.id, parents[1 - version.basis]) else {
                    throw StoreError.damagedRecord("the map of version \(parents[1 - version.basis].id)")
                }
                return (entry.id, .put(reference))
            case .remove, .preserveRemoval: return (entry.id, .remove)
            }
        }
        let map = try snapshot.map(of: parents[version.basis], changedBy: edits, writer: writer)
        let mended = version.with(map)
        let transaction = StoreTransaction(writer, snapshot.caches, stage: stage, now: 0)
        try transaction.write(mended, changes: record.changesBytes)
        stage.remember(mended)
    }
}

extension StoredVersion {
    fileprivate func with(_ map: MapRoot) -> StoredVersion {
        StoredVersion(
            row: row, id: id, kind: kind, generation: generation, stamp: stamp, time: time, branch: branch,
            parents: parents, basis: basis, map: map, firstBody: firstBody, header: header)
    }
}
