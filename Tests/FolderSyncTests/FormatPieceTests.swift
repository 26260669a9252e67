import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

@Suite("Pieces")
struct FormatPieceTests {
    @Test("the smallest piece is written byte for byte as the format says")
    func smallest() throws {
        let file = Piece.encode([UInt8(ascii: "!")], store: try FormatSamples.store(), lane: try FormatSamples.laneA())
        #expect(file.bytes == (try FormatSamples.vector("smallest")))
        #expect(file.digest.bytes == [UInt8](file.bytes.suffix(32)))
    }

    @Test("bytes that do not shrink are stored, as the other implementation stored them")
    func stored() throws {
        let bytes = try FormatSamples.file("piece.stored")
        let piece = try #require(Piece.decode(bytes).verified)
        #expect(piece.digest == (try FormatSamples.digest("noise.sha256")))
        let file = Piece.encode(piece.bytes, store: piece.store, lane: piece.lane)
        #expect(file.bytes == bytes)
        #expect("\(piece.lane)/\(file.name)" == (try FormatSamples.text("piece.stored")))
        #expect(piece.fileName == file.name)
    }

    @Test("bytes that shrink are deflated, and keep their name however they are")
    func deflated() throws {
        let piece = try #require(Piece.decode(try FormatSamples.file("piece.deflated")).verified)
        #expect(piece.digest == (try FormatSamples.digest("text.sha256")))
        let small = Piece.encode(piece.bytes, store: piece.store, lane: piece.lane)
        let plain = Piece.encode(piece.bytes, store: piece.store, lane: piece.lane, deflating: false)
        #expect(small.bytes.count < plain.bytes.count)
        #expect(small.name == plain.name)
        #expect("\(piece.lane)/\(small.name)" == (try FormatSamples.text("piece.deflated")))
        #expect(Piece.decode(small.bytes).verified?.bytes == piece.bytes)
        #expect(Piece.decode(plain.bytes).verified?.bytes == piece.bytes)
    }

    @Test("a piece of the greatest size is read again, noise or not")
    func greatest() throws {
        let (store, lane) = (try FormatSamples.store(), try FormatSamples.laneA())
        let blank = [UInt8](repeating: 0, count: Piece.greatestByteCount)
        let small = Piece.encode(blank[...], store: store, lane: lane)
        #expect(small.bytes.count < 10_000)
        #expect(blank.isSame(as: Piece.decode(small.bytes).verified.map { [UInt8]($0.bytes) }))
        var random = FormatRandom(seed: 8)
        let block = random.bytes(1 << 16)
        // Each block is farther from its copy than deflate looks back.
        var noise: [UInt8] = []
        for _ in 0..<Piece.greatestByteCount / block.count { noise += block }
        let large = Piece.encode(noise[...], store: store, lane: lane)
        #expect(large.bytes.count == Piece.greatestByteCount + 120)
        #expect(Piece.decode(large.bytes).verified?.digest == SHA256.hash(noise))
    }

    @Test("nothing, too much, or a header of its own is no piece")
    func bounds() throws {
        let empty = try FormatSamples.container(kind: 2, body: [])
        let long = try FormatSamples.container(kind: 2, body: [UInt8](repeating: 1, count: Piece.greatestByteCount + 1))
        let owned = try FormatSamples.container(kind: 2, ownHeader: [0], body: [1])
        for bytes in [empty, long, owned] { #expect(Piece.decode(bytes).isDamaged) }
    }

    @Test("entries are no piece, and a piece has no entries")
    func kinds() throws {
        #expect(Piece.decode(try FormatSamples.file("entries.b")).isDamaged)
        #expect(EntriesFile.decode(try FormatSamples.file("piece.stored")).isDamaged)
    }

    @Test("writing no bytes or too many is a mistake of the caller")
    func traps() async {
        await #expect(processExitsWith: .failure) {
            _ = Piece.encode([], store: .random(), lane: .random())
        }
    }
}
