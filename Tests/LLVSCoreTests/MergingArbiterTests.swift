import LLVSCore
import TestSupport
import Testing

@Suite("Merging: the arbiters that come with the store") struct MergingArbiterTests {
    private let fiveYears = Int64(Recency.comparableMilliseconds)
    private let start = StoreBuilder.now

    /// Two heads that update "v" to the time they were made, and what an arbiter makes of them.
    private func winner(
        _ arbiter: any MergeArbiter, first: [Int64], second: [Int64], valueAt index: (first: Int, second: Int) = (0, 0)
    ) throws -> String? {
        let builder = StoreBuilder()
        let base = try builder.save(["v": "base"], at: start - 10 * fiveYears)
        func side(_ times: [Int64], _ name: String, _ valueAt: Int) throws -> Version.ID {
            var tip = base
            for (index, time) in times.enumerated() {
                let values: [Value.ID: String?] =
                    index == valueAt ? ["v": name] : [try Value.ID("\(name) \(index)"): "1"]
                tip = try builder.save(values, on: tip, at: time)
            }
            return tip
        }
        let one = try side(first, "one", index.first)
        let two = try side(second, "two", index.second)
        return try builder.text("v", at: builder.mergeBothWays(one, two, arbiter).id)
    }

    @Test("of two branches the one whose version is later wins")
    func branchByStamp() throws {
        let arbiter = MostRecentBranchArbiter()
        #expect(try winner(arbiter, first: [start + 1], second: [start]) == "one")
        #expect(try winner(arbiter, first: [start], second: [start + 1]) == "two")
        // The value itself may be older.
        #expect(try winner(arbiter, first: [start, start + 2], second: [start + 1]) == "one")
    }

    @Test("of two changes the one that was stored later wins, however late its version is")
    func changeByStamp() throws {
        let arbiter = MostRecentChangeArbiter()
        #expect(try winner(arbiter, first: [start + 1], second: [start]) == "one")
        #expect(try winner(arbiter, first: [start], second: [start + 1]) == "two")
        #expect(try winner(arbiter, first: [start, start + 2], second: [start + 1]) == "two")
        #expect(try winner(arbiter, first: [start, start + 2], second: [start - 1, start + 1], valueAt: (1, 1)) == "one")
    }

    @Test("stamps more than five years apart are not compared: the longer history wins", arguments: [true, false])
    func fiveYearRule(ofBranches: Bool) throws {
        let arbiter: any MergeArbiter = ofBranches ? MostRecentBranchArbiter() : MostRecentChangeArbiter()
        // Exactly five years are compared.
        let last = (first: 1, second: 0)
        #expect(try winner(arbiter, first: [start, start + 1], second: [start + 1 + fiveYears], valueAt: last) == "two")
        #expect(try winner(arbiter, first: [start, start + 1], second: [start + 2 + fiveYears], valueAt: last) == "one")
    }

    @Test("equal stamps: the greater id wins", arguments: [true, false])
    func equalStamps(ofBranches: Bool) throws {
        let arbiter: any MergeArbiter = ofBranches ? MostRecentBranchArbiter() : MostRecentChangeArbiter()
        for mark in 0..<8 {
            let builder = StoreBuilder()
            let base = try builder.save(["v": "base"], at: start - 10)
            let one = try builder.save(["v": "one", "mark": "\(mark)"], on: base)
            let two = try builder.save(["v": "two"], on: base)
            let merge = try builder.mergeBothWays(one, two, arbiter)
            #expect(try builder.text("v", at: merge.id) == (one > two ? "one" : "two"))
        }
    }

    @Test("an update beats a removal that came later", arguments: [true, false])
    func updateBeatsRemoval(removesFirst: Bool) throws {
        let builder = StoreBuilder()
        let base = try builder.save(["v": "base"])
        let update = try builder.save(["v": "updated"], on: base, at: start + 1)
        let removal = try builder.save(["v": nil], on: base, at: start + 1_000)
        let sides = removesFirst ? (removal, update) : (update, removal)
        let merge = try builder.mergeBothWays(sides.0, sides.1, MostRecentChangeArbiter())
        #expect(try builder.text("v", at: merge.id) == "updated")
        // Of branches, the later one wins as a whole.
        let byBranch = try builder.mergeBothWays(sides.0, sides.1, MostRecentBranchArbiter())
        #expect(try builder.text("v", at: byBranch.id) == nil)
    }
}
