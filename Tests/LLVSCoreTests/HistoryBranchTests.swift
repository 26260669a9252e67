import TestSupport
import Testing

@testable import LLVSCore

@Suite("History: branches") struct HistoryBranchTests {
    @Test(
        "heads of a branch are its versions that no other on it descends from", arguments: [31, 32, 33, 34] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try HistoryModel(count: 120, random: &random)
        var expected: [Branch: Set<Version.ID>] = [:]
        for id in model.ids {
            if let branch = model.entries[id]?.branch { expected[branch, default: []].insert(id) }
        }
        let found = try model.store.branches()
        #expect(found.map(\.branch) == expected.keys.sorted(), "seed \(seed)")
        for branch in found {
            let heads = branch.heads
            #expect(Set(heads.map(\.id)) == model.maximal(expected[branch.branch] ?? []), "seed \(seed)")
            #expect(heads == heads.sorted { ($0.generation, $0.id) < ($1.generation, $1.id) })
            #expect(try model.store.heads(of: branch.branch) == heads)
        }
        #expect(try model.store.heads(of: "none") == [])
        #expect(try model.store.verify() == [])
    }

    @Test("a branch that is left for merges and gone on with has one head, and its list stays short")
    func rounds() throws {
        let builder = StoreBuilder()
        var main = try builder.save(["m": "0"])
        var draft = try builder.save(["d": "0"], on: main, branch: "draft")
        for number in 1...50 {
            main = try builder.save(["m": "\(number)"], on: main)
            let merge = try builder.save([:], on: main, and: draft)
            draft = try builder.save(["d": "\(number)"], on: merge, branch: "draft")
        }
        #expect(try builder.store.heads(of: "draft").map(\.id) == [draft])
        let listed = try builder.store.read { try $0.branchHeads([]).count }
        #expect(listed == 1)
    }

    @Test("what a save's short look did not find out, the question does")
    func farAway() throws {
        let builder = StoreBuilder()
        let old = try builder.save(["d": "0"], branch: "draft")
        var main = old
        for number in 0..<(HistoryIndex.mostVisited + 10) { main = try builder.save(["m": "\(number)"], on: main) }
        let new = try builder.save(["d": "1"], on: main, branch: "draft")
        #expect(try builder.store.read { try $0.branchHeads([]).count } == 2)
        #expect(try builder.store.branches().map(\.heads).map { $0.map(\.id) } == [[new]])
    }

    @Test("an empty version begins a branch, counts as work, and takes its parents along")
    func emptyVersion() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "1"])
        let one = try builder.save(["a": "2"], on: base)
        let two = try builder.save(["b": "2"], on: base)
        let merge = try builder.merge(one, two).id
        let made = try builder.store.makeEmptyVersion(basedOn: merge, branch: "draft", now: StoreBuilder.now)
        #expect(made.kind == .authored && made.branch == "draft" && made.parents == [merge])
        #expect(try builder.store.state(of: merge) == .firm)
        #expect(try builder.store.changes(of: made.id) == .empty)
        #expect(try builder.values(at: made.id) == builder.values(at: merge))
        #expect(try builder.store.branches().map(\.branch) == ["draft"])
        #expect(try builder.store.verify() == [])
        let other = StoreBuilder()
        try other.admitAll(of: builder)
        #expect(try other.store.heads().map(\.id) == [made.id])
        #expect(throws: StoreError.self) { try StoreBuilder().store.makeEmptyVersion(basedOn: .root) }
    }
}
