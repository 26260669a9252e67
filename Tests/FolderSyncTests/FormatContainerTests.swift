import LLVSCore
import Testing

@testable import FolderSync

@Suite("Container of a file")
struct FormatContainerTests {
    private static let files = ["entries.a", "entries.b", "entries.optional", "piece.deflated"]

    @Test("every file of the fixture folder is verified, and its header says what it is")
    func fixtures() throws {
        for path in try FormatSamples.paths() where path.hasSuffix(".llvs") {
            let bytes = try FormatSamples.bytes(path)
            let file = try #require(FolderFile.decode(bytes).verified)
            #expect(file.bytes == bytes)
            #expect(file.header.totalLength == UInt64(bytes.count))
            #expect(file.header.store == (try FormatSamples.store()))
            #expect(path.hasPrefix(file.header.lane.description + "/"))
            #expect(UInt64(try file.plainBody().count) == file.header.plainLength)
            #expect(FolderFile.peek(bytes[..<88], fileLength: UInt64(bytes.count)) == .header(file.header))
        }
    }

    @Test("cut off anywhere a file is arriving, and says how much there is to come", arguments: files)
    func truncated(_ name: String) throws {
        let bytes = try FormatSamples.file(name)
        for count in 0..<bytes.count {
            let whole: UInt64? = count < 88 ? nil : UInt64(bytes.count)
            let outcome = FolderFileContent.decode([UInt8](bytes[..<count]))
            guard case .arriving(UInt64(count), whole) = outcome else {
                Issue.record("\(count) bytes: \(outcome)")
                continue
            }
            let peek = FolderFile.peek(bytes[..<min(count, 88)], fileLength: UInt64(count))
            #expect(peek == .arriving(have: UInt64(count), of: whole))
        }
    }

    @Test("with any bit flipped a file is not verified, and not from a newer version", arguments: files)
    func bitFlips(_ name: String) throws {
        let bytes = try FormatSamples.file(name)
        for bit in 0..<(bytes.count * 8) {
            let outcome = FolderFile.decode(FormatSamples.flipped(bytes, bit: bit))
            if bit < 64 { #expect(outcome.isForeign, "bit \(bit)") } else { #expect(outcome.isDamaged, "bit \(bit)") }
        }
    }

    @Test("bytes after the trailer are damage", arguments: files)
    func longer(_ name: String) throws {
        let bytes = try FormatSamples.file(name)
        #expect(FolderFile.decode(bytes + [0]).isDamaged)
        #expect(FolderFile.decode(bytes + bytes).isDamaged)
    }

    @Test("zero bytes are damage, whatever their number", arguments: [1, 7, 8, 87, 88, 120, 121, 4_096])
    func blank(_ count: Int) throws {
        #expect(FolderFile.decode([UInt8](repeating: 0, count: count)).isDamaged)
    }

    @Test("a file whose end was never written is damaged")
    func blankEnd() throws {
        var bytes = try FormatSamples.file("entries.b")
        bytes.replaceSubrange(300..., with: [UInt8](repeating: 0, count: bytes.count - 300))
        #expect(FolderFile.decode(bytes).isDamaged)
    }

    @Test(
        "other files are foreign, short or long",
        arguments: ["P", "PK\u{3}\u{4}", "LLVSfil!", "{\"versions\": []}", "SQLite format 3\0", "LLVSver1"])
    func foreign(_ text: String) {
        #expect(FolderFile.decode([UInt8](text.utf8)).isForeign)
        #expect(FolderFile.decode([UInt8](text.utf8) + [UInt8](repeating: 0, count: 500)).isForeign)
    }

    @Test(
        "no length in the header, sealed or not, is believed",
        arguments: [28, 68, 76], [UInt64(0), 1, 119, 1 << 32, 1 << 62, 1 << 63, (1 << 63) - 1, .max, .max - 119])
    func hostileLengths(offset: Int, value: UInt64) throws {
        for name in Self.files {
            let bytes = FormatSamples.patched(try FormatSamples.file(name), at: offset, value)
            #expect(FolderFileContent.decode(bytes).isDamaged)
            #expect(FolderFileContent.decode(FormatSamples.sealed(bytes)).isDamaged)
            #expect(FolderFile.peek(bytes[..<88], fileLength: value) != .foreign)
        }
    }

    @Test("no length of the kind's own header is believed", arguments: [UInt32(1), 83, 1 << 31, .max])
    func hostileOwnHeader(_ value: UInt32) throws {
        for name in Self.files {
            let bytes = FormatSamples.patched(try FormatSamples.file(name), at: 84, value)
            #expect(FolderFileContent.decode(FormatSamples.sealed(bytes)).isDamaged)
        }
    }

    @Test("a body that claims to inflate to more than deflate can is refused by the header alone")
    func bombs() throws {
        let limit = UInt64(10 * 1_032 + 64)
        for (kind, plain) in [
            (1, limit + 1), (1, 256 << 20), (1, (256 << 20) + 1), (1, 1 << 63), (2, limit + 1), (2, 1 << 23),
        ] {
            let bytes = try FormatSamples.container(
                kind: UInt8(kind), coding: 1, plainLength: UInt64(plain), body: [UInt8](repeating: 1, count: 10))
            let peek = FolderFile.peek(bytes[..<88], fileLength: UInt64(bytes.count))
            guard case .damaged = peek else {
                Issue.record("\(plain): \(peek)")
                continue
            }
        }
    }

    @Test("a body that inflates to less or more than stated is damage", arguments: [-1_000, -1, 1, 1_000])
    func wrongInflation(_ difference: Int) throws {
        let bytes = try FormatSamples.file("piece.deflated")
        let length = try #require(FolderFile.decode(bytes).verified?.header.plainLength)
        let other = FormatSamples.sealed(FormatSamples.patched(bytes, at: 68, UInt64(Int(length) + difference)))
        #expect(FolderFile.decode(other).isVerified)
        #expect(Piece.decode(other).isDamaged)
    }

    @Test("what is not known makes a whole file one from a newer version")
    func future() throws {
        let body: [UInt8] = [1, 2, 3]
        var files: [[UInt8]] = [
            try FormatSamples.container(kind: 5, body: body), try FormatSamples.container(kind: 6, body: body),
            try FormatSamples.container(kind: 0, body: body), try FormatSamples.container(kind: 255, body: body),
            try FormatSamples.container(coding: 2, plainLength: 5_000_000, body: body),
            try FormatSamples.container(version: 2, body: body), try FormatSamples.container(version: 0, body: body),
        ]
        for bit in 1..<64 { files.append(try FormatSamples.container(kind: 2, required: 1 << bit, body: body)) }
        for bytes in files {
            #expect(FolderFileContent.decode(bytes).isFuture)
            for count in 1..<bytes.count { #expect(FolderFile.decode([UInt8](bytes[..<count])).isArriving) }
            #expect(FolderFile.decode(FormatSamples.flipped(bytes, bit: bytes.count * 8 - 1)).isDamaged)
            #expect(FolderFile.decode(bytes + [0]).isDamaged)
        }
    }

    @Test("a newer container may have another header, as long as its length and hash are where they are now")
    func futureLayout() throws {
        var bytes = [UInt8]("LLVSfile".utf8) + [2, 0] + [UInt8](repeating: 0xAA, count: 300)
        bytes = FormatSamples.patched(bytes, at: 28, UInt64(bytes.count))
        #expect(FolderFile.decode(FormatSamples.sealed(bytes)).isFuture)
        #expect(FolderFile.decode(bytes).isDamaged)
        #expect(FolderFile.decode(FormatSamples.sealed(FormatSamples.patched(bytes, at: 28, UInt64(119)))).isDamaged)
    }

    @Test("optional features do not stop a reader", arguments: 0..<64)
    func optional(_ bit: Int) throws {
        let bytes = try FormatSamples.container(kind: 2, optional: 1 << UInt64(bit), body: [7])
        #expect(Piece.decode(bytes).verified?.bytes == [7])
    }
}
