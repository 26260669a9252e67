import Foundation
import LLVSCore
import Synchronization
import TestSupport
import Testing

/// JSON at the base and on both sides, and what is to become of it.
struct JSONFork: Sendable, CustomTestStringConvertible {
    let base: String?
    let first: String
    let second: String
    let result: String
    var later = Value.Fork.Side.second

    init(_ base: String?, _ first: String, _ second: String, _ result: String, later: Value.Fork.Side = .second) {
        (self.base, self.first, self.second, self.result, self.later) = (base, first, second, result, later)
    }

    var testDescription: String { "\(base ?? "-") → \(first) | \(second)" }

    func check(_ arbiter: any MergeArbiter) throws {
        #expect(try ContentFork(text: base, first, second, later: later).mergedText(arbiter) == result)
        let other: Value.Fork.Side = later == .first ? .second : .first
        let swapped = try ContentFork(text: base, second, first, later: other).mergedText(arbiter)
        #expect(swapped == result, "with the sides swapped")
    }
}

@Suite("Merging JSON: property by property") struct MergingJSONTests {
    @Test(
        "what one side changed is kept, whatever the other changed beside it",
        arguments: [
            JSONFork("{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":1}", "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":2}"),
            JSONFork("{\"a\":1}", "{\"a\":1,\"b\":2}", "{\"a\":1,\"c\":3}", "{\"a\":1,\"b\":2,\"c\":3}"),
            JSONFork("{\"a\":1,\"b\":1}", "{\"a\":1}", "{\"a\":2,\"b\":1}", "{\"a\":2}"),
            JSONFork(
                "{\"o\":{\"a\":1,\"b\":1}}", "{\"o\":{\"a\":2,\"b\":1}}", "{\"o\":{\"a\":1}}", "{\"o\":{\"a\":2}}"),
            JSONFork(
                "{\"o\":1,\"x\":1}", "{\"o\":{\"a\":1},\"x\":1}", "{\"o\":1,\"x\":2}", "{\"o\":{\"a\":1},\"x\":2}"),
            JSONFork(nil, "{\"a\":1,\"b\":1}", "{\"a\":1,\"c\":1}", "{\"a\":1,\"b\":1,\"c\":1}"),
            JSONFork("not JSON", "{\"a\":1}", "{\"b\":1}", "{\"a\":1,\"b\":1}"),
            JSONFork(
                "{\"a\":[1,2],\"b\":1}", "{\"a\":[1,2,3],\"b\":1}", "{\"a\":[1,2],\"b\":2}", "{\"a\":[1,2,3],\"b\":2}"),
            // No number is rounded, and none is written anew.
            JSONFork(
                "{\"n\":18446744073709551617,\"a\":1}", "{\"n\":18446744073709551617,\"a\":1.50}",
                "{\"n\":18446744073709551619,\"a\":1}", "{\"a\":1.50,\"n\":18446744073709551619}"),
        ])
    func unlikeProperties(_ fork: JSONFork) throws { try fork.check(JSONMergeArbiter()) }

    @Test(
        "an optional property that one side sets survives; absent, null and set are three things",
        arguments: [
            JSONFork("{\"a\":1}", "{\"a\":1,\"o\":\"x\"}", "{\"a\":2}", "{\"a\":2,\"o\":\"x\"}"),
            JSONFork("{\"a\":1,\"o\":null}", "{\"a\":1,\"o\":\"x\"}", "{\"a\":2,\"o\":null}", "{\"a\":2,\"o\":\"x\"}"),
            // One device writes null for "not set", the other nothing.
            JSONFork("{\"a\":1}", "{\"a\":1,\"o\":\"x\"}", "{\"a\":2,\"o\":null}", "{\"a\":2,\"o\":\"x\"}"),
            JSONFork("{\"a\":1,\"o\":null}", "{\"a\":1,\"o\":\"x\"}", "{\"a\":2}", "{\"a\":2,\"o\":\"x\"}"),
            // Set to null, and not set any more, are changes of what was set.
            JSONFork("{\"a\":1,\"o\":\"x\"}", "{\"a\":1,\"o\":null}", "{\"a\":2,\"o\":\"x\"}", "{\"a\":2,\"o\":null}"),
            JSONFork("{\"a\":1,\"o\":\"x\"}", "{\"a\":1}", "{\"a\":2,\"o\":\"x\"}", "{\"a\":2}"),
            JSONFork("{\"a\":1}", "{\"a\":1,\"o\":null}", "{\"a\":2}", "{\"a\":2,\"o\":null}"),
            JSONFork("{\"a\":1,\"o\":null}", "{\"a\":1}", "{\"a\":2,\"o\":null}", "{\"a\":2}"),
        ])
    func optionalPropertySetOnOneSideOnly(_ fork: JSONFork) throws { try fork.check(JSONMergeArbiter()) }

    @Test(
        "of one property that both changed, the more recent side's value is kept; a change beats a removal",
        arguments: [
            JSONFork("{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":2}", "{\"a\":3,\"b\":1}", "{\"a\":3,\"b\":2}"),
            JSONFork("{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":1}", "{\"a\":3,\"b\":2}", "{\"a\":2,\"b\":2}", later: .first),
            JSONFork("{\"a\":1,\"b\":1}", "{\"a\":2,\"b\":1}", "{\"b\":2}", "{\"a\":2,\"b\":2}"),
            JSONFork("{\"a\":1}", "{\"a\":[1],\"b\":1}", "{\"a\":{}}", "{\"a\":{},\"b\":1}"),
            JSONFork("{\"a\":[1]}", "{\"a\":[1,2],\"b\":1}", "{\"a\":[1,3]}", "{\"a\":[1,3],\"b\":1}"),
            JSONFork("{\"a\":\"x\"}", "{\"a\":null,\"b\":1}", "{\"a\":\"y\"}", "{\"a\":\"y\",\"b\":1}"),
            JSONFork("1", "2", "3", "3"), JSONFork("1", "2", "3", "2", later: .first),
        ])
    func sameProperty(_ fork: JSONFork) throws { try fork.check(JSONMergeArbiter()) }

    @Test(
        "arrays of scalars are merged as sets where a rule says so",
        arguments: [
            JSONFork(
                "{\"t\":[\"b\",\"a\"]}", "{\"t\":[\"b\",\"a\",\"z\"]}", "{\"t\":[\"a\",\"c\"]}",
                "{\"t\":[\"a\",\"c\",\"z\"]}"),
            JSONFork(nil, "{\"t\":[2,1]}", "{\"t\":[2,3]}", "{\"t\":[1,2,3]}"),
            JSONFork("{\"t\":[1,1,2]}", "{\"t\":[1,2,3]}", "{\"t\":[1,2,4]}", "{\"t\":[1,2,3,4]}"),
            JSONFork("{\"t\":[1]}", "{\"t\":[1,true]}", "{\"t\":[null]}", "{\"t\":[null,true]}"),
            JSONFork("{\"t\":[1,{}]}", "{\"t\":[1,2]}", "{\"t\":[1,3]}", "{\"t\":[1,2,3]}"),
            // Not of scalars: one thing.
            JSONFork("{\"t\":[1]}", "{\"t\":[1,2]}", "{\"t\":[1,[]]}", "{\"t\":[1,[]]}"),
            // Another property, which the rule is not for.
            JSONFork("{\"u\":[1]}", "{\"u\":[1,2]}", "{\"u\":[1,3]}", "{\"u\":[1,3]}"),
            JSONFork(
                "{\"o\":{\"t\":[1]}}", "{\"o\":{\"t\":[1,2]}}", "{\"o\":{\"t\":[1,3]}}", "{\"o\":{\"t\":[1,2,3]}}"),
        ])
    func sets(_ fork: JSONFork) throws { try fork.check(JSONMergeArbiter(arrays: [["t"]: .set, ["o", "t"]: .set])) }

    @Test(
        "arrays of objects are merged by the objects' id where a rule says so",
        arguments: [
            JSONFork(
                "[{\"id\":1,\"n\":0},{\"id\":2,\"n\":0}]", "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":0}]",
                "[{\"id\":1,\"n\":0},{\"id\":2,\"n\":2}]", "[{\"id\":1,\"n\":1},{\"id\":2,\"n\":2}]"),
            JSONFork(
                "[{\"id\":1},{\"id\":2}]", "[{\"id\":1},{\"id\":3},{\"id\":2}]", "[{\"id\":2},{\"id\":4}]",
                "[{\"id\":3},{\"id\":2},{\"id\":4}]"),
            // What one side moved is moved, and what the other added stands where it was added.
            JSONFork(
                "[{\"id\":\"a\"},{\"id\":\"b\"}]", "[{\"id\":\"b\"},{\"id\":\"a\"}]",
                "[{\"id\":\"a\"},{\"id\":\"x\"},{\"id\":\"b\"}]", "[{\"id\":\"b\"},{\"id\":\"a\"},{\"id\":\"x\"}]"),
            // Removed on one side, changed on the other.
            JSONFork(
                "[{\"id\":1,\"n\":0},{\"id\":2}]", "[{\"id\":2},{\"id\":3}]", "[{\"id\":1,\"n\":1},{\"id\":2}]",
                "[{\"id\":1,\"n\":1},{\"id\":2},{\"id\":3}]"),
            JSONFork(
                nil, "[{\"id\":1,\"a\":1}]", "[{\"id\":1,\"b\":1},{\"id\":2}]",
                "[{\"a\":1,\"b\":1,\"id\":1},{\"id\":2}]"),
            // Rules of arrays in elements leave the elements out of the way to them.
            JSONFork(
                "[{\"id\":1,\"t\":[1]}]", "[{\"id\":1,\"t\":[1,2]}]", "[{\"id\":1,\"t\":[1,3]}]",
                "[{\"id\":1,\"t\":[1,2,3]}]"),
            JSONFork("[{}]", "[{\"id\":1}]", "[{\"id\":2}]", "[{\"id\":1},{\"id\":2}]"),
            // Two of one id, or one without: one thing.
            JSONFork("[{\"id\":1}]", "[{\"id\":1},{\"id\":1}]", "[{\"id\":2}]", "[{\"id\":2}]"),
            JSONFork("[{\"id\":1}]", "[{\"id\":1},{}]", "[{\"id\":2}]", "[{\"id\":2}]"),
            JSONFork("[{\"id\":1}]", "[{\"id\":null}]", "[{\"id\":2}]", "[{\"id\":2}]"),
        ])
    func identified(_ fork: JSONFork) throws {
        try fork.check(JSONMergeArbiter(arrays: [[]: .elements(identifiedBy: "id"), ["t"]: .set]))
    }

    @Test("a result that says the same as a side is that side, byte for byte")
    func unchangedBytes() throws {
        let pretty = "{ \"b\" : 1,\n \"a\" : 2 }"
        let fork = try ContentFork(text: "{\"a\":1,\"b\":1}", pretty, "{\"b\":1,\"a\":1} ")
        #expect(try fork.mergedText(JSONMergeArbiter()) == pretty)
        let id = try fork.builder.merge(fork.first, fork.second, JSONMergeArbiter()).id
        try fork.builder.expectMinimalChanges(id)
    }

    @Test(
        "what is not JSON goes to the other arbiter, and so does what is too large, too deep, or removed",
        arguments: [
            ("{", "{}"), ("{\"a\":1}", "{\"a\":1,\"a\":2}"), ("\u{FEFF}{}", "{}"), ("", "{}"),
            ("\"" + String(repeating: "x", count: 99) + "\"", "{}"), (String(repeating: "[", count: 200), "[]"),
        ])
    func elsewhere(_ first: String, _ second: String) throws {
        for side in [Value.Fork.Side.first, .second] {
            let other = ScriptedArbiter.keeping(side)
            let arbiter = JSONMergeArbiter(
                maximumByteCount: 100, otherwise: other, resolving: { _ in throw UnexpectedQuestion() })
            let fork = try ContentFork(text: "{\"x\":1}", first, second)
            #expect(try fork.mergedText(arbiter) == (side == .first ? first : second))
            #expect(other.questions.map(\.conflicts) == [["v"], ["v"]])
        }
        let removed = try ContentFork(text: "{}", nil, "{\"a\":1}")
        #expect(try removed.mergedText(JSONMergeArbiter()) == "{\"a\":1}")
    }

    @Test("documents as deep as they may be are merged at their depth, where a coordinator runs")
    func deep() async throws {
        func nested(_ members: String) -> String {
            String(repeating: "{\"a\":", count: 127) + members + String(repeating: "}", count: 127)
        }
        let builder = StoreBuilder()
        let base = try builder.save(["v": nested("{\"x\":1,\"y\":1}")])
        try builder.save(["v": nested("{\"x\":2,\"y\":1}")], on: base)
        try builder.save(["v": nested("{\"x\":1,\"y\":2}")], on: base)
        let merged = try await StoreCoordinator(store: builder.store, arbiter: JSONMergeArbiter()).merge().current
        #expect(try builder.text("v", at: merged) == nested("{\"x\":2,\"y\":2}"))
    }

    @Test("bytes that are no text never trap", arguments: [1, 2] as [UInt64])
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<30 {
            let contents = (0..<3).map { _ in random.bytes(Int.random(in: 0..<20, using: &random)) }
            let fork = try ContentFork(contents[0], contents[1] + [1], contents[2] + [2])
            #expect(try fork.merged(JSONMergeArbiter()) == contents[2] + [2], "seed \(seed)")
        }
    }

    @Test("a callback sees each conflict once, in order, and decides it")
    func callback() throws {
        let asked = Mutex<[JSONMergeArbiter.Conflict]>([])
        let arbiter = JSONMergeArbiter(arrays: [["l"]: .elements(identifiedBy: "id")]) { conflict in
            asked.withLock { $0.append(conflict) }
            return switch conflict.path.last {
            case .property("sum"): .json(" 7 ")
            case .property("gone"): .removal
            default: .side(.first)
            }
        }
        let fork = try ContentFork(
            text: "{\"sum\":1,\"gone\":1,\"l\":[{\"id\":5,\"n\":0}],\"r\":1}",
            "{\"sum\":2,\"gone\":2,\"l\":[{\"id\":5,\"n\":1}]}",
            "{\"sum\":3,\"gone\":3,\"l\":[{\"id\":5,\"n\":2}],\"r\":2}")
        _ = try fork.builder.merge(fork.first, fork.second, arbiter)
        let conflicts = asked.withLock(\.self)
        #expect(
            conflicts.map(\.path) == [
                [.property("gone")], [.property("l"), .element(id: "5"), .property("n")], [.property("r")],
                [.property("sum")],
            ])
        #expect(conflicts.map(\.first) == ["2", "1", nil, "2"] && conflicts.map(\.base) == ["1", "0", "1", "1"])
        #expect(conflicts.map(\.second) == ["3", "2", "2", "3"])
        #expect(conflicts.allSatisfy { $0.id == "v" && $0.moreRecent == .second && $0.usual == .second })
        #expect(try fork.mergedText(arbiter) == "{\"l\":[{\"id\":5,\"n\":1}],\"sum\":7}")
    }

    @Test("a callback that gives no JSON is an error that names the value, and its own error comes through")
    func badCallback() throws {
        let fork = try ContentFork(text: "1", "2", "3")
        let error = try #require(throws: StoreError.self) {
            try fork.merged(JSONMergeArbiter { _ in .json("{") })
        }
        #expect(error.code == .arbiterMisbehaved && error.what.contains("'v'"))
        #expect(throws: UnexpectedQuestion.self) {
            try fork.merged(JSONMergeArbiter { _ in throw UnexpectedQuestion() })
        }
        #expect(try fork.merged(JSONMergeArbiter { _ in .removal }) == nil)
    }

    /// What an app might keep.
    private struct Contact: Codable, Equatable {
        var name: String
        var nickname: String?
        var born: UInt64
        var tags: Set<String>
    }

    @Test("values that JSONEncoder wrote are merged to what JSONDecoder reads")
    func codable() throws {
        func encoded(_ change: (inout Contact) -> Void) throws -> [UInt8] {
            var contact = Contact(name: "Ann", nickname: nil, born: .max, tags: ["a", "b"])
            change(&contact)
            return [UInt8](try JSONEncoder().encode(contact))
        }
        let fork = try ContentFork(
            try encoded { _ in },
            try encoded {
                $0.nickname = "A/\"\u{1}"
                $0.tags = ["a", "c"]
            },
            try encoded {
                $0.name = "Anne"
                $0.tags.insert("d")
            })
        let bytes = try #require(try fork.merged(JSONMergeArbiter(arrays: [["tags"]: .set])))
        let merged = try JSONDecoder().decode(Contact.self, from: Data(bytes))
        #expect(merged == Contact(name: "Anne", nickname: "A/\"\u{1}", born: .max, tags: ["a", "c", "d"]))
    }
}
