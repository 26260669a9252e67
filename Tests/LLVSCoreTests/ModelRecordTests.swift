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
            let bytes = Self.encoded(entry)
            #expect(storeErrorCode { _ = try ChangeList(decoding: bytes) } == .invalidVersion, "\(entry)")
        }
        let right = Entry(id: "a", operation: .preserve, contentHash: one, storingVersion: storing)
        #expect(try ChangeList([right]).encoded == Self.encoded(right))
        let twice = Entry(id: "a", operation: .insert, contentHash: one)
        #expect(storeErrorCode { _ = try ChangeList([twice, twice]) } == .invalidChanges)
        #expect(try ChangeList([]) == .empty)
    }

    /// The bytes of a list of one entry, whatever is wrong with it.
    private static func encoded(_ entry: ChangeList.Entry) -> [UInt8] {
        var writer = ByteWriter()
        writer.append([UInt8]("LLVSchg1".utf8))
        writer.count(1)
        writer.lengthPrefixed(entry.id.utf8)
        writer.u8(entry.operation.rawValue)
        writer.append(entry.contentHash)
        writer.append(entry.replacedHash)
        if let version = entry.storingVersion { writer.lengthPrefixed(version.utf8) }
        return writer.bytes
    }

    @Test func bytesThatContradictThemselvesAreRefused() throws {
        let vectors = try ModelVector.load().vectors
        let (first, second, merge) = (
            try vectors[0].bytes("=header"), try vectors[1].bytes("=header"), try vectors[3].bytes("=header")
        )
        func code(_ bytes: [UInt8], _ id: Version.ID = Self.parents[2]) -> StoreError.Code? {
            storeErrorCode { _ = try Version(decoding: bytes, id: id, verifyingID: false) }
        }
        for header in [first, second, merge] { #expect(code(header) == nil) }
        // Kind is byte 10, the number of parents byte 11; behind the parents come basis index and generation.
        let wrong: [(what: String, bytes: [UInt8])] = [
            ("no kind", first.setting(10, to: 0)), ("unknown kind", first.setting(10, to: 4)),
            ("merge of none", first.setting(10, to: 2)), ("join of one", second.setting(10, to: 3)),
            ("join with changes", merge.setting(10, to: 3)), ("basis of none", first.setting(12, to: 1)),
            ("basis beyond one", second.setting(68, to: 1)), ("basis beyond two", merge.setting(124, to: 2)),
            ("generation 0", first.setting(13, to: 0)), ("generation 2 on the root", first.setting(13, to: 2)),
            ("generation 1 of a merge", merge.setting(125, to: 1)),
            ("root as parent", [UInt8](second[..<16] + Version.ID.root.utf8 + second[68...])),
            ("three parents", [UInt8](merge[..<11] + [3] + merge[12..<124] + merge[68...])),
        ]
        for (what, bytes) in wrong { #expect(code(bytes) == .invalidVersion, "\(what)") }
        #expect(code(second, try Version.ID(utf8: [UInt8](second[16..<68]))) == .invalidVersion)
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

extension [UInt8] {
    fileprivate func setting(_ index: Int, to byte: UInt8) -> [UInt8] {
        var copy = self
        copy[index] = byte
        return copy
    }
}
