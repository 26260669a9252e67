import LLVSCore
import TestSupport
import Testing

@Suite("Merging: arbiters by id") struct MergingRoutingTests {
    private let builder = StoreBuilder()

    /// Two versions that have these values differently, and one each that only one of them has.
    private func fork(_ ids: [Value.ID]) throws -> (Version.ID, Version.ID) {
        let base = try builder.save(["base": "1"])
        func side(_ name: String) throws -> Version.ID {
            var values: [Value.ID: String?] = [try Value.ID("own/\(name)"): "1"]
            for id in ids { values[id] = name }
            return try builder.save(values, on: base)
        }
        return (try side("one"), try side("two"))
    }

    @Test("each value goes to the first route that fits, and the rest to the other arbiter")
    func routes() throws {
        let (one, two) = try fork(["c/1", "c/2.md", "x.md", "x.MD", "odd", "md"])
        let arbiters = (0..<4).map { _ in ScriptedArbiter.keeping(.first) }
        let arbiter = RoutingArbiter(
            [.prefix("c/", arbiters[0]), .suffix(".md", arbiters[1]), .matching({ $0 == "odd" }, arbiters[2])],
            otherwise: arbiters[3])
        let merge = try builder.merge(one, two, arbiter)
        #expect(merge.isDecided)
        #expect(
            arbiters.map { $0.questions.map(\.conflicts) } == [
                [["c/1", "c/2.md"]], [["x.md"]], [["odd"]], [["md", "x.MD"]],
            ])
        // Forks that are no conflict are seen by the arbiter they would go to.
        #expect(arbiters[3].questions.first?.forks.count == 4)
    }

    @Test("an arbiter without a conflict of its own is not asked")
    func notAsked() throws {
        let (one, two) = try fork(["c/1"])
        let arbiter = RoutingArbiter([
            .prefix("own/", UnexpectedQuestion()), .prefix("c/", ScriptedArbiter.keeping(.second)),
        ])
        #expect(try builder.mergeBothWays(one, two, arbiter).isDecided)
    }

    @Test("ids are compared by their bytes")
    func bytes() throws {
        let (one, two) = try fork(["\u{e9}/1"])
        let arbiter = RoutingArbiter(
            [.prefix("e\u{301}/", UnexpectedQuestion())], otherwise: ScriptedArbiter.keeping(.first))
        #expect(try builder.mergeBothWays(one, two, arbiter).isDecided)
    }

    @Test("an arbiter that changes another's values, answers twice or too little is an error that names the value")
    func misbehaves() throws {
        let (one, two) = try fork(["a", "b"])
        let before = try builder.store.storage.contents()
        let keeping = { (ids: [Value.ID]) in
            ScriptedArbiter { merge in try ids.map { try merge.keeping(.first, of: $0) } }
        }
        for (ids, named) in [(["a", "b"], "'b'"), (["a", "a"], "'a'"), ([], "'a'")] as [([Value.ID], String)] {
            let error = try #require(throws: StoreError.self) {
                try builder.merge(one, two, RoutingArbiter([.prefix("a", keeping(ids))]))
            }
            #expect(error.code == .arbiterMisbehaved && error.what.contains(named))
        }
        #expect(try builder.store.storage.contents() == before)
    }

    @Test("arbiters of contents can be mixed")
    func mixed() throws {
        let base = try builder.save(["a.json": "{\"x\":1,\"y\":1}", "a.md": "1\n2\n3\n", "a": "0"])
        let one = try builder.save(["a.json": "{\"x\":2,\"y\":1}", "a.md": "one\n2\n3\n", "a": "1"], on: base)
        let two = try builder.save(
            ["a.json": "{\"x\":1,\"y\":2}", "a.md": "1\n2\nthree\n", "a": "2"], on: base, at: StoreBuilder.now + 1)
        let arbiter = RoutingArbiter([.suffix(".json", JSONMergeArbiter()), .suffix(".md", TextMergeArbiter())])
        let merge = try builder.mergeBothWays(one, two, arbiter)
        #expect(
            try builder.values(at: merge.id) == ["a.json": "{\"x\":2,\"y\":2}", "a.md": "one\n2\nthree\n", "a": "2"])
        try builder.expectMinimalChanges(merge.id)
    }
}
