import LLVSCore
import Testing

@testable import FolderSync

@Suite("Sealed files")
struct SealedFormatTests {
    private let seal = FolderSeal(TurningTransform())

    private func sealed() throws -> FolderFile.Encoded {
        let smallest = try FormatSamples.vector("smallest")
        let piece = try #require(Piece.decode(smallest).verified)
        return try seal.seal(
            FolderFile.Encoded(name: piece.fileName, bytes: smallest, digest: SHA256.hash(smallest.dropLast(32))))
    }

    @Test("is the bytes that the other implementation makes, under its name, and opens to the plain file")
    func vector() throws {
        let file = try sealed()
        #expect(try file.bytes == FormatSamples.vector("sealed"))
        #expect(try file.name.text == FormatSamples.text("sealed.name"))
        let opened = try #require(FolderFile.decode(file.bytes, opening: seal).verified)
        #expect(try opened.bytes == FormatSamples.vector("smallest"))
        #expect(opened.wasSealed && opened.digest == file.digest)
        #expect(Piece.decode(opened).verified?.bytes == [UInt8(ascii: "!")])
    }

    @Test("without the transform, with another key or another name it is kept as one from a newer version")
    func refused() throws {
        let bytes = try sealed().bytes
        var otherKey = TurningTransform()
        otherKey.secret = [UInt8](repeating: 1, count: 16)
        var otherName = TurningTransform()
        otherName.name = "example.org/xor2"
        var reasons: [String] = []
        for seal in [nil, FolderSeal(otherKey), FolderSeal(otherName)] {
            guard case .future(let reason) = FolderFile.decode(bytes, opening: seal) else {
                Issue.record("it was opened")
                continue
            }
            #expect(reason.contains("example.org/xor"))
            reasons.append(reason)
        }
        #expect(reasons.map { $0.contains("another key") } == [false, true, false])
        // The mark is right, the transform is not: nothing it makes counts.
        let wrong = BrokenTransform(fault: .lossy)
        let label = FolderSeal(wrong).label(in: try FormatSamples.store()).encoded
        let forged = try FormatSamples.container(
            kind: 2, required: 1, ownHeader: label, plainLength: 121, body: [UInt8](repeating: 3, count: 121))
        #expect(FolderFile.decode(forged, opening: FolderSeal(wrong)).isFuture)
    }

    @Test(
        "cut off it is arriving, with a bit flipped it is damaged, and what is in it must be of its kind, store and lane"
    )
    func spoiled() throws {
        let file = try sealed()
        for count in 0..<file.bytes.count {
            #expect(FolderFile.decode([UInt8](file.bytes[..<count]), opening: seal).isArriving)
        }
        for bit in stride(from: 64, to: file.bytes.count * 8, by: 5) {
            #expect(!FolderFile.decode(FormatSamples.flipped(file.bytes, bit: bit), opening: seal).isVerified)
        }
        for offset in [10, 52] {
            let other = FormatSamples.sealed(FormatSamples.patched(file.bytes, at: offset, UInt8(1)))
            #expect(!FolderFile.decode(other, opening: seal).isVerified, "\(offset)")
        }
    }

    @Test("its lengths are judged by its first bytes, before anything is made of them")
    func lengths() throws {
        let label = [UInt8](repeating: 0x21, count: 40)
        func peek(_ kind: UInt8, plain: UInt64, coding: UInt8 = 0, label: [UInt8]) throws -> FolderFile.Peek {
            let bytes = try FormatSamples.container(
                kind: kind, coding: coding, required: 1, ownHeader: label, plainLength: plain,
                body: [UInt8](repeating: 1, count: 130))
            return FolderFile.peek(bytes[..<88], fileLength: UInt64(bytes.count))
        }
        func isDamaged(_ peek: FolderFile.Peek) -> Bool { if case .damaged = peek { true } else { false } }
        #expect(!isDamaged(try peek(2, plain: 8 << 20 + 4_096, label: label)))
        #expect(!isDamaged(try peek(1, plain: 300 << 20, label: label)))
        #expect(isDamaged(try peek(2, plain: 8 << 20 + 4_097, label: label)))
        #expect(isDamaged(try peek(3, plain: .max, label: label)))
        #expect(isDamaged(try peek(1, plain: 300 << 20 + 1, label: label)))
        #expect(isDamaged(try peek(1, plain: 119, label: label)))
        #expect(isDamaged(try peek(4, plain: 130, label: label)), "notes are not sealed")
        #expect(isDamaged(try peek(1, plain: 130, coding: 1, label: label)))
        #expect(isDamaged(try peek(1, plain: 130, label: [])))
        #expect(isDamaged(try peek(1, plain: 130, label: [UInt8](repeating: 0x21, count: 4_097))))
        #expect(isDamaged(try peek(2, plain: 130, label: label)) == false)
        let long = try FormatSamples.container(
            kind: 2, required: 1, ownHeader: label, plainLength: 200, body: [UInt8](repeating: 1, count: 4_300))
        #expect(FolderFile.decode(long).isDamaged)
    }

    @Test("a label of another form is damage", arguments: [UInt64](1...3))
    func labels(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        let bytes = try sealed().bytes
        for _ in 0..<300 {
            var other = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                other[88 + Int.random(in: 0..<35, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let outcome = FolderFile.decode(FormatSamples.sealed(other), opening: seal)
            #expect(outcome.isDamaged || outcome.isFuture || other == bytes, "seed \(seed)")
        }
    }
}
