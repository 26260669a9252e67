import LLVSCore
import TestSupport
import Testing

/// Merges that differ in their arbiters alone hold the same work: they are joined, not merged.
@Suite("Merging: joins") struct MergingJoinTests {
    private let builder = StoreBuilder()

    @Test("two arbiters' merges of the same versions are joined on the later one, without a question")
    func disagreement() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let one = try builder.merge(p1, p2, ScriptedArbiter.keeping(.first)).id
        let two = try builder.merge(p1, p2, ScriptedArbiter.keeping(.second)).id
        #expect(one != two)
        let join = try builder.mergeBothWays(one, two)
        let version = try builder.store.version(join.id)
        // Both have the same stamp.
        #expect(version.kind == .join && version.basis == max(one, two))
        #expect(try builder.values(at: join.id) == builder.values(at: max(one, two)))
        #expect(try builder.store.digest(at: join.id) == builder.store.digest(at: max(one, two)))
        #expect(version.stamp == (try builder.store.version(one)).stamp.next)
    }

    @Test("a version that adds no authored one to another is joined on the other")
    func subset() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let merged = try builder.merge(p1, p2, ScriptedArbiter.keeping(.first)).id
        let other = try builder.merge(p1, p2, ScriptedArbiter.keeping(.second)).id
        let edited = try builder.save(["x": "edited"], on: other)
        let join = try builder.mergeBothWays(merged, edited)
        let version = try builder.store.version(join.id)
        #expect(version.kind == .join && version.basis == edited)
        #expect(try builder.text("x", at: join.id) == "edited")
    }

    @Test("two persons' merges are authored work: they are merged")
    func authored() throws {
        let r = try builder.save(["x": "0"])
        let p1 = try builder.save(["x": "1"], on: r)
        let p2 = try builder.save(["x": "2"], on: r)
        let one = try builder.save(["x": "one"], on: p1, and: p2)
        let two = try builder.save(["x": "two"], on: p1, and: p2)
        let merge = try builder.mergeBothWays(one, two, MostRecentChangeArbiter())
        #expect(merge.isDecided)
        #expect(try builder.store.version(merge.id).kind == .merge)
    }
}
