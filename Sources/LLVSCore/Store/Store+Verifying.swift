extension Store {
    /// Checks the whole store: the storage, every version's bytes, id and parents, every body's hash, and every map, which is
    /// built again from the change lists. Returns what is wrong, a sentence each; empty when sound.
    ///
    /// - Parameter progress: called with the versions done and their number.
    public func verify(progress: (Int, Int) -> Void = { _, _ in }) throws -> [String] {
        var findings = try storage.checkIntegrity()
        try read { snapshot in
            let total = Int(try snapshot.reader.lastRow(in: StoreZones.versions))
            var heads: Set<Int64> = []
            try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
                do {
                    let version = try StoredVersion(decoding: bytes, row: row)
                    findings += try check(version, in: snapshot)
                    if try snapshot.entry(version.id)?.state == .firm {
                        for parent in version.parents { heads.remove(parent) }
                        heads.insert(row)
                    }
                } catch let error as StoreError {
                    findings.append("\(error)")
                }
                progress(Int(row), total)
                return true
            }
            if try Set(snapshot.heads().map(\.row)) != heads { findings.append("the list of heads is wrong") }
        }
        return findings
    }

    private func check(_ version: StoredVersion, in snapshot: StoreSnapshot) throws -> [String] {
        guard let changes = try snapshot.reader.row(version.row, in: StoreZones.changes) else {
            return ["version \(version.id) has no change list"]
        }
        let record = try VersionRecord(
            decodingHeader: version.header, changes: changes, id: version.id, allowingForeign: true)
        var findings: [String] = []
        guard let entry = try snapshot.entry(version.id), entry.row == version.row else {
            return ["version \(version.id) is not in the index"]
        }
        try VersionRules.check(record, parents: version.parents.map { try snapshot.stored($0) }, in: snapshot)
        var body = version.firstBody
        for entry in record.changes.entries where entry.operation == .insert || entry.operation == .update {
            let content = try BodyStorage.content(body, in: snapshot.reader, of: storage)
            if try content.digest() != entry.contentHash {
                findings.append("the value '\(entry.id)' of version \(version.id) does not have the bytes it should")
            }
            body += 1
        }
        findings += try checkMap(of: version, record: record, in: snapshot)
        return findings
    }

    /// The map is an index: the basis' map with the changes must give it.
    private func checkMap(
        of version: StoredVersion, record: VersionRecord, in snapshot: StoreSnapshot
    ) throws -> [String] {
        try snapshot.checkMap(of: version)
        var expected: [Value.ID: Digest] = [:]
        for entry in record.changes.entries { expected[entry.id] = entry.contentHash }
        var seen = 0
        var findings: [String] = []
        let basis = try snapshot.stored(version.parents[version.basis])
        try snapshot.differences(from: basis, to: version) { id, _, new in
            seen += 1
            if expected[id] != new?.contentHash ?? .zero {
                findings.append("the map of version \(version.id) is wrong about '\(id)'")
            }
        }
        if seen != expected.count { findings.append("the map of version \(version.id) does not follow its changes") }
        return findings
    }
}
