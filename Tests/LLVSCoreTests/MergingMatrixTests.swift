import LLVSCore
import TestSupport
import Testing

/// Every fork, on either side, through every arbiter that comes with the store.
@Suite("Merging: the fork matrix") struct MergingMatrixTests {
    enum BuiltIn: String, CaseIterable, Sendable {
        case recentBranch, recentChange, json, text, routing

        var arbiter: any MergeArbiter {
            switch self {
            case .recentBranch: MostRecentBranchArbiter()
            case .recentChange: MostRecentChangeArbiter()
            case .json: JSONMergeArbiter()
            case .text: TextMergeArbiter()
            case .routing: RoutingArbiter([.prefix("v", MostRecentBranchArbiter())])
            }
        }

        /// What it makes of a conflict, from its description: "x", "y" and "z" are no JSON, and texts of one line.
        func resolution(_ fork: ForkCase, later: Value.Fork.Side) -> String? {
            let laterContent = later == .first ? fork.first : fork.second
            switch self {
            case .recentBranch, .routing: return laterContent
            case .recentChange, .json:
                return fork.first == nil ? fork.second : fork.second == nil ? fork.first : laterContent
            case .text:
                guard let first = fork.first, let second = fork.second else { return fork.first ?? fork.second }
                return [first, second].sorted().joined(separator: "\n")
            }
        }
    }

    /// What a side's history and the other's have in common.
    enum Relation: String, CaseIterable, Sendable {
        /// A version that has the base's content.
        case related
        /// The root alone. Each side inserted what it has, and removed it again where it has nothing.
        case unrelated
    }

    /// The two sides of a fork, ascending by (generation, id).
    private func sides(
        _ fork: ForkCase, _ relation: Relation, later: Value.Fork.Side, in builder: StoreBuilder
    ) throws -> (Version.ID, Version.ID) {
        let now = StoreBuilder.now
        var base = Version.ID.root
        if relation == .related {
            base = try builder.save(fork.base.map { ["v": $0, "0": "0"] } ?? ["0": "0"], at: now)
        }
        func side(_ content: String?, _ mark: String, isLater: Bool) throws -> Version.ID {
            // Two versions each, so that an unrelated side may remove what it inserted.
            let start = try builder.save(
                relation == .related ? [try Value.ID(mark): "1"] : [try Value.ID(mark): "1", "v": content ?? "gone"],
                on: base, at: now + 1)
            var values: [Value.ID: String?] = [try Value.ID(mark): "2"]
            if relation == .related ? content != fork.base : content == nil { values.updateValue(content, forKey: "v") }
            return try builder.save(values, on: start, at: now + (isLater ? 3 : 2))
        }
        for attempt in 0... {
            let one = try side(fork.first, "first \(attempt)", isLater: later == .first)
            let other = try side(fork.second, "second \(attempt)", isLater: later == .second)
            if one < other { return (one, other) }
        }
        preconditionFailure("Some pair of ids ascends.")
    }

    /// What the base has does not matter, only whether it has something.
    static let cases = ForkCase.all.filter { $0.base == nil || $0.base == "x" }

    @Test("every cell gives what its arbiter says, in both orders", arguments: BuiltIn.allCases, cases)
    func cell(_ builtIn: BuiltIn, _ fork: ForkCase) throws {
        let isConflict = fork.fork?.isConflicting == true
        for later in isConflict ? [Value.Fork.Side.first, .second] : [.second] {
            let builder = StoreBuilder()
            let (one, other) = try sides(fork, .related, later: later, in: builder)
            let merge = try builder.mergeBothWays(one, other, builtIn.arbiter)
            let expected = isConflict ? builtIn.resolution(fork, later: later) : fork.result(keeping: .first)
            #expect(merge.isDecided == isConflict)
            #expect(try builder.text("v", at: merge.id) == expected, "\(later) is later")
            try builder.expectMinimalChanges(merge.id)
        }
    }

    @Test(
        "without a common version all content was inserted, whatever came between", arguments: BuiltIn.allCases,
        ForkCase.all.filter { $0.base == nil })
    func unrelated(_ builtIn: BuiltIn, _ fork: ForkCase) throws {
        for later in [Value.Fork.Side.first, .second] {
            let builder = StoreBuilder()
            let (one, other) = try sides(fork, .unrelated, later: later, in: builder)
            let merge = try builder.mergeBothWays(one, other, builtIn.arbiter)
            let isConflict = fork.fork == .twiceInserted
            // Content that no edit followed was stored at the same time on both sides: the greater version wins.
            var newer = later
            if isConflict, builtIn == .recentChange || builtIn == .json {
                let stored = try [one, other].map { try #require(builder.references(at: $0)["v"]).version }
                newer = stored[0] > stored[1] ? .first : .second
            }
            let expected = isConflict ? builtIn.resolution(fork, later: newer) : fork.result(keeping: .first)
            #expect(merge.isDecided == isConflict)
            #expect(try builder.text("v", at: merge.id) == expected, "\(later) is later")
            try builder.expectMinimalChanges(merge.id)
        }
    }

    @Test("the cases are all seven forks on both sides, and the one that is none")
    func complete() {
        let sides = [Value.Fork.Side.first, .second]
        var forks: Set<Value.Fork> = [.twiceInserted, .twiceUpdated]
        for side in sides {
            forks.formUnion([.inserted(side), .removed(side), .updated(side), .removedAndUpdated(removedOn: side)])
        }
        #expect(Set(Self.cases.compactMap(\.fork)) == forks)
        // Removed on both sides: alike, and so listed nowhere.
        #expect(Self.cases.contains { $0.base != nil && $0.first == nil && $0.second == nil && $0.fork == nil })
    }
}
