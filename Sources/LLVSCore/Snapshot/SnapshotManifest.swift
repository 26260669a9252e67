/// What a snapshot of a store is made of and when it was taken: the small file that is written last and makes it one.
///
/// Its bytes are described in <doc:SnapshotFormat>.
public struct SnapshotManifest: Hashable, Sendable {
    /// A file of a snapshot, named after its bytes.
    public struct Chunk: Hashable, Sendable {
        /// How many bytes it has.
        public let size: Int
        /// The SHA-256 of its bytes.
        public let digest: Digest
    }

    /// The format that this software writes, and the highest it reads.
    public static let currentFormat = 2
    /// The most bytes a chunk has unless it is asked for otherwise.
    public static let defaultChunkSize = 8 << 20
    /// The sizes a chunk may be asked to have at most.
    public static let chunkSizes = 4096...(64 << 20)

    /// The number of the format.
    public let format: Int
    /// When it was taken: milliseconds since 1970 by the clock of the device that took it. Shown to people only.
    public let created: Int64
    /// The number of firm versions in it.
    public let versionCount: Int
    /// The heads in it, ascending by (generation, id).
    public let heads: [Version.ID]
    /// The chunks, in the order in which they are read.
    public let chunks: [Chunk]

    /// The size of all chunks together, in bytes.
    public var totalSize: Int { chunks.reduce(0) { $0 + $1.size } }
}

extension SnapshotManifest {
    private static let formatName = [UInt8]("LLVSsnap".utf8)
    /// The most bytes a manifest may have: some ten terabytes of chunks.
    static let maximumByteCount = 64 << 20

    /// "LLVSsnap", u32 format, i64 time, u64 versions, u32 number of heads and for each u32 length and id, u32 number of
    /// chunks and for each u32 size and 32 bytes of SHA-256, the SHA-256 of everything before.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.append(Self.formatName)
        writer.count(format)
        writer.i64(created)
        writer.u64(UInt64(versionCount))
        writer.count(heads.count)
        for head in heads { writer.lengthPrefixed(head.utf8) }
        writer.count(chunks.count)
        for chunk in chunks {
            writer.count(chunk.size)
            writer.append(chunk.digest)
        }
        writer.append(SHA256.hash(writer.bytes))
        return writer.bytes
    }

    /// Reads what ``encoded`` wrote.
    /// - Throws: ``StoreError`` with `.damagedSnapshot` for any other bytes, `.fromNewerVersion` for a later format.
    package init(decoding bytes: [UInt8]) throws(StoreError) {
        var reader = ByteReader(bytes, of: "snapshot's manifest", code: .damagedSnapshot)
        try reader.expect(Self.formatName)
        let format = try reader.u32()
        guard bytes.count > Digest.byteCount,
            Digest(bytes: Array(bytes.suffix(Digest.byteCount))) == SHA256.hash(bytes.dropLast(Digest.byteCount))
        else { throw reader.failure("does not verify") }
        guard format <= Self.currentFormat else {
            throw StoreError(
                .fromNewerVersion, "the snapshot has format \(format)", remedy: "update this software")
        }
        guard format >= 1 else { throw reader.failure("has a format \(format), which is none") }
        self.format = Int(format)
        created = try reader.i64()
        guard let versionCount = Int(exactly: try reader.u64()) else { throw reader.failure("has too many versions") }
        self.versionCount = versionCount
        var heads: [Version.ID] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 5)) {
            do throws(StoreError) { heads.append(try Version.ID(utf8: try reader.lengthPrefixed())) } catch {
                throw reader.failure("has a head that is no version id")
            }
        }
        self.heads = heads
        var chunks: [Chunk] = []
        for _ in 0..<(try reader.count(ofEntriesOf: 4 + Digest.byteCount)) {
            let size = Int(try reader.u32())
            guard (1...Self.chunkSizes.upperBound).contains(size) else {
                throw reader.failure("has a chunk of \(size) bytes")
            }
            chunks.append(Chunk(size: size, digest: try reader.digest()))
        }
        self.chunks = chunks
        _ = try reader.digest()
        try reader.expectEnd()
    }
}
