/// A version and its changes with the bytes of both: what travels between devices and is hashed, verified.
///
/// There is no record that was not checked: bytes are canonical, digests fit, and a native id is that of the bytes. What only
/// the parents can tell (generation, stamp, whether the changes fit the basis) is for whoever has them.
package struct VersionRecord: Hashable, Sendable {
    /// What the bytes say.
    package let version: Version
    /// What the bytes of the changes say.
    package let changes: ChangeList
    /// The bytes that `version.id` is the digest of, if it is native.
    package let header: [UInt8]
    /// The bytes that `version.changesDigest` is the digest of.
    package let changesBytes: [UInt8]

    /// The version's id.
    package var id: Version.ID { version.id }

    /// The SHA-256 of header and changes, end to end. It also pins a foreign version, whose id proves nothing.
    package var digest: Digest {
        var hash = SHA256()
        hash.update(header)
        hash.update(changesBytes)
        return hash.digest()
    }

    /// Makes a new version of these parts.
    ///
    /// `parents` come in any order, and may name the root, which is not listed. `basis` is one of them. With `foreignID` the
    /// version goes by that id, else by the digest of its bytes.
    /// - Throws: ``StoreError/Code/invalidVersion`` if the parts contradict each other.
    package init(
        kind: Version.Kind, parents: [Version.ID], basis: Version.ID, generation: UInt64, stamp: Stamp, time: Int64,
        metadata: Version.Metadata, changes: ChangeList, foreignID: Version.ID? = nil
    ) throws(StoreError) {
        let listed = parents.filter { $0 != .root }.sorted()
        let position = listed.isEmpty && basis == .root ? 0 : listed.firstIndex(of: basis)
        guard let position, let basisIndex = UInt8(exactly: position) else {
            throw Self.invalid("the basis \(basis) is not a parent")
        }
        changesBytes = changes.encoded
        let draft = Version(
            id: foreignID ?? .root, kind: kind, encoding: Version.currentEncoding, parents: listed,
            basisIndex: basisIndex, generation: generation, stamp: stamp, time: time, metadata: metadata,
            changesDigest: SHA256.hash(changesBytes))
        if let problem = draft.problem { throw Self.invalid("a new version \(problem)") }
        if let foreignID, foreignID.isNative { throw Self.invalid("the id \(foreignID) is not a foreign one") }
        header = draft.encoded
        version = foreignID == nil ? draft.named(Version.ID(SHA256.hash(header))) : draft
        self.changes = changes
    }

    /// Reads and verifies the version `id` out of bytes that anyone may have written.
    /// - Throws: ``StoreError/Code/invalidVersion`` if anything is wrong with them, or if `id` is foreign and
    ///   `allowingForeign` is not set; ``StoreError/Code/fromNewerVersion`` if they have a later encoding.
    package init(
        decodingHeader header: [UInt8], changes changesBytes: [UInt8], id: Version.ID, allowingForeign: Bool = false
    ) throws(StoreError) {
        guard id.isNative || allowingForeign else { throw Self.invalid("the id \(id) is not the digest of a version") }
        version = try Version(decoding: header, id: id)
        guard SHA256.hash(changesBytes) == version.changesDigest else {
            throw Self.invalid("the changes of version \(id) are those of another")
        }
        changes = try ChangeList(decoding: changesBytes)
        self.header = header
        self.changesBytes = changesBytes
    }

    private static func invalid(_ problem: String) -> StoreError {
        StoreError(.invalidVersion, problem, remedy: "take the version again from another copy")
    }
}

extension Version {
    fileprivate func named(_ id: ID) -> Version {
        Version(
            id: id, kind: kind, encoding: encoding, parents: parents, basisIndex: basisIndex, generation: generation,
            stamp: stamp, time: time, metadata: metadata, changesDigest: changesDigest)
    }
}
