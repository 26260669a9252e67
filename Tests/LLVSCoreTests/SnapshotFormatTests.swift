import FileCoordination
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Snapshot: format") struct SnapshotFormatTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The chunks of the test vector in the article on the format.
    private static func vector() throws -> [[UInt8]] {
        var chunks: [[UInt8]] = []
        var packer = SnapshotPacker(limit: 4_096) { chunks.append($0) }
        packer.begin("bodies")
        try packer.row(1, [0] + Array("one".utf8))
        try packer.row(3, [0])
        try packer.end()
        packer.begin("current")
        try packer.key(Array("main".utf8), Array("v".utf8))
        try packer.end()
        try packer.finish()
        return chunks
    }

    @Test("chunk and manifest have the bytes of the test vector")
    func testVector() throws {
        let chunks = try Self.vector()
        #expect(
            chunks.map(Self.hex) == [
                "4c4c565363686b31" + "01" + "06626f64696573" + "02000000"
                    + "0100000000000000" + "04000000" + "006f6e65" + "0300000000000000" + "01000000" + "00"
                    + "02" + "0763757272656e74" + "01000000" + "04000000" + "6d61696e" + "01000000" + "76"
            ])
        let manifest = SnapshotManifest(
            format: 1, created: 1_767_225_600_000, versionCount: 2, heads: [try Version.ID("v")],
            chunks: chunks.map { SnapshotManifest.Chunk(size: $0.count, digest: SHA256.hash($0)) })
        let head = "4c4c5653736e6170" + "01000000" + "00a8da769b010000" + "0200000000000000" + "01000000" + "0100000076"
        let body = head + "01000000" + "4b000000" + Self.hex(SHA256.hash(chunks[0]).bytes)
        let encoded = manifest.encoded
        #expect(Self.hex(Array(encoded.dropLast(32))) == body)
        #expect(
            Self.hex(Array(encoded.suffix(32))) == "1b91ebf6123a61868b2911f0ffaa2e9e916e2df942806ac38b847af89c468811")
        #expect(try SnapshotManifest(decoding: encoded) == manifest)
    }

    @Test("a manifest with a byte changed, lost or added is refused")
    func manifestBytes() throws {
        let manifest = SnapshotManifest(
            format: 1, created: -1, versionCount: 0, heads: [],
            chunks: [SnapshotManifest.Chunk(size: 9, digest: .zero)])
        let bytes = manifest.encoded
        for index in bytes.indices {
            var flipped = bytes
            flipped[index] ^= 0x20
            #expect(throws: StoreError.self) { try SnapshotManifest(decoding: flipped) }
            #expect(throws: StoreError.self) { try SnapshotManifest(decoding: Array(bytes.prefix(index))) }
        }
        #expect(throws: StoreError.self) { try SnapshotManifest(decoding: bytes + [0]) }
    }

    @Test("a later format is told from damage")
    func laterFormat() throws {
        var bytes = Array(
            SnapshotManifest(format: 1, created: 0, versionCount: 0, heads: [], chunks: []).encoded.dropLast(32))
        bytes[8] = UInt8(SnapshotManifest.currentFormat + 1)
        bytes += SHA256.hash(bytes).bytes
        let error = #expect(throws: StoreError.self) { try SnapshotManifest(decoding: bytes) }
        #expect(error?.code == .fromNewerVersion)
    }

    /// Puts a chunk that somebody made into a snapshot of its own and restores it.
    private func restore(_ chunk: [UInt8], in folder: TemporaryFolder, into storage: any Storage) throws {
        let digest = SHA256.hash(chunk)
        try folder.put(chunk, at: SnapshotFolder.name(of: digest))
        let manifest = SnapshotManifest(
            format: 1, created: 0, versionCount: 0, heads: [],
            chunks: [SnapshotManifest.Chunk(size: chunk.count, digest: digest)])
        try folder.put(manifest.encoded, at: SnapshotFolder.manifestName)
        try Store(storage: storage).restore(snapshot: folder.path)
    }

    private static func section(_ kind: UInt8, _ zone: String, _ rest: [UInt8]) -> [UInt8] {
        SnapshotPacker.formatName + [kind, UInt8(zone.utf8.count)] + zone.utf8 + rest
    }

    private static func row(_ id: Int64, _ bytes: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.i64(id)
        writer.lengthPrefixed(bytes)
        return writer.bytes
    }

    @Test("what nobody packs is refused: other zones, paths, rows out of order, lengths that lie")
    func craftedChunks() throws {
        let folder = try TemporaryFolder()
        let part = { (size: UInt64, offset: UInt64, bytes: [UInt8]) in
            var writer = ByteWriter()
            writer.i64(1)
            writer.u64(size)
            writer.u64(offset)
            writer.lengthPrefixed(bytes)
            return writer.bytes
        }
        let one: [UInt8] = [1, 0, 0, 0]
        let crafted = [
            Self.section(1, "../evil", one + Self.row(1, [1])),
            Self.section(2, "../../evil", one + [0, 0, 0, 0, 0, 0, 0, 0]),
            Self.section(1, "f_staged", one + Self.row(1, [1])), Self.section(1, "", one + Self.row(1, [1])),
            Self.section(1, "index", one + Self.row(1, [1])), Self.section(9, "bodies", one),
            Self.section(1, "bodies", one + Self.row(0, [1])), Self.section(1, "bodies", one + Self.row(-1, [1])),
            Self.section(1, "bodies", one + Self.row(.max, [1])),
            Self.section(1, "bodies", [2, 0, 0, 0] + Self.row(2, [1]) + Self.row(2, [1])),
            Self.section(1, "bodies", [255, 255, 255, 255] + Self.row(2, [1])),
            Self.section(3, "bodies", part(.max, 0, [1])), Self.section(3, "bodies", part(1, 0, [])),
            Self.section(3, "bodies", part(2, 1, [1])), Self.section(3, "bodies", part(1, 0, [1, 2])),
            Self.section(1, "bodies", one), SnapshotPacker.formatName + [1], [], Array("LLVSchk2".utf8),
        ]
        for (index, chunk) in crafted.enumerated() {
            let storage = MemoryStorage()
            let error = #expect(throws: StoreError.self, "\(index)") {
                try restore(chunk, in: folder, into: storage)
            }
            #expect(error?.code == .damagedSnapshot, "\(index)")
            #expect(try storage.contents().isEmpty)
        }
    }

    @Test("chunks with random changes are restored or refused, and never trap", arguments: [UInt64(1), 2, 3])
    func fuzz(_ seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: seed)
        let good = try #require(try Self.vector().first)
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 8..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count - 8, using: &random)) }
            do { try restore(bytes, in: folder, into: MemoryStorage()) } catch let error as StoreError {
                #expect([.damagedSnapshot, .damaged, .invalidVersionID].contains(error.code), "seed \(seed): \(error)")
            }
        }
    }
}

@Suite("Snapshot: policy") struct SnapshotPolicyTests {
    private func manifest(_ versions: Int, at created: Int64) -> SnapshotManifest {
        SnapshotManifest(format: 1, created: created, versionCount: versions, heads: [], chunks: [])
    }

    @Test("a policy decides from the last snapshot, the time and the versions, and nothing else")
    func decides() {
        let day: Int64 = 86_400_000
        let last = manifest(10, at: 1_000)
        for policy in [SnapshotPolicy.auto, .interval(.seconds(60)), .newVersions(5)] {
            #expect(policy.isDue(since: nil, now: 0, versionCount: 1), "the first")
            #expect(!policy.isDue(since: nil, now: 0, versionCount: 0), "nothing to keep")
            #expect(!policy.isDue(since: last, now: .max, versionCount: 10), "nothing new")
            #expect(!policy.isDue(since: last, now: .max, versionCount: 9), "a store set back")
        }
        #expect(!SnapshotPolicy.disabled.isDue(since: nil, now: .max, versionCount: .max))
        #expect(SnapshotPolicy.newVersions(5).isDue(since: last, now: 0, versionCount: 15))
        #expect(!SnapshotPolicy.newVersions(5).isDue(since: last, now: .max, versionCount: 14))
        #expect(SnapshotPolicy.interval(.seconds(60)).isDue(since: last, now: 61_000, versionCount: 11))
        #expect(!SnapshotPolicy.interval(.seconds(60)).isDue(since: last, now: 60_999, versionCount: 11))
        #expect(SnapshotPolicy.interval(.seconds(60)).isDue(since: last, now: 999, versionCount: 11), "clock set back")
        #expect(SnapshotPolicy.interval(.seconds(60)).isDue(since: manifest(1, at: .min), now: .max, versionCount: 2))
        #expect(SnapshotPolicy.auto.isDue(since: last, now: 1_000, versionCount: 1_010))
        #expect(!SnapshotPolicy.auto.isDue(since: last, now: 1_000 + day - 1, versionCount: 1_009))
        #expect(SnapshotPolicy.auto.isDue(since: last, now: 1_000 + day, versionCount: 11))
    }
}
