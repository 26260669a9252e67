extension Version {
    private static let formatName = [UInt8]("LLVSver1".utf8)

    /// The bytes the version is named after, which never change: "LLVSver1", u16 encoding, u8 kind, u8 number of parents and
    /// for each u32 length and id, u8 basis index, u64 generation, u64 milliseconds and u32 counter of the stamp, i64 time,
    /// u32 number of metadata entries and for each u32 length and key, u32 length and value, the digest of the changes.
    package var encoded: [UInt8] {
        var writer = ByteWriter(reserving: 256)
        writer.append(Self.formatName)
        writer.u16(encoding)
        writer.u8(kind.rawValue)
        writer.u8(UInt8(parents.count))
        for parent in parents { writer.lengthPrefixed(parent.utf8) }
        writer.u8(basisIndex)
        writer.u64(generation)
        writer.u64(stamp.milliseconds)
        writer.u32(stamp.counter)
        writer.i64(time)
        writer.count(metadata.entries.count)
        for entry in metadata.entries {
            writer.lengthPrefixed(entry.keyUTF8)
            writer.lengthPrefixed(entry.value)
        }
        writer.append(changesDigest)
        return writer.bytes
    }

    /// The version `id` that has these bytes.
    ///
    /// A native id is compared with the digest of the bytes, unless `verifyingID` is false because they come out of the
    /// store's own database. A foreign id proves nothing: the bytes are only checked for form.
    /// - Throws: ``StoreError/Code/invalidVersion`` unless the bytes are exactly what ``encoded`` writes for some version, and
    ///   the one of `id`; ``StoreError/Code/fromNewerVersion`` if they are, in an encoding this software does not know.
    package init(decoding bytes: [UInt8], id: ID, verifyingID: Bool = true) throws(StoreError) {
        var reader = ByteReader(bytes, of: "version \(id)", code: .invalidVersion)
        if verifyingID, let digest = id.digest, SHA256.hash(bytes) != digest {
            throw reader.failure("has bytes of another id")
        }
        try reader.expect(Self.formatName)
        let encoding = try reader.u16()
        guard encoding <= Self.currentEncoding else {
            throw StoreError(
                .fromNewerVersion, "the version \(id) has encoding \(encoding)", remedy: "update this software")
        }
        guard encoding == 1 else { throw reader.failure("has an encoding \(encoding), which is none") }
        let number = try reader.u8()
        guard let kind = Kind(rawValue: number) else { throw reader.failure("has a kind \(number), which is none") }
        var parents: [ID] = []
        for _ in 0..<(try reader.u8()) { parents.append(try reader.versionID()) }
        self.init(
            id: id, kind: kind, encoding: encoding, parents: parents, basisIndex: try reader.u8(),
            generation: try reader.u64(),
            stamp: Stamp(milliseconds: try reader.u64(), counter: try reader.u32()), time: try reader.i64(),
            metadata: try Metadata(from: &reader), changesDigest: try reader.digest())
        try reader.expectEnd()
        if let problem { throw reader.failure(problem) }
    }

    /// What is wrong with the version by itself, whatever its parents are; nil if nothing is.
    var problem: String? {
        if parents.count > 2 { return "has more than two parents" }
        if parents.count == 2, !(parents[0] < parents[1]) { return "has parents that do not ascend" }
        if parents.contains(.root) { return "lists the root as a parent" }
        if parents.contains(id) { return "is its own parent" }
        if basisIndex > 0, basisIndex >= parents.count { return "has a basis that is no parent" }
        if generation == 0 || (generation == 1) != parents.isEmpty {
            return "has generation \(generation) and \(parents.count) parents"
        }
        if kind != .authored, parents.count != 2 { return "merges \(parents.count) versions" }
        if kind == .join, changesDigest != ChangeList.empty.digest { return "is a join and has changes" }
        return nil
    }
}

extension Version.Metadata {
    init(from reader: inout ByteReader) throws(StoreError) {
        let count = try reader.count(ofEntriesOf: 8)
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        for _ in 0..<count {
            let entry = Entry(keyUTF8: try reader.lengthPrefixed(), value: try reader.lengthPrefixed())
            guard entry.keyUTF8.isValidUTF8 else { throw reader.failure("has a metadata key that is not UTF-8") }
            if let last = entries.last, !last.keyUTF8.precedes(entry.keyUTF8) {
                throw reader.failure("has metadata keys that do not ascend")
            }
            entries.append(entry)
        }
        self.init(ascending: entries)
    }
}
