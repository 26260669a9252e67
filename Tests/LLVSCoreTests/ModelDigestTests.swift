import LLVSCore
import Testing

@Suite("Model: digests and base32") struct ModelDigestTests {
    /// RFC 4648, section 10, in lower case and without padding.
    @Test(arguments: [
        ("", ""), ("f", "my"), ("fo", "mzxq"), ("foo", "mzxw6"), ("foob", "mzxw6yq"), ("fooba", "mzxw6ytb"),
        ("foobar", "mzxw6ytboi"),
    ]) func publishedVector(text: String, characters: String) {
        #expect(Base32.encode([UInt8](text.utf8)) == characters)
        #expect(Base32.decode(characters.utf8) == [UInt8](text.utf8))
    }

    @Test func everyLengthReadsBack() {
        var random = ModelRandom(seed: 32)
        for count in 0...100 {
            let bytes = random.bytes(count)
            let text = Base32.encode(bytes)
            #expect(text.utf8.count == Base32.characterCount(ofBytes: count))
            #expect(Base32.decode(text.utf8) == bytes)
        }
        #expect(Base32.characterCount(ofBytes: 16) == 26)
        #expect(Base32.characterCount(ofBytes: 32) == 52)
    }

    @Test(arguments: ["a", "aaa", "aaaaaa", "MY", "mz", "my=", "my======", "m1", "m0", "m8", "mé", "m y", "aaaaaaaaa"])
    func otherSpellingsAreRefused(text: String) {
        #expect(Base32.decode(text.utf8) == nil)
    }

    @Test func onlyOneLastCharacterInSixteenIsADigest() {
        let start = String(repeating: "a", count: 51)
        let accepted = "abcdefghijklmnopqrstuvwxyz234567".filter { Digest(base32: start + String($0)) != nil }
        #expect(accepted == "aq")
        #expect(Digest(base32: start) == nil)
        #expect(Digest(base32: start + "aaaaaaaa") == nil)
        #expect(Digest(base32: start + "a") == .zero)
    }

    @Test func digestReadsBackAndOrdersByBytes() {
        var random = ModelRandom(seed: 1)
        var digests: [Digest] = []
        for _ in 0..<200 {
            let bytes = random.bytes(32)
            guard let digest = Digest(bytes: bytes) else {
                Issue.record("32 bytes are a digest")
                continue
            }
            #expect(digest.bytes == bytes)
            #expect(digest.withUnsafeBytes { [UInt8]($0) } == bytes)
            #expect(Digest(base32: digest.base32) == digest)
            #expect(digest.description == digest.base32)
            digests.append(digest)
        }
        #expect(digests.sorted().map(\.bytes) == digests.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
        #expect(Digest(bytes: random.bytes(31)) == nil)
        #expect(Digest(bytes: random.bytes(33)) == nil)
        #expect(Digest(bytes: []) == nil)
    }
}
