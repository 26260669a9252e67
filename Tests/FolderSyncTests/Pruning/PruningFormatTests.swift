import LLVSCore
import Testing

@testable import FolderSync

@Suite("Pruning: format")
struct PruningFormatTests {
    @Test func theFormatIsWhatTheOtherImplementationWrites() throws {
        let bytes = try FormatSamples.vector("entries.pruned")
        let file = try #require(EntriesFile.decode(bytes).verified)
        #expect(file.entries[0].bodies == [.pruned(length: 6), .inline([])])
        var builder = EntriesFileBuilder(store: file.store, lane: file.lane, after: file.header.before)
        try builder.append(file.entries[0].record, bodies: file.entries[0].bodies)
        #expect(builder.finish(seen: [:], deflating: false).bytes == bytes)
        // Without the feature the form is none, as it is for a reader that does not know it.
        let plain = FormatSamples.sealed(FormatSamples.patched(bytes, at: 12, UInt64(0)))
        #expect(EntriesFile.decode(plain).isDamaged)
        let piece = FormatSamples.sealed(
            FormatSamples.patched(try FormatSamples.vector("smallest"), at: 12, UInt64(2)))
        #expect(FolderFile.decode(piece).isDamaged)
    }

    @Test func aVersionThatWaitsKeepsTheBytesItCameWith() throws {
        let file = try #require(EntriesFile.decode(try FormatSamples.vector("entries.pruned")).verified)
        let record = file.entries[0].record
        let piece = EntriesFile.Extent(piece: SHA256.hash([1]), offset: 0, length: 6)
        let inline = EntriesFile.Body.inline([1, 2, 3, 4, 5, 6])
        let inPieces = EntriesFile.Body.pieces(length: 6, extents: [piece])
        func pending(_ body: EntriesFile.Body) -> PendingVersion {
            PendingVersion(record: record, bodies: [body, .inline([])], file: "e")
        }
        for (old, new, expected, needsNone) in [
            (inline, .pruned(length: 6), inline, false), (.pruned(length: 6), inline, inline, true),
            (inline, inPieces, inline, false), (inPieces, inline, inline, false),
            (inPieces, .pruned(length: 6), inPieces, true), (.pruned(length: 6), inPieces, inPieces, true),
        ] as [(EntriesFile.Body, EntriesFile.Body, EntriesFile.Body, Bool)] {
            let joined = try PendingVersion(decoding: pending(old).joined(with: pending(new)).encoded)
            #expect(joined.bodies[0] == expected && joined.needsNoPieces == needsNone)
        }
        let joined = pending(inPieces).joined(with: pending(.pruned(length: 6)))
        #expect(joined.bodies(having: []) == [.pruned(length: 6), .inline([])])
        #expect(joined.bodies(having: [piece.piece]) == joined.bodies)
    }
}
