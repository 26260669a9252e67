import LLVSCore
import TestSupport
import Testing

/// A value at the common base and on the two sides: nil where it is absent.
struct ForkCase: Sendable, CustomTestStringConvertible {
    let base: String?
    let first: String?
    let second: String?

    static let all: [ForkCase] = {
        let contents: [String?] = [nil, "x", "y", "z"]
        return contents.flatMap { base in
            contents.flatMap { first in contents.map { ForkCase(base: base, first: first, second: $0) } }
        }
    }()

    var testDescription: String {
        "\(base ?? "-") → \(first ?? "-") | \(second ?? "-")"
    }

    /// What the fork is, from the definition of three-way merges; nil: the sides have the value alike.
    var fork: Value.Fork? {
        if first == second { return nil }
        if first == base || second == base {
            let side: Value.Fork.Side = first == base ? .second : .first
            if base == nil { return .inserted(side) }
            return (side == .first ? first : second) == nil ? .removed(side) : .updated(side)
        }
        if first == nil { return .removedAndUpdated(removedOn: .first) }
        if second == nil { return .removedAndUpdated(removedOn: .second) }
        return base == nil ? .twiceInserted : .twiceUpdated
    }

    /// What a merge gives whose conflicts go to `side`.
    func result(keeping side: Value.Fork.Side) -> String? {
        if first == second || second == base { return first }
        if first == base { return second }
        return side == .first ? first : second
    }
}

/// The history of a ``ForkCase``: two children of a base, with a value of their own each.
struct ForkHistory {
    let builder = StoreBuilder()
    let base: Version.ID
    let first: Version.ID
    let second: Version.ID

    /// - Parameters:
    ///   - disputed: whether the two also differ in the value "!", so that the arbiter is asked whatever `fork` is.
    ///   - further: more values that one of the two sets.
    init(_ fork: ForkCase, disputed: Bool = false, further: [Value.ID: String] = [:], by side: Value.Fork.Side = .first)
        throws
    {
        let builder = builder
        let base = try builder.save(fork.base.map { ["v": $0, "0": "0"] } ?? ["0": "0"])
        func child(_ content: String?, _ mark: String, _ more: [Value.ID: String]) throws -> Version.ID {
            var values: [Value.ID: String?] = [try Value.ID(mark): "1"]
            if disputed { values["!"] = .some(mark) }
            for (id, text) in more { values[id] = text }
            if content != fork.base { values.updateValue(content, forKey: "v") }
            return try builder.save(values, on: base)
        }
        // The first side is the one of the smaller id: children are made until they come in the order of the case.
        for attempt in 0... {
            let one = try child(fork.first, "first \(attempt)", side == .first ? further : [:])
            let other = try child(fork.second, "second \(attempt)", side == .second ? further : [:])
            guard one < other else { continue }
            (self.base, first, second) = (base, one, other)
            return
        }
        preconditionFailure("Some pair of ids ascends.")
    }
}

@Suite("Merging: forks") struct MergingForkTests {
    @Test("every combination is the fork it is by definition, in both orders", arguments: ForkCase.all)
    func kinds(_ fork: ForkCase) throws {
        let history = try ForkHistory(fork, disputed: true)
        let arbiter = ScriptedArbiter.keeping(.first)
        _ = try history.builder.mergeBothWays(history.first, history.second, arbiter)
        #expect(arbiter.questions.count == 2)
        for question in arbiter.questions {
            #expect(question.first == history.first && question.second == history.second)
            #expect(question.commonAncestors == [history.base])
            #expect(question.forks["v"] == fork.fork)
            #expect(question.forks["!"] == .twiceInserted)
            #expect(question.forks.count == (fork.fork == nil ? 3 : 4))
            #expect(question.conflicts == (fork.fork?.isConflicting == true ? ["!", "v"] : ["!"]))
        }
    }

    @Test("an arbiter is asked about conflicts and nothing else", arguments: ForkCase.all)
    func asksForConflictsOnly(_ fork: ForkCase) throws {
        for side in [Value.Fork.Side.first, .second] {
            let history = try ForkHistory(fork)
            let arbiter = ScriptedArbiter.keeping(side)
            let merge = try history.builder.mergeBothWays(history.first, history.second, arbiter)
            let isConflict = fork.fork?.isConflicting == true
            #expect(merge.isDecided == isConflict)
            #expect(arbiter.questions.count == (isConflict ? 2 : 0))
            #expect(try history.builder.text("v", at: merge.id) == fork.result(keeping: side))
            #expect(try history.builder.store.version(merge.id).kind == .merge)
        }
    }

    @Test("a merge lists all that it changes against its basis, and no more", arguments: ForkCase.all)
    func minimalAndComplete(_ fork: ForkCase) throws {
        for side in [Value.Fork.Side.first, .second] {
            for further in [[:], ["w": "1"], ["w": "1", "x": "2", "y": "3"]] as [[Value.ID: String]] {
                for author in [Value.Fork.Side.first, .second] {
                    let history = try ForkHistory(fork, further: further, by: author)
                    let merge = try history.builder.merge(
                        history.first, history.second, ScriptedArbiter.keeping(side))
                    try history.builder.expectMinimalChanges(merge.id)
                }
            }
        }
    }

    @Test("the basis is the side that changed more, or the smaller id", arguments: ForkCase.all)
    func basis(_ fork: ForkCase) throws {
        for count in 0...2 {
            for author in [Value.Fork.Side.first, .second] {
                var further: [Value.ID: String] = [:]
                for number in 0..<count { further[try Value.ID("further \(number)")] = "1" }
                let history = try ForkHistory(fork, further: further, by: author)
                var first = 1 + (fork.first != fork.base ? 1 : 0)
                var second = 1 + (fork.second != fork.base ? 1 : 0)
                if author == .first { first += count } else { second += count }
                let merge = try history.builder.merge(history.first, history.second, ScriptedArbiter.keeping(.first))
                let expected = first >= second ? history.first : history.second
                #expect(try history.builder.store.version(merge.id).basis == expected)
            }
        }
    }
}
