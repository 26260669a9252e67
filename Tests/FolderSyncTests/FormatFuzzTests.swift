import LLVSCore
import Testing

@testable import FolderSync

/// Every test here ends by not having trapped; what it expects besides is that nothing wrong passes as right.
@Suite("Hostile bytes")
struct FormatFuzzTests {
    private static let files = ["entries.a", "entries.b", "entries.optional", "piece.deflated"]

    @Test("spoiled and sealed again, a file is refused or says what it said", arguments: [UInt64](1...12))
    func sealed(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        for name in Self.files {
            let original = try FormatSamples.file(name)
            for _ in 0..<60 {
                var bytes = original
                for _ in 0..<Int.random(in: 1...4, using: &random) { spoil(&bytes, &random) }
                bytes = FormatSamples.patched(bytes, at: 28, UInt64(bytes.count))
                guard case .verified(let content) = FolderFileContent.decode(FormatSamples.sealed(bytes)) else {
                    continue
                }
                if case .entries(let file) = content { try check(file, seed: seed) }
            }
        }
    }

    /// What passed is what a writer of ours would have written.
    private func check(_ file: EntriesFile, seed: UInt64) throws {
        var builder = EntriesFileBuilder(store: file.store, lane: file.lane, after: file.header.before)
        for entry in file.entries { try builder.append(entry.record, bodies: entry.bodies) }
        #expect(builder.after == file.header.after, "seed \(seed)")
        let again = try #require(EntriesFile.decode(builder.finish(seen: file.header.seen).bytes).verified)
        #expect(again.header == file.header, "seed \(seed)")
        #expect(again.entries.map(\.record) == file.entries.map(\.record), "seed \(seed)")
    }

    private func spoil(_ bytes: inout [UInt8], _ random: inout FormatRandom) {
        let place = Int.random(in: 8..<bytes.count - 40, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes = FormatSamples.patched(bytes, at: place, UInt64.max >> UInt64.random(in: 0...63, using: &random))
        case 3: bytes = FormatSamples.patched(bytes, at: place, UInt32.random(in: 0...200, using: &random))
        case 4: bytes.remove(at: place)
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
    }

    @Test("a body of entries spoiled under a consistent header is refused or read", arguments: [UInt64](1...12))
    func bodies(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        for name in ["entries.a", "entries.b", "entries.optional"] {
            let file = try #require(FolderFile.decode(try FormatSamples.file(name)).verified)
            let plain = [UInt8](try file.plainBody())
            for _ in 0..<60 {
                var (own, body) = ([UInt8](file.ownHeader), plain)
                if Bool.random(using: &random) { spoil(&body, &random) } else { spoil(&own, &random) }
                let bytes = try FormatSamples.container(
                    optional: UInt64.random(in: 0...1, using: &random), ownHeader: own, body: body)
                _ = EntriesFile.decode(bytes)
            }
        }
    }

    @Test("noise behind a true beginning is never verified", arguments: [UInt64](1...12))
    func noise(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        let beginnings = [[], FolderFile.magic, IdentityCard.magic, FolderFile.magic + [1, 0, 1, 0]]
        for beginning in beginnings {
            for _ in 0..<100 {
                let bytes = beginning + random.bytes(Int.random(in: 0...400, using: &random))
                #expect(!FolderFileContent.decode(bytes).isVerified, "seed \(seed)")
                #expect(!IdentityCard.decode(bytes).isVerified, "seed \(seed)")
                _ = FolderFile.peek(bytes[...], fileLength: random.next())
            }
        }
    }

    @Test("a slice that does not begin at 0 is read like any other")
    func slices() throws {
        let bytes = try FormatSamples.file("entries.b")
        let padded = [1, 2, 3] + bytes
        let peek = FolderFile.peek(padded[3...], fileLength: UInt64(bytes.count))
        #expect(peek == FolderFile.peek(bytes[...], fileLength: UInt64(bytes.count)))
    }
}
