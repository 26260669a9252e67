import LLVSCore
import Testing

/// What no version may be, whether it is made here or comes from elsewhere.
@Suite("Model: records") struct ModelRecordTests {
    private static let parents = [1, 2, 3].map { Version.ID(SHA256.hash([UInt8($0)])) }.sorted()
    private static let one = SHA256.hash([1])
    private static let two = SHA256.hash([2])

    private static func make(
        _ kind: Version.Kind, _ parents: [Version.ID], basis: Version.ID? = nil, generation: UInt64? = nil,
        changes: [ChangeList.Entry] = [], foreignID: Version.ID? = nil
    ) throws -> VersionRecord {
        try VersionRecord(
            kind: kind, parents: parents, basis: basis ?? parents.first ?? .root,
            generation: generation ?? (parents.isEmpty ? 1 : 2), stamp: .zero, time: 0, metadata: .empty,
            changes: try ChangeList(changes), foreignID: foreignID)
    }

    @Test func partsThatContradictEachOtherAreRefused() throws {
        let (a, b, c) = (Self.parents[0], Self.parents[1], Self.parents[2])
        let change = ChangeList.Entry(id: "a", operation: .insert, contentHash: Self.one)
        let foreign = try Version.ID("foreign")
        let wrong: [() throws -> VersionRecord] = [
            { try Self.make(.authored, [a, b, c]) },
            { try Self.make(.authored, [a, a]) },
            { try Self.make(.authored, [a], basis: b) },
            { try Self.make(.authored, [a], basis: .root) },
            { try Self.make(.authored, [], basis: a) },
            { try Self.make(.authored, [], generation: 0) },
            { try Self.make(.authored, [], generation: 2) },
            { try Self.make(.authored, [a], generation: 1) },
            { try Self.make(.merge, [a]) },
            { try Self.make(.merge, []) },
            { try Self.make(.join, [a]) },
            { try Self.make(.join, [a, b], changes: [change]) },
            { try Self.make(.authored, [foreign], foreignID: foreign) },
            { try Self.make(.authored, [], foreignID: a) },
        ]
        for (index, make) in wrong.enumerated() {
            #expect(storeErrorCode { _ = try make() } == .invalidVersion, "case \(index)")
        }
        #expect(try Self.make(.join, [a, b], basis: b).version.basisIndex == 1)
        #expect(try Self.make(.merge, [b, a], basis: a, changes: [change]).version.basisIndex == 0)
    }

    @Test func changesThatContradictThemselvesAreRefused() throws {
        let storing = Self.parents[0]
        typealias Entry = ChangeList.Entry
        let (one, two) = (Self.one, Self.two)
        let wrong = [
            Entry(id: "a", operation: .insert),
            Entry(id: "a", operation: .insert, contentHash: one, replacedHash: two),
            Entry(id: "a", operation: .insert, contentHash: one, storingVersion: storing),
            Entry(id: "a", operation: .update, contentHash: one),
            Entry(id: "a", operation: .update, contentHash: one, replacedHash: one),
            Entry(id: "a", operation: .update, replacedHash: one),
            Entry(id: "a", operation: .remove),
            Entry(id: "a", operation: .remove, contentHash: one, replacedHash: two),
            Entry(id: "a", operation: .preserve, contentHash: one),
            Entry(id: "a", operation: .preserve, replacedHash: one, storingVersion: storing),
            Entry(id: "a", operation: .preserve, contentHash: one, storingVersion: .root),
            Entry(id: "a", operation: .preserveRemoval),
            Entry(id: "a", operation: .preserveRemoval, contentHash: one, replacedHash: two),
        ]
        for entry in wrong {
            #expect(storeErrorCode { _ = try ChangeList([entry]) } == .invalidChanges, "\(entry)")
        }
        let twice = Entry(id: "a", operation: .insert, contentHash: one)
        #expect(storeErrorCode { _ = try ChangeList([twice, twice]) } == .invalidChanges)
        #expect(try ChangeList([]) == .empty)
    }

    @Test func idsProveTheBytesOrAreAskedFor() throws {
        let vector = try #require(try ModelVector.load().vectors.first)
        let (header, changes) = (try vector.bytes("=header"), try vector.bytes("=changes"))
        let foreign = try Version.ID("some other id")
        func read(_ id: Version.ID, allowingForeign: Bool) throws -> VersionRecord {
            try VersionRecord(decodingHeader: header, changes: changes, id: id, allowingForeign: allowingForeign)
        }
        #expect(storeErrorCode { _ = try read(Self.parents[0], allowingForeign: true) } == .invalidVersion)
        #expect(storeErrorCode { _ = try read(foreign, allowingForeign: false) } == .invalidVersion)
        #expect(try read(foreign, allowingForeign: true).id == foreign)
    }

    @Test func changesOfAnotherVersionAreRefused() throws {
        let vectors = try ModelVector.load().vectors
        let (first, second) = (vectors[0], vectors[1])
        let (header, id) = (try first.bytes("=header"), try Version.ID(try first.text("=id")))
        let changes = try second.bytes("=changes")
        #expect(
            storeErrorCode { _ = try VersionRecord(decodingHeader: header, changes: changes, id: id) }
                == .invalidVersion)
    }

    @Test func laterEncodingIsNotCalledDamaged() throws {
        var header = try #require(try ModelVector.load().vectors.first).bytes("=header")
        func code() -> StoreError.Code? {
            storeErrorCode { _ = try Version(decoding: header, id: Version.ID(SHA256.hash(header))) }
        }
        #expect(code() == nil)
        header[8] = 2
        #expect(code() == .fromNewerVersion)
        header[8] = 0
        #expect(code() == .invalidVersion)
    }

    @Test func metadataIsKeptInOneOrder() throws {
        let metadata = Version.Metadata(["b": [2], "": [], "a": [1], "é": [3], "llvs.branch": [9]], branch: "dräft")
        #expect(metadata.entries.map(\.key) == ["", "a", "b", "llvs.branch", "é"])
        #expect(metadata.branch == "dräft")
        #expect(metadata["a"] == [1])
        #expect(metadata[""]?.isEmpty == true)
        #expect(metadata["e\u{301}"] == nil)
        #expect(metadata["absent"] == nil)
        #expect(Version.Metadata(["llvs.branch": [0xff]]).branch == nil)
        #expect(Version.Metadata([:]) == .empty)
        let large = Version.Metadata(["large": [UInt8](repeating: 7, count: 1 << 20)])
        let record = try VersionRecord(
            kind: .authored, parents: [], basis: .root, generation: 1, stamp: .zero, time: 0, metadata: large,
            changes: .empty)
        #expect(
            try VersionRecord(decodingHeader: record.header, changes: record.changesBytes, id: record.id) == record)
    }
}
