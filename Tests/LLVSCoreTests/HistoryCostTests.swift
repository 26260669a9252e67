import LLVSCore
import TestSupport
import Testing

@Suite("History: what a question costs") struct HistoryCostTests {
    @Test("common ancestors of unequal branches cost the versions that differ, however long the history")
    func unequalBranches() throws {
        let builder = StoreBuilder()
        var tip = try builder.save(["0": "0"])
        var costs: [Int] = []
        for round in 0..<300 {
            let longer = try builder.save(["b": "\(round)"], on: try builder.save(["a": "\(round)"], on: tip))
            let shorter = try builder.save(["c": "\(round)"], on: tip)
            // A store that has read nothing yet.
            let storage = CountingStorage(builder.store.storage)
            let store = Store(storage: storage)
            #expect(try store.commonAncestors(longer, shorter).map(\.id) == [tip])
            costs.append(storage.rows)
            tip = try builder.save([:], on: longer, and: shorter)
        }
        // The three that differ, their fork, and at most the parents of that.
        #expect(costs.allSatisfy { $0 <= 6 }, "\(costs.max() ?? 0) rows")
        #expect(costs.suffix(100).max() == costs.prefix(100).max())
    }
}
