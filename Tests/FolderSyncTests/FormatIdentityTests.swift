import Testing

@testable import FolderSync

@Suite("Identities of stores and lanes")
struct FormatIdentityTests {
    @Test("16 bytes are written as 26 characters and back")
    func text() throws {
        let store = try FormatSamples.store()
        #expect(store.description == "aaaqeayeaudaocajbifqydiob4")
        #expect(store.description == (try FormatSamples.text("store.text")))
        #expect(StoreIdentity("aaaqeayeaudaocajbifqydiob4") == store)
        #expect(store.bytes == [UInt8](0..<16))
        #expect(try FormatSamples.laneA().description == (try FormatSamples.text("lane.a.text")))
        #expect(LaneID(try FormatSamples.text("lane.b.text")) == (try FormatSamples.laneB()))
    }

    @Test(
        "no other text is an identity",
        arguments: [
            "", "aaaqeayeaudaocajbifqydiob", "aaaqeayeaudaocajbifqydiob44", "aaaqeayeaudaocajbifqydiob5",
            "AAAQEAYEAUDAOCAJBIFQYDIOB4", "aaaqeayeaudaocajbifqydio14", "aaaqeayeaudaocajbifqydiob=",
            " aaaqeayeaudaocajbifqydiob", "aaaqeayeaudaocajbifqydioé",
        ])
    func otherText(_ text: String) {
        #expect(StoreIdentity(text) == nil)
        #expect(LaneID(text) == nil)
    }

    @Test("other numbers of bytes are no identity", arguments: [0, 1, 15, 17, 32])
    func otherLengths(_ count: Int) {
        #expect(StoreIdentity(bytes: [UInt8](repeating: 1, count: count)) == nil)
        #expect(LaneID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("identities order like their bytes")
    func order() {
        var random = FormatRandom(seed: 1)
        let lanes = (0..<200).map { _ in LaneID.random(using: &random) }
        for (left, right) in zip(lanes, lanes.dropFirst()) {
            #expect((left < right) == left.bytes.lexicographicallyPrecedes(right.bytes))
        }
    }

    @Test("no two are alike")
    func random() {
        #expect(Set((0..<1_000).map { _ in StoreIdentity.random() }).count == 1_000)
        #expect(Set((0..<1_000).map { _ in LaneID.random() }).count == 1_000)
    }
}
