import CPlatform
import LLVSCore
import Testing

@Suite("Model: SHA-256") struct ModelSHA256Tests {
    private static func pattern(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(($0 * 7 + count) % 251) } }

    /// Published by NIST with FIPS 180-4.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        ),
        (
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"
        ),
    ]) func publishedVector(text: String, digest: String) {
        #expect(SHA256.hash([UInt8](text.utf8)).bytes.hex == digest)
    }

    @Test func aMillionLetters() {
        let digest = "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        #expect(SHA256.hash([UInt8](repeating: 0x61, count: 1_000_000)).bytes.hex == digest)
        var hash = SHA256()
        for _ in 0..<1_000 { hash.update([UInt8](repeating: 0x61, count: 1_000)) }
        #expect(hash.digest().bytes.hex == digest)
    }

    /// Both kinds of code in a process of their own, because the switch is for the whole process.
    @Test func everyLengthIsTheSameByHardwareAndByHand() async {
        await #expect(processExitsWith: .success) {
            let byDefault = (0...300).map { SHA256.hash(ModelSHA256Tests.pattern($0)) }
            cplatform_sha256_force_portable(1)
            #expect(cplatform_sha256_is_accelerated() == 0)
            for (count, digest) in byDefault.enumerated() {
                #expect(SHA256.hash(ModelSHA256Tests.pattern(count)) == digest, "\(count) bytes")
            }
            // Python's hashlib: the SHA-256 of the 301 digests, end to end.
            let all = SHA256.hash(byDefault.flatMap(\.bytes)).bytes.hex
            #expect(all == "d2606c72e64eadacbe60c817c8a74d1c658cc446db20c6735634c2665c7d7cf6")
        }
    }

    @Test func piecesHashLikeTheWhole() {
        let whole = Self.pattern(300)
        for first in 0...130 {
            for second in stride(from: first, through: 300, by: 13) {
                var hash = SHA256()
                hash.update(whole[..<first])
                hash.update(whole[first..<second])
                hash.update([UInt8](whole[second...]))
                #expect(hash.digest() == SHA256.hash(whole), "cut at \(first) and \(second)")
            }
        }
    }

    @Test func digestLeavesTheHashAsItWas() {
        var hash = SHA256()
        hash.update([1, 2])
        let copy = hash
        #expect(hash.digest() == hash.digest())
        hash.update([3])
        #expect(hash.digest() == SHA256.hash([1, 2, 3]))
        #expect(copy.digest() == SHA256.hash([1, 2]))
        hash.update(Digest.zero)
        #expect(hash.digest() == SHA256.hash([1, 2, 3] + [UInt8](repeating: 0, count: 32)))
    }
}
