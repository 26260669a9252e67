import LLVSCore
import TestSupport
import Testing

@Suite("Merging: heads whose merge fails") struct MergingFailureTests {
    @Test(
        "an arbiter that misbehaves costs the head it was asked about, and no other",
        arguments: MergingAnswerTests.Misbehaviour.allCases)
    func otherHeadsAreMerged(_ misbehaviour: MergingAnswerTests.Misbehaviour) async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["0": "0", "v": "0"])
        let one = try builder.save(["v": "1"], on: base)
        let two = try builder.save(["v": "2"], on: base)
        for number in 0..<3 { try builder.save([try Value.ID("other \(number)"): "1"], on: base) }
        let arbiter = ScriptedArbiter { _ in misbehaviour.changes }
        let coordinator = StoreCoordinator(store: builder.store, arbiter: arbiter, clock: { StoreBuilder.now })
        let versions = try builder.store.versionCount()
        let outcome = try await coordinator.merge()
        #expect(outcome.left.map(\.head) == [max(one, two)])
        #expect(outcome.left.allSatisfy { $0.reason.contains(misbehaviour.valueNamed) })
        #expect(outcome.made == 3)
        #expect(
            try builder.values(at: outcome.current)
                == ["0": "0", "v": one < two ? "1" : "2", "other 0": "1", "other 1": "1", "other 2": "1"])
        // What was merged needed no decision, and the failed merge left nothing behind.
        #expect(try builder.store.versionCount() == versions)
        #expect(try builder.store.verify() == [])
        let before = try builder.store.storage.contents()
        #expect(try await coordinator.merge().left == outcome.left)
        #expect(try builder.store.storage.contents() == before)
    }

    @Test("two devices that have the same heads make the same version of contents")
    func sameEverywhere() async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["j": "{\"a\":[1],\"b\":0,\"c\":0}", "t": "1\n2\n3"])
        for number in 0..<4 {
            try builder.save(
                ["j": "{\"a\":[1,\(number)],\"b\":\(number),\"c\":0,\"d\(number)\":1}", "t": "1\n2 \(number)\n3"],
                on: base, at: StoreBuilder.now + Int64(number % 2))
        }
        let other = StoreBuilder()
        try other.admitAll(of: builder)
        var merged: [Version.ID] = []
        for store in [builder.store, other.store] {
            let arbiter = RoutingArbiter(
                [.prefix("j", JSONMergeArbiter(arrays: [["a"]: .set])), .prefix("t", TextMergeArbiter())])
            let outcome = try await StoreCoordinator(store: store, arbiter: arbiter).merge()
            #expect(outcome.left.isEmpty)
            merged.append(outcome.current)
        }
        #expect(merged[0] == merged[1])
        let values = try builder.values(at: merged[0])
        #expect(try other.values(at: merged[1]) == values)
        let json = try #require(values["j"])
        for number in 0..<4 { #expect(json.contains("\"d\(number)\":1")) }
        #expect(json.hasPrefix("{\"a\":[1,0,2,3],"))
        let lines = try #require(values["t"]?.split(separator: "\n"))
        #expect(Set(lines) == ["1", "2 0", "2 1", "2 2", "2 3", "3"] && lines.count == 6)
    }
}
