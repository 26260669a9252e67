import LLVSCore

extension ExchangeZones {
    /// Digest of a manifest → ``OwnSetRecord``.
    static let ownSet = KeyedZone("f_set")

    /// The sets of this attachment, the one with the most versions first.
    func ownSets(in reader: any StorageReader) throws -> [OwnSetRecord] {
        try allOwnSets(in: reader).filter { $0.state != .abandoned }
    }

    /// Sets that an older version of this software gave up: what is remembered now are the names of their files.
    func abandonedSets(in reader: any StorageReader) throws -> [OwnSetRecord] {
        try allOwnSets(in: reader).filter { $0.state == .abandoned }
    }

    /// Both, the one with the most versions first.
    func allOwnSets(in reader: any StorageReader) throws -> [OwnSetRecord] {
        var sets: [OwnSetRecord] = []
        try scan(Self.ownSet, in: reader) { _, bytes in
            sets.append(try OwnSetRecord(decoding: bytes))
            return true
        }
        return sets.sorted { ($0.manifest.versions, $0.created) > ($1.manifest.versions, $1.created) }
    }

    func put(_ set: OwnSetRecord, in writer: any StorageWriter) throws {
        try writer.put(set.encoded, for: key(set.digest.bytes), in: Self.ownSet)
    }
}

/// A snapshot that this attachment wrote or is about to write. The pieces of values that it names, where no lane had them, are
/// own files of their own (``OwnFile/Content/snapshotPiece(of:_:)``), and stay when the snapshot goes.
struct OwnSetRecord {
    enum State: UInt8 {
        /// Not all of its files were written.
        case planned = 1
        /// All were written and read back at once.
        case written = 2
        /// All were read again at a later pass.
        case verified = 3
        /// Its files were deleted, by an older version of this software.
        case abandoned = 4
    }

    let manifest: SetManifest
    /// When it was planned: milliseconds since 1970.
    let created: Int64
    var state = State.planned

    let digest: Digest
    let manifestBytes: [UInt8]

    init(_ manifest: SetManifest, created: Int64) {
        self.manifest = manifest
        self.created = created
        manifestBytes = manifest.encoded
        digest = SHA256.hash(manifestBytes)
    }

    var count: Int { manifest.pieces.count + 1 }

    func place(_ index: Int) -> SnapshotPiece.Place {
        SnapshotPiece.Place(manifest: digest, index: index, count: count)
    }

    /// The name of a file of it that is not sealed.
    func name(_ index: Int) -> FolderFileName {
        place(index).fileName(digest: index == 1 ? digest : manifest.pieces[index - 2].digest)
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(2)
        out.u8(state.rawValue)
        out.i64(created)
        out.count(count)
        out.append(manifestBytes)
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of an own snapshot")
        let form = try reader.u8()
        guard form == 1 || form == 2, let state = State(rawValue: try reader.u8()) else {
            throw reader.failure("is of another form")
        }
        // When sets were of form 1, the pieces of values that were written for them were not remembered. Writing such a set
        // again writes nothing that is there, and remembers them.
        self.state = form == 1 && state != .abandoned ? .planned : state
        created = try reader.i64()
        let count = Int(try reader.u32())
        manifestBytes = try reader.bytes(reader.remaining)
        manifest = try SetManifest(decoding: manifestBytes[...], count: count)
        digest = SHA256.hash(manifestBytes)
    }
}
