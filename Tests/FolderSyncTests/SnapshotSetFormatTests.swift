import LLVSCore
import Testing

@testable import FolderSync

@Suite("Snapshot sets")
struct SnapshotSetFormatTests {
    /// The first record of the fixture folder, as in entries.
    static func record() throws -> [UInt8] {
        let record = try FormatSamples.record(1)
        var out = ByteWriter()
        EntriesFile.Entry.encode(
            record, bodies: [.inline([UInt8]("Hello\n".utf8)[...]), .inline([])], into: &out)
        return out.bytes
    }

    static func manifest() throws -> SetManifest {
        let (record, lane) = (try FormatSamples.record(1), try FormatSamples.laneA())
        let chain = LaneChain(startOf: lane, in: try FormatSamples.store()).appending(record)
        let bytes = try Self.record()
        return SetManifest(
            versions: 1, heads: [record.id], lanes: [lane: chain],
            files: [.init(lane: lane, from: 1, to: 1, hash: try #require(NameHash(bytes: [UInt8](1...20))))],
            pieces: [.init(length: bytes.count, digest: SHA256.hash(bytes))])
    }

    /// Made by another program from the description.
    private static let manifestFile = """
        4c4c565366696c65010003000000000000000000000000000000000088010000
        00000000000102030405060708090a0b0c0d0e0f101112131415161718191a1b
        1c1d1e1fe800000000000000e80000000000000028000000988bfe1a030b5d35
        20002c7389c2e15e1118eb9043800c9fd5dbd9b641fb13af0100000002000000
        4c4c565373657431010000000000000001000000340000006a6d637367653477
        7037693262646568336a647570376e75746a616635703476376b6e707067796d
        65356733356768727936696101000000101112131415161718191a1b1c1d1e1f
        0100000000000000133e1e9320e540878ae0451fb0e50d8d31034a1f9151b994
        88847d8e25b8779001000000101112131415161718191a1b1c1d1e1f01000000
        0000000001000000000000000102030405060708090a0b0c0d0e0f1011121314
        0100000053010000a42adc7d079dd24fbf75e3ac2fbc29438b55145932943174
        2215ae37803adda2826237417ac26be37767b3e1b0622c484d4786606bbfb7c8
        f3263ca8375af58d
        """
    private static let recordsTrailer = "01354e18bcad14d5e10b8055c6df67ec0eec70c6d088e6e1228bbf13b705afb4"

    @Test func theVectorOfTheDescriptionIsWrittenAndRead() throws {
        let manifest = try Self.manifest()
        let (store, lane) = (try FormatSamples.store(), try FormatSamples.laneA())
        let bytes = manifest.encoded
        let digest = SHA256.hash(bytes)
        let first = SnapshotPiece.encode(
            bytes[...], at: .init(manifest: digest, index: 1, count: 2), store: store, lane: lane, deflating: false)
        let second = SnapshotPiece.encode(
            try Self.record()[...], at: .init(manifest: digest, index: 2, count: 2), store: store, lane: lane,
            deflating: false)
        #expect(first.name.text == "p-tcf74gqdbnotkiaa-1-2-tcf74gqdbnotkiaafrzytqxblyirr24q.llvs")
        #expect(second.name.text == "p-tcf74gqdbnotkiaa-2-2-uqvny7ihtxje7p3v4owc7pbjiofvkfcz.llvs")
        #expect(first.bytes.map(Self.hex).joined() == Self.manifestFile.split(separator: "\n").joined())
        #expect(second.bytes.suffix(32).map(Self.hex).joined() == Self.recordsTrailer)
        let piece = try #require(SnapshotPiece.decode(first.bytes).verified)
        #expect(try SetManifest(decoding: piece.bytes, count: piece.place.count) == manifest)
        #expect(piece.fileName == first.name && piece.store == store && piece.lane == lane)
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    @Test func whatIsNoPieceOfASetIsDamaged() throws {
        let manifest = SHA256.hash([1])
        func own(_ index: UInt32, _ count: UInt32, _ more: [UInt8] = []) -> [UInt8] {
            var out = ByteWriter()
            out.append(manifest)
            out.u32(index)
            out.u32(count)
            return out.bytes + more
        }
        func decode(_ own: [UInt8], _ body: [UInt8] = [7], optional: UInt64 = 0) throws -> FolderFileOutcome<
            SnapshotPiece
        > {
            SnapshotPiece.decode(try FormatSamples.container(kind: 3, optional: optional, ownHeader: own, body: body))
        }
        #expect(try decode(own(2, 2)).isVerified && decode(own(1, 2), [1]).isVerified)
        #expect(try decode(own(2, 2, [9]), optional: 1).isVerified)
        for (own, body) in [
            (own(0, 2), [7]), (own(3, 2), [7]), (own(1, 1), [1]), (own(2, 10_000_000), [7]), (own(2, 2, [9]), [7]),
            (own(2, 2).dropLast(), [7]), ([], [7]), (own(2, 2), []), (own(1, 2), [7]),
        ] as [([UInt8], [UInt8])] {
            #expect(try decode(own, body).isDamaged, "\(own) \(body)")
        }
        let long = try FormatSamples.container(kind: 3, plainLength: 8 << 20 + 1, body: [7])
        #expect(FolderFile.decode(long).isDamaged)
        let piece = try FormatSamples.file("piece.deflated")
        #expect(SnapshotPiece.decode(piece).isDamaged)
    }

    @Test func aListOutOfOrderIsDamaged() throws {
        let right = try Self.manifest()
        var twice = right
        twice.files.append(twice.files[0])
        var swapped = right
        swapped.heads = [right.heads[0], right.heads[0]]
        for wrong in [twice, swapped] {
            #expect(throws: StoreError.self) { try SetManifest(decoding: wrong.encoded[...], count: 2) }
        }
        #expect(throws: StoreError.self) { try SetManifest(decoding: right.encoded[...], count: 3) }
        #expect(throws: StoreError.self) { try SetManifest(decoding: (right.encoded + [0])[...], count: 2) }
        #expect(try SetManifest(decoding: (right.encoded + [0])[...], count: 2, isExact: false) == right)
    }
}
