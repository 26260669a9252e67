@testable import LLVSCore
import TestSupport
import Testing

/// Records whose bytes and ids are in order, and which their parents contradict: what faulty software would send.
@Suite("Store: versions that contradict their parents") struct StoreRulesTests {
    private let builder = StoreBuilder()

    /// What one can get wrong: each part of a record, right unless a test changes it.
    private struct Draft {
        var kind = Version.Kind.authored
        var parents: [Version.ID] = []
        var basis = Version.ID.root
        var generation: UInt64 = 1
        var stamp = Stamp(milliseconds: UInt64(StoreBuilder.now) + 1)
        var time = StoreBuilder.now
        var metadata = Version.Metadata.empty
        var entries: [ChangeList.Entry] = []

        func parcel(_ contents: [Value.ID: String] = [:]) throws -> VersionParcel {
            let record = try VersionRecord(
                kind: kind, parents: parents, basis: basis, generation: generation, stamp: stamp, time: time,
                metadata: metadata, changes: try ChangeList(entries))
            return VersionParcel(record: record, contents: contents.mapValues { [UInt8]($0.utf8) })
        }
    }

    private func hash(_ text: String) -> Digest { SHA256.hash([UInt8](text.utf8)) }

    /// Expects that the store refuses the record with a message that says why, and writes nothing.
    private func expectRefusal(
        _ draft: Draft, _ contents: [Value.ID: String] = [:], because reason: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let parcel = try draft.parcel(contents)
        let before = try builder.store.storage.contents()
        let error = try #require(throws: StoreError.self, sourceLocation: sourceLocation) { try builder.admit(parcel) }
        #expect(error.code == .invalidVersion, sourceLocation: sourceLocation)
        #expect(error.what.contains(reason), "\(error)", sourceLocation: sourceLocation)
        #expect(try builder.store.storage.contents() == before, sourceLocation: sourceLocation)
    }

    /// A child of a version that has x = "1".
    private func child() throws -> Draft {
        let parent = try builder.store.version(try builder.save(["x": "1"]))
        return Draft(
            parents: [parent.id], basis: parent.id, generation: 2,
            entries: [ChangeList.Entry(id: "x", operation: .update, contentHash: hash("2"), replacedHash: hash("1"))])
    }

    /// An automatic merge of two versions of the branch "b" that change x and y, as the store would make it: the basis is the
    /// one with y, and the change of x is preserved.
    private func merge(_ kind: Version.Kind = .merge) throws -> (draft: Draft, basis: Version.ID, other: Version.ID) {
        let base = try builder.save(["x": "0", "y": "0", "gone": "0"], branch: "b")
        let other = try builder.save(["x": "1", "gone": nil], on: base, branch: "b", at: StoreBuilder.now + 7)
        let basis = try builder.save(["y": "1", "z": "1", "w": "1"], on: base, branch: "b")
        let later = try builder.store.version(other)
        let draft = Draft(
            kind: kind, parents: [basis, other], basis: basis, generation: 3, stamp: later.stamp.next, time: later.time,
            metadata: Version.Metadata([:], branch: "b"),
            entries: [
                ChangeList.Entry(id: "gone", operation: .preserveRemoval, replacedHash: hash("0")),
                ChangeList.Entry(
                    id: "x", operation: .preserve, contentHash: hash("1"), replacedHash: hash("0"), storingVersion: other),
            ])
        return (draft, basis, other)
    }

    @Test("the drafts of these tests are accepted as they are, so that each refusal has one cause")
    func accepted() throws {
        try builder.admit(child().parcel(["x": "2"]))
        let merge = try merge()
        try builder.admit(merge.draft.parcel())
        #expect(try builder.merge(merge.basis, merge.other).id == merge.draft.parcel().id)
        #expect(try builder.store.verify() == [])
    }

    @Test("a generation that is not one more than the parents'", arguments: [3, 4, .max] as [UInt64])
    func generation(_ generation: UInt64) throws {
        var draft = try child()
        draft.generation = generation
        try expectRefusal(draft, ["x": "2"], because: "generation")
    }

    @Test("a generation that is less than a parent's")
    func lowGeneration() throws {
        var draft = try child()
        let grandchild = try builder.save(["x": "3"], on: draft.basis)
        (draft.parents, draft.basis) = ([grandchild], grandchild)
        try expectRefusal(draft, ["x": "2"], because: "generation")
    }

    @Test("a stamp that is not later than a parent's, or later than any clock", arguments: [-1, 0, .max] as [Int64])
    func stamp(_ offset: Int64) throws {
        var draft = try child()
        draft.stamp =
            offset == .max
            ? Stamp(milliseconds: Stamp.believedMilliseconds.upperBound + 1_001)
            : Stamp(milliseconds: UInt64(StoreBuilder.now + offset))
        try expectRefusal(draft, ["x": "2"], because: "stamp")
    }

    @Test("a first version with a stamp at the end of time")
    func endOfTime() throws {
        try expectRefusal(Draft(stamp: Stamp(milliseconds: .max, counter: .max)), because: "stamp")
    }

    @Test("a merge with a time, stamp, branch or metadata of its own")
    func authorlessMerge() throws {
        let (draft, _, _) = try merge()
        var late = draft
        late.stamp = draft.stamp.next
        var other = draft
        other.time += 1
        var noted = draft
        noted.metadata = Version.Metadata(["note": [1]], branch: "b")
        var branchless = draft
        branchless.metadata = .empty
        for wrong in [late, other, noted, branchless] { try expectRefusal(wrong, because: "only an author can") }
        var join = late
        join.kind = .join
        join.entries = []
        try expectRefusal(join, because: "only an author can")
    }

    @Test("a change that replaces other content than the basis has")
    func replaced() throws {
        for before in [Digest.zero, hash("0"), hash("3")] {
            var draft = try child()
            let operation: ChangeList.Operation = before == .zero ? .insert : .update
            draft.entries = [
                ChangeList.Entry(id: "x", operation: operation, contentHash: hash("2"), replacedHash: before)
            ]
            try expectRefusal(draft, ["x": "2"], because: "replaces other content")
        }
        var absent = try child()
        absent.entries = [ChangeList.Entry(id: "none", operation: .remove, replacedHash: hash("1"))]
        try expectRefusal(absent, because: "replaces other content")
    }

    @Test("what the other parent has is stored again instead of being preserved")
    func notPreserved() throws {
        var draft = try merge().draft
        draft.entries[1] = ChangeList.Entry(
            id: "x", operation: .update, contentHash: hash("1"), replacedHash: hash("0"))
        try expectRefusal(draft, ["x": "1"], because: "not preserved")
        var removing = try merge().draft
        removing.entries[0] = ChangeList.Entry(id: "gone", operation: .remove, replacedHash: hash("0"))
        try expectRefusal(removing, because: "not preserved")
    }

    @Test("content is preserved that the other parent does not have, or that another version stored")
    func wronglyPreserved() throws {
        let (draft, basis, other) = try merge()
        func preserving(_ id: Value.ID, _ content: String, _ before: Digest, _ version: Version.ID) -> Draft {
            var wrong = draft
            wrong.entries = [
                ChangeList.Entry(
                    id: id, operation: .preserve, contentHash: hash(content), replacedHash: before,
                    storingVersion: version)
            ]
            return wrong
        }
        for wrong in [
            preserving("x", "7", hash("0"), other), preserving("x", "1", hash("0"), basis),
            preserving("v", "1", .zero, other),
        ] {
            try expectRefusal(wrong, because: "other parent does not have")
        }
        var alone = try child()
        alone.entries = [
            ChangeList.Entry(
                id: "x", operation: .preserve, contentHash: hash("2"), replacedHash: hash("1"),
                storingVersion: alone.basis)
        ]
        try expectRefusal(alone, because: "other parent does not have")
    }

    @Test("a removal is preserved that the other parent does not have")
    func wronglyPreservedRemoval() throws {
        var draft = try merge().draft
        draft.entries = [ChangeList.Entry(id: "y", operation: .preserveRemoval, replacedHash: hash("1"))]
        try expectRefusal(draft, because: "preserves a removal")
        var alone = try child()
        alone.entries = [ChangeList.Entry(id: "x", operation: .preserveRemoval, replacedHash: hash("1"))]
        try expectRefusal(alone, because: "preserves a removal")
    }

    @Test("a version whose parent is not in the store is refused as such")
    func missingParent() throws {
        let draft = try child()
        let parcel = try draft.parcel(["x": "2"])
        let other = StoreBuilder()
        #expect(storeErrorCode { try other.admit(parcel) } == .noSuchVersion)
        #expect(try other.store.storage.contents().isEmpty)
    }

    @Test("a value with other bytes than the version says is refused, and the whole batch with it")
    func wrongBytes() throws {
        let draft = try child()
        let before = try builder.store.storage.contents()
        let good = try Draft(metadata: Version.Metadata(["mark": [1]])).parcel()
        let bad = try draft.parcel(["x": "other"])
        #expect(storeErrorCode { try builder.admit([good, bad]) } == .valueUnreadable)
        #expect(try builder.store.storage.contents() == before)
    }
}
