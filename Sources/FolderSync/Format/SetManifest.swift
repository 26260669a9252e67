package import LLVSCore

/// What a snapshot's set is made of, and what it contains: the first of its pieces.
package struct SetManifest: Hashable, Sendable {
    /// A file of entries that a set has every version of.
    package struct File: Hashable, Sendable {
        package let lane: LaneID
        package let from: UInt64
        package let to: UInt64
        package let hash: NameHash

        package init(lane: LaneID, from: UInt64, to: UInt64, hash: NameHash) {
            self.lane = lane
            self.from = from
            self.to = to
            self.hash = hash
        }

        /// Where the file is, below the folder.
        var path: String { "\(lane)/\(FolderFileName.entries(from: from, to: to, hash: hash).text)" }
    }

    /// A piece of records: its plain bytes.
    package struct Records: Hashable, Sendable {
        package let length: Int
        package let digest: Digest

        package init(length: Int, digest: Digest) {
            self.length = length
            self.digest = digest
        }
    }

    /// How many versions there are in the set.
    package var versions: UInt64
    /// Its heads, ascending by the bytes of their ids.
    package var heads: [Version.ID]
    /// How far it has each lane without a gap.
    package var lanes: [LaneID: LaneChain]
    /// Files of entries that it has every version of, in ascending order.
    package var files: [File]
    /// The pieces after the manifest.
    package var pieces: [Records]

    package init(
        versions: UInt64, heads: [Version.ID], lanes: [LaneID: LaneChain], files: [File], pieces: [Records]
    ) {
        self.versions = versions
        self.heads = heads.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        self.lanes = lanes
        self.files = files.sorted()
        self.pieces = pieces
    }

    /// What every manifest begins with.
    package static let magic = [UInt8]("LLVSset1".utf8)
    private static let laneByteCount = RandomName.byteCount + 8 + Digest.byteCount
    private static let fileByteCount = RandomName.byteCount + 16 + NameHash.byteCount
    /// With so many files named, of whatever kind of set, a manifest fits into its piece. Others are read again, no more.
    static let mostFiles = 65_536
}

extension SetManifest.File: Comparable {
    /// Ascending by lane, from, to, hash.
    package static func < (left: Self, right: Self) -> Bool {
        if left.lane != right.lane { return left.lane < right.lane }
        if (left.from, left.to) != (right.from, right.to) { return (left.from, left.to) < (right.from, right.to) }
        return left.hash.bytes.lexicographicallyPrecedes(right.hash.bytes)
    }
}

extension SetManifest {
    /// The plain bytes of the piece.
    package var encoded: [UInt8] {
        var out = ByteWriter()
        out.append(Self.magic)
        out.u64(versions)
        out.count(heads.count)
        for head in heads { out.lengthPrefixed(head.utf8) }
        out.count(lanes.count)
        for (lane, chain) in lanes.sorted(by: { $0.key < $1.key }) {
            out.append(lane.bytes)
            out.u64(chain.sequence)
            out.append(chain.digest)
        }
        out.count(files.count)
        for file in files {
            out.append(file.lane.bytes)
            out.u64(file.from)
            out.u64(file.to)
            out.append(file.hash.bytes)
        }
        out.count(pieces.count)
        for piece in pieces {
            out.count(piece.length)
            out.append(piece.digest)
        }
        return out.bytes
    }

    /// Reads the plain bytes of the first piece of a set of `count`. `isExact`: nothing may follow.
    package init(decoding bytes: ArraySlice<UInt8>, count: Int, isExact: Bool = true) throws(StoreError) {
        var reader = ByteReader(bytes, of: "manifest of the snapshot")
        try reader.expect(Self.magic)
        versions = try reader.u64()
        guard versions >= 1 else { throw reader.failure("has no versions") }
        heads = try Self.heads(&reader)
        lanes = try Self.lanes(&reader)
        files = try Self.files(&reader)
        pieces = []
        for _ in 0..<(try reader.count(ofEntriesOf: 4 + Digest.byteCount)) {
            let length = Int(try reader.u32())
            guard 1...Piece.greatestByteCount ~= length else { throw reader.failure("has a piece of \(length) bytes") }
            pieces.append(Records(length: length, digest: try reader.digest()))
        }
        guard pieces.count == count - 1 else {
            throw reader.failure("names \(pieces.count) pieces in a set of \(count)")
        }
        if isExact { try reader.expectEnd() }
    }

    private static func heads(_ reader: inout ByteReader) throws(StoreError) -> [Version.ID] {
        var heads: [Version.ID] = []
        var last: [UInt8] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 5)) {
            let id = try reader.lengthPrefixed()
            guard last.lexicographicallyPrecedes(id) else { throw reader.failure("has heads that do not ascend") }
            heads.append(try Version.ID(utf8: id))
            last = id
        }
        guard !heads.isEmpty else { throw reader.failure("has no heads") }
        return heads
    }

    private static func lanes(_ reader: inout ByteReader) throws(StoreError) -> [LaneID: LaneChain] {
        var lanes: [LaneID: LaneChain] = [:]
        var last: LaneID?
        for _ in 0..<(try reader.count(ofEntriesOf: laneByteCount)) {
            let lane = try Self.lane(&reader)
            guard last.map({ $0 < lane }) ?? true else { throw reader.failure("has lanes that do not ascend") }
            let chain = LaneChain(sequence: try reader.u64(), digest: try reader.digest())
            guard 1...FolderFileName.greatestEntry ~= chain.sequence else {
                throw reader.failure("has a lane up to \(chain.sequence)")
            }
            lanes[lane] = chain
            last = lane
        }
        return lanes
    }

    private static func files(_ reader: inout ByteReader) throws(StoreError) -> [File] {
        var files: [File] = []
        for _ in 0..<(try reader.count(ofEntriesOf: fileByteCount)) {
            let lane = try Self.lane(&reader)
            let (from, to) = (try reader.u64(), try reader.u64())
            guard 1 <= from, from <= to, to <= FolderFileName.greatestEntry,
                let hash = NameHash(bytes: try reader.bytes(NameHash.byteCount))
            else { throw reader.failure("has a file of the entries \(from) to \(to)") }
            let file = File(lane: lane, from: from, to: to, hash: hash)
            guard files.last.map({ $0 < file }) ?? true else {
                throw reader.failure("has files that do not ascend")
            }
            files.append(file)
        }
        return files
    }

    private static func lane(_ reader: inout ByteReader) throws(StoreError) -> LaneID {
        guard let lane = LaneID(bytes: try reader.bytes(RandomName.byteCount)) else {
            throw reader.failure("names no lane")
        }
        return lane
    }
}
