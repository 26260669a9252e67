import TestSupport
import Testing

@testable import LLVSCore

@Suite("History: resolved forks") struct HistoryForkTests {
    @Test("they are the conflicts that brute force finds, and what each became", arguments: [41, 42, 43] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try HistoryModel(count: 120, random: &random)
        let store = model.store
        func text(_ reference: Value.Reference?) throws -> String? {
            try reference.flatMap { try model.builder.text($0.id, at: $0.version) }
        }
        let forks = try store.resolvedForks(from: store.heads().map(\.id)).collected()
        var found: Set<HistoryModel.Conflict> = []
        for fork in forks where model.hasOneBase(fork.merge.id) {
            found.insert(
                HistoryModel.Conflict(
                    merge: fork.merge.id, id: fork.id,
                    sides: [try text(fork.firstReference), try text(fork.secondReference)],
                    result: try text(fork.result)))
        }
        let expected = model.conflicts()
        #expect(found == expected, "seed \(seed)")
        #expect(expected.count > 10)
        let order = forks.map { ($0.merge.generation, $0.merge.id) }
        #expect(zip(order, order.dropFirst()).allSatisfy { $0 >= $1 }, "seed \(seed)")
    }

    @Test("the side that lost is named, and its content is still read", arguments: [Value.Fork.Side.first, .second])
    func lost(winner: Value.Fork.Side) throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "0", "b": "0"])
        let one = try builder.save(["a": "1"], on: base)
        let two = try builder.save(["a": "2", "b": "2"], on: base)
        let merge = try builder.merge(one, two, ScriptedArbiter.keeping(winner)).id
        let forks = try builder.store.resolvedForks(from: [merge]).collected()
        try #require(forks.map(\.id) == ["a"])
        #expect(forks[0].fork == .twiceUpdated && forks[0].outcome == .kept(winner))
        #expect([forks[0].first, forks[0].second] == [one, two].sorted())
        let lost = try #require(forks[0].lost.first)
        #expect(forks[0].lost.count == 1)
        #expect(lost.version == (winner == .first ? forks[0].second : forks[0].first))
        let kept = try builder.text("a", at: merge)
        #expect(try builder.text("a", at: lost.version) == (kept == "1" ? "2" : "1"))
    }

    @Test("a person's third content is a replacement of both; a removal against an update lost it")
    func replaced() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "0", "b": "0", "c": "0"])
        let one = try builder.save(["a": "1", "b": nil], on: base)
        let two = try builder.save(["a": "2", "b": "2", "c": "2"], on: base)
        // "c" was changed on one side only, and is decided against that side.
        let merge = try builder.save(["a": "3", "b": nil, "c": "0"], on: one, and: two)
        let forks = try builder.store.resolvedForks(from: [merge]).collected()
        #expect(forks.map(\.id) == ["a", "b", "c"])
        #expect(forks[0].outcome == .replaced && forks[0].lost.count == 2)
        #expect(forks[1].result == nil && forks[1].lost.map(\.version) == [two])
        #expect(forks[2].lost.map(\.version) == [two] && !forks[2].fork.isConflicting)
    }

    @Test("a merge without a conflict and a join decide nothing; lines without merges neither")
    func nothing() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "0"])
        let one = try builder.save(["a": "1"], on: base)
        let two = try builder.save(["b": "2"], on: base)
        let merge = try builder.merge(one, two).id
        #expect(try builder.store.resolvedForks(from: [merge, one]).collected() == [])
    }

    @Test("the forks of a criss-cross are asked against its virtual base")
    func crissCross() throws {
        let builder = StoreBuilder()
        let root = try builder.save(["x": "0"])
        let one = try builder.save(["other": "1"], on: root)
        let two = try builder.save(["x": "1"], on: root)
        let kept = try builder.save(["other": "1"], on: two, and: one)
        let back = try builder.save(["x": "0"], on: one, and: two)
        let merge = try builder.save(["x": "0"], on: kept, and: back)
        let forks = try builder.store.resolvedForks(from: [merge]).collected()
        // Back to 0 was decided against the only side that had changed x; the outer merge took it without a conflict.
        #expect(forks.map(\.merge.id) == [back])
    }
}
