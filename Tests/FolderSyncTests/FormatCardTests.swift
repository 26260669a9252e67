import LLVSCore
import Testing

@testable import FolderSync

@Suite("Identity card")
struct FormatCardTests {
    private func card() throws -> [UInt8] { try FormatSamples.vector("card") }

    private func newer(_ floor: String = "2") -> [UInt8] {
        let head = [UInt8]("FolderSync store card\nfloor \(floor)\nmore that is not known\n".utf8)
        return head + [UInt8]("sha256 \(SHA256.hash(head).base32)\n".utf8)
    }

    @Test("it is written byte for byte as the format says, and read again")
    func golden() throws {
        let card = IdentityCard(store: try FormatSamples.store())
        #expect(card.encoded == (try self.card()))
        #expect(card.encoded.count == IdentityCard.byteCount)
        #expect(IdentityCard.byteCount == 123)
        #expect(IdentityCard.decode(card.encoded) == .verified(card))
        #expect(card.fileName.text == "aaaqeayeaudaocajbifqydiob4.store")
    }

    @Test("the cards of many stores are read again", arguments: [UInt64](1...10))
    func roundTrip(seed: UInt64) {
        var random = FormatRandom(seed: seed)
        for _ in 0..<50 {
            let card = IdentityCard(store: .random(using: &random))
            #expect(IdentityCard.decode(card.encoded) == .verified(card), "seed \(seed)")
        }
    }

    @Test("cut off anywhere it is arriving")
    func truncated() throws {
        let card = try card()
        for count in 0..<card.count {
            let expected: UInt64? = count < 36 ? nil : 123
            #expect(
                IdentityCard.decode([UInt8](card[..<count])) == .arriving(have: UInt64(count), of: expected), "\(count)"
            )
        }
    }

    @Test("with any bit flipped it is not verified, and the card of no other store")
    func bitFlips() throws {
        let card = try card()
        for bit in 0..<(card.count * 8) {
            let outcome = IdentityCard.decode(FormatSamples.flipped(card, bit: bit))
            #expect(!outcome.isVerified && !outcome.isFuture, "bit \(bit)")
            if bit / 8 >= IdentityCard.magic.count { #expect(outcome.isDamaged, "bit \(bit)") }
        }
    }

    @Test("longer, blank or translated it is damaged")
    func damaged() throws {
        let card = try card()
        #expect(IdentityCard.decode(card + [10]).isDamaged)
        #expect(IdentityCard.decode(card + card).isDamaged)
        #expect(IdentityCard.decode([UInt8](repeating: 0, count: card.count)).isDamaged)
        #expect(IdentityCard.decode(card.flatMap { $0 == 10 ? [13, 10] : [$0] }).isForeign)
        #expect(IdentityCard.decode(IdentityCard.magic + [UInt8](repeating: 10, count: 5_000)).isDamaged)
    }

    @Test("other files are foreign")
    func foreign() {
        #expect(IdentityCard.decode([UInt8]("LLVSfile".utf8)).isForeign)
        #expect(IdentityCard.decode([UInt8]("FolderSync store car!".utf8)).isForeign)
        #expect(IdentityCard.decode([UInt8](repeating: 32, count: 100_000)).isForeign)
    }

    @Test("a higher floor is from a newer version once its hash is right", arguments: ["2", "10", "999999999"])
    func newerFloor(_ floor: String) {
        let card = newer(floor)
        #expect(IdentityCard.decode(card) == .future("it is a card of format \(floor)"))
        for count in 0..<card.count { #expect(IdentityCard.decode([UInt8](card[..<count])).isArriving, "\(count)") }
        for bit in 0..<(card.count * 8) {
            let outcome = IdentityCard.decode(FormatSamples.flipped(card, bit: bit))
            #expect(!outcome.isVerified && !outcome.isFuture, "bit \(bit)")
        }
    }

    @Test("a floor that is no number is damage", arguments: ["0", "01", "-1", "", "x", "1 ", "1234567890"])
    func badFloor(_ floor: String) {
        #expect(IdentityCard.decode(newer(floor)).isDamaged)
    }
}
