/// Turns a version of LLVS's files into one of this store.
///
/// LLVS lists changes against the first predecessor, in any order and with some that change nothing; here a list is canonical.
/// So only what a value has afterwards is taken from the file, and the list is made anew: the same one on every device, in
/// whatever form and by whatever relay the version came. Where the version is a native one, its digest says whether all of it
/// is right.
struct LLVSArrival {
    let snapshot: StoreSnapshot
    let storage: any Storage

    /// What a value has in the new version.
    private struct Outcome {
        let hash: Digest?
        let content: () throws -> Value.Content
    }

    /// - Throws: ``StoreError/Code/invalidVersion`` if the file contradicts itself or its parents, which must be in the store.
    func version(_ version: LLVSVersion, changes: [LLVSChange]) throws -> ArrivingVersion {
        let native = try nativeHeader(of: version)
        let basisID = native?.version.basis ?? version.first ?? .root
        let otherID = (native?.version.parents ?? version.parents).first { $0 != basisID }
        let basis = try snapshot.get(basisID)
        let other = try otherID.map { try snapshot.get($0) }
        let outcomes = try outcomes(changes, of: version)
        let list = try ChangeList(
            outcomes.compactMap { id, outcome in
                let before = try snapshot.reference(id, basis)
                let beside = try other.flatMap { try snapshot.reference(id, $0) }
                return ChangeList.Entry.change(
                    of: id, from: before?.contentHash, to: outcome.hash, hasOther: other != nil,
                    other: beside?.contentHash, storing: try beside.map { try snapshot.stored($0.version).id })
            })
        let record =
            try native.map {
                try VersionRecord(decodingHeader: $0.header, changes: list.encoded, id: version.id)
            } ?? foreignRecord(version, list, parents: [basis, other].compactMap(\.self))
        return ArrivingVersion(record: record) { entry in
            guard let outcome = outcomes[entry.id] else { throw StoreError.damagedRecord("a change list") }
            return try outcome.content()
        }
    }

    /// The version that a native one's bytes say it is; nil for a foreign one.
    private func nativeHeader(of version: LLVSVersion) throws -> (header: [UInt8], version: Version)? {
        guard version.id.isNative else { return nil }
        guard let header = version.metadata.header else {
            throw Self.invalid(version, "it has an id of this software's and lacks its bytes")
        }
        return (header, try Version(decoding: header, id: version.id))
    }

    private func foreignRecord(
        _ version: LLVSVersion, _ changes: ChangeList, parents: [StoredVersion]
    ) throws -> VersionRecord {
        try VersionRecord(
            kind: .authored, parents: parents.map(\.id), basis: parents[0].id,
            generation: (parents.map(\.generation).max() ?? 0) + 1,
            stamp: Stamp.authored(now: version.time, after: parents.map(\.stamp)), time: version.time,
            metadata: try version.metadata.stored(timestamp: version.timestamp), changes: changes,
            foreignID: version.id)
    }

    /// The last change of a value counts, as in LLVS.
    private func outcomes(_ changes: [LLVSChange], of version: LLVSVersion) throws -> [Value.ID: Outcome] {
        var outcomes: [Value.ID: Outcome] = [:]
        for change in changes {
            switch change {
            case .set(let id, let bytes, _):
                outcomes[id] = Outcome(hash: SHA256.hash(bytes)) { .bytes(bytes) }
            case .remove(let id), .preserveRemoval(let id):
                outcomes[id] = Outcome(hash: nil) { throw StoreError.damagedRecord("a change list") }
            case .preserve(let id, let storing):
                guard let stored = try snapshot.find(storing), let reference = try snapshot.reference(id, stored) else {
                    throw Self.invalid(version, "it keeps '\(id)' as \(storing) stored it, which does not have it")
                }
                outcomes[id] = Outcome(hash: reference.contentHash) {
                    try BodyStorage.content(
                        reference.body, hash: reference.contentHash, in: snapshot.reader, of: storage)
                }
            }
        }
        return outcomes
    }

    private static func invalid(_ version: LLVSVersion, _ why: String) -> StoreError {
        StoreError(
            .invalidVersion, "the version \(version.id) is not valid: \(why)",
            remedy: "take it again from another copy, or update the device that made it")
    }
}
