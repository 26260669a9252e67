import LLVSCore
import TestSupport
import Testing

/// Which base a merge has, in histories where that is not obvious.
@Suite("Merging: the base") struct MergingBaseTests {
    private let builder = StoreBuilder()

    @Test("a side branch that was merged late does not pull the base down")
    func lateSideBranch() throws {
        let a = try builder.save(["uu": "0", "vv": "0"])
        let b = try builder.save(["b": "1"], on: a)
        let c = try builder.save(["c": "1"], on: b)
        let d = try builder.save(["d": "1"], on: c)
        let x = try builder.save(["x": "1"], on: a)
        let y = try builder.save(["y": "1"], on: d)
        let y2 = try builder.save(["vv": nil, "uu": "newer"], on: y)
        let s = try builder.merge(y2, x).id
        let f = try builder.save(["f": "1"], on: d)
        #expect(try builder.store.commonAncestors(f, s).map(\.id) == [d])
        #expect(try builder.store.commonAncestors(s, f).map(\.id) == [d])
        let merge = try builder.mergeBothWays(f, s)
        #expect(!merge.isDecided)
        let expected: [Value.ID: String] = ["uu": "newer", "b": "1", "c": "1", "d": "1", "x": "1", "y": "1", "f": "1"]
        #expect(try builder.values(at: merge.id) == expected)
    }

    /// Two authored merges of the same parents, which have all of `parents` as their maximal common ancestors.
    private func crissCross(
        _ parents: [Version.ID], first: [Value.ID: String?], second: [Value.ID: String?]
    ) throws -> (Version.ID, Version.ID) {
        func merged(_ parents: [Version.ID], _ values: [Value.ID: String?], _ mark: String) throws -> Version.ID {
            var tip = parents[0]
            for (index, parent) in parents.enumerated().dropFirst() {
                let isLast = index == parents.count - 1
                tip = try builder.save(
                    isLast ? values : [:], on: tip, and: parent, metadata: ["mark": [UInt8](mark.utf8)])
            }
            return tip
        }
        let one = try merged(parents, first, "one")
        let two = try merged(Array(parents.reversed()), second, "two")
        #expect(try Set(builder.store.commonAncestors(one, two).map(\.id)) == Set(parents))
        return (one, two)
    }

    @Test("criss-cross: what one ancestor changed is the base, so that a change of it is no conflict")
    func crissCrossOfTwo() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["p": "1"], on: r)
        let p2 = try builder.save(["x": "1"], on: r)
        let (m1, m2) = try crissCross([p1, p2], first: ["x": "1"], second: ["x": "0"])
        #expect(try builder.text("x", at: m1) == "1")
        let merge = try builder.mergeBothWays(m1, m2)
        #expect(!merge.isDecided)
        #expect(try builder.text("x", at: merge.id) == "0")
    }

    @Test("criss-cross of a merge and a person's resolution back: the resolution stays, and nobody is asked")
    func crissCrossWithResolution() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["p": "1"], on: r)
        let p2 = try builder.save(["x": "1"], on: r)
        let m1 = try builder.merge(p1, p2).id
        let m2 = try builder.save(["x": "0"], on: p1, and: p2)
        #expect(try builder.text("x", at: m1) == "1" && builder.text("x", at: m2) == "0")
        let merge = try builder.mergeBothWays(m1, m2)
        #expect(try builder.text("x", at: merge.id) == "0")
    }

    @Test("criss-cross: what the ancestors changed differently has no base, and the arbiter is asked")
    func crissCrossInConflict() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let (m1, m2) = try crissCross([p1, p2], first: ["x": "1"], second: ["x": "2"])
        let arbiter = ScriptedArbiter { merge in
            #expect(try merge.baseContent("x") == nil)
            return [try merge.keeping(.second, of: "x")]
        }
        let merge = try builder.mergeBothWays(m1, m2, arbiter)
        let question = try #require(arbiter.questions.first)
        #expect(merge.isDecided && question.forks == ["x": .twiceUpdated])
        #expect(question.commonAncestors == [p1, p2].sorted())
        #expect(try builder.values(at: merge.id) == builder.values(at: question.second))
        try builder.expectMinimalChanges(merge.id)
    }

    @Test("without a base a removal is in conflict, too")
    func crissCrossRemoval() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let (m1, m2) = try crissCross([p1, p2], first: ["x": nil], second: ["x": "2"])
        let arbiter = ScriptedArbiter.keeping(.first)
        let merge = try builder.mergeBothWays(m1, m2, arbiter)
        let question = try #require(arbiter.questions.first)
        #expect(question.forks["x"] == .removedAndUpdated(removedOn: question.first == m1 ? .first : .second))
        #expect(try builder.text("x", at: merge.id) == builder.text("x", at: question.first))
    }

    /// x at three common ancestors, and at the two sides that have them.
    struct ThreeAncestors: Sendable, CustomTestStringConvertible {
        let ancestors: [String?]
        let sides: (String?, String?)
        /// Whether the arbiter is asked.
        let isConflict: Bool
        let result: String?

        var testDescription: String { "\(ancestors.map { $0 ?? "-" }) → \(sides)" }
    }

    @Test(
        "criss-cross of three: ancestors that agree, or of which one changed it, are the base",
        arguments: [
            ThreeAncestors(ancestors: ["1", "0", "0"], sides: ("1", "0"), isConflict: false, result: "0"),
            ThreeAncestors(ancestors: ["0", "1", "0"], sides: ("0", "1"), isConflict: false, result: "0"),
            ThreeAncestors(ancestors: ["0", "0", "1"], sides: ("2", "1"), isConflict: false, result: "2"),
            ThreeAncestors(ancestors: ["1", "1", "1"], sides: ("1", "0"), isConflict: false, result: "0"),
            ThreeAncestors(ancestors: ["0", "1", "1"], sides: (nil, "1"), isConflict: false, result: nil),
            ThreeAncestors(ancestors: ["1", "2", "0"], sides: ("1", "2"), isConflict: true, result: nil),
            ThreeAncestors(ancestors: ["1", "2", "1"], sides: ("1", "2"), isConflict: true, result: nil),
            ThreeAncestors(ancestors: ["1", nil, "0"], sides: ("1", "0"), isConflict: true, result: nil),
            ThreeAncestors(ancestors: ["1", "2", "3"], sides: ("0", "0"), isConflict: false, result: "0"),
        ])
    func crissCrossOfThree(_ given: ThreeAncestors) throws {
        let r = try builder.save(["x": "0"])
        let parents = try given.ancestors.enumerated().map { index, text in
            var values: [Value.ID: String?] = [try Value.ID("p\(index)"): "1"]
            if text != "0" { values.updateValue(text, forKey: "x") }
            return try builder.save(values, on: r)
        }
        func side(_ text: String?) -> [Value.ID: String?] { [Value.ID("x"): text] }
        let (m1, m2) = try crissCross(parents, first: side(given.sides.0), second: side(given.sides.1))
        let arbiter = ScriptedArbiter.keeping(.first)
        let merge = try builder.mergeBothWays(m1, m2, arbiter)
        #expect(merge.isDecided == given.isConflict)
        let result = given.isConflict ? try builder.text("x", at: min(m1, m2)) : given.result
        #expect(try builder.text("x", at: merge.id) == result)
    }

    @Test("a criss-cross below a criss-cross that disagrees gives no base rather than a wrong one")
    func nested() throws {
        let r = try builder.save(["x": "0", "y": "0"])
        let a = try builder.save(["x": "1"], on: r)
        let b = try builder.save(["x": "2"], on: r)
        let (c, d) = try crissCross([a, b], first: ["x": "1"], second: ["x": "3", "y": "d"])
        let (m1, m2) = try crissCross([c, d], first: ["x": "1", "y": "0"], second: ["x": "3", "y": "d"])
        let arbiter = ScriptedArbiter.keeping(.first)
        let merge = try builder.mergeBothWays(m1, m2, arbiter)
        // y was "0" at both of the lower ancestors: its base is d's, and m1 changed it back.
        #expect(arbiter.questions.map(\.conflicts) == [["x"], ["x"]])
        #expect(try builder.text("y", at: merge.id) == "0")
        #expect(try builder.text("x", at: merge.id) == builder.text("x", at: min(m1, m2)))
    }

    @Test("a merge of merges with equal content has no conflict about it, and lists no fork")
    func equalContent() throws {
        let r = try builder.save(["x": "0", "y": "0"])
        let p1 = try builder.save(["x": "1", "y": "1"], on: r)
        let p2 = try builder.save(["x": "2", "y": "2"], on: r)
        let (m1, m2) = try crissCross([p1, p2], first: ["x": "1", "y": "1"], second: ["x": "1", "y": "2"])
        let arbiter = ScriptedArbiter.keeping(.first)
        let merge = try builder.mergeBothWays(m1, m2, arbiter)
        #expect(arbiter.questions.map(\.forks) == [["y": .twiceUpdated], ["y": .twiceUpdated]])
        #expect(try builder.text("x", at: merge.id) == "1")
    }

    @Test("merges with equal content of everything are joined or merged without a question")
    func equalThroughout() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let (m1, m2) = try crissCross([p1, p2], first: ["x": "3"], second: ["x": "3"])
        let merge = try builder.mergeBothWays(m1, m2)
        #expect(try builder.store.changes(of: merge.id).entries.isEmpty)
        #expect(try builder.text("x", at: merge.id) == "3")
    }

    @Test("versions without a common version have the root as their base")
    func unrelated() throws {
        let one = try builder.save(["x": "1", "one": "1"])
        let two = try builder.save(["x": "1", "two": "2"])
        #expect(try builder.store.commonAncestors(one, two) == [.root])
        let merge = try builder.mergeBothWays(one, two)
        #expect(try builder.values(at: merge.id) == ["x": "1", "one": "1", "two": "2"])
    }

    @Test("a version and its descendant merge into the descendant")
    func fastForward() throws {
        let one = try builder.save(["x": "1"])
        let two = try builder.save(["x": "2"], on: one)
        #expect(try builder.mergeBothWays(one, two).id == two)
        #expect(try builder.mergeBothWays(.root, two).id == two)
        #expect(try builder.mergeBothWays(two, two).id == two)
    }
}
