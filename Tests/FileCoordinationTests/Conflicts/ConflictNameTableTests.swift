import FileCoordination
import TestSupport
import Testing

/// Every name of the table, in a folder of its own with what its tags say beside it.
@Suite("Conflict names: the table")
struct ConflictNameTableTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func conflicts() throws -> [Conflict] {
        try SiblingConflictSource().report(at: folder.path).conflicts
    }

    private func place(_ name: String, asFolder: Bool = false) throws {
        if asFolder { try folder.makeFolder(name) } else { try folder.write(name, to: name) }
    }

    @Test(arguments: ConflictCase.copies)
    func aCopyIsPairedWithItsOriginal(row: ConflictCase) throws {
        let original = try #require(row.original)
        let parent = try #require(row.parent)
        try place(original, asFolder: row.tags.contains(.folder))
        try place(row.name, asFolder: row.tags.contains(.folder))
        let found = try conflicts()
        #expect(found.count == 1)
        let conflict = try #require(found.first)
        #expect(conflict.path == folder(row.name))
        #expect(conflict.root == folder(original))
        #expect(conflict.rootExists)
        #expect(conflict.original == folder(parent))
        #expect(conflict.services.map(\.rawValue).contains(row.service))
        #expect(conflict.confidence == confidence(besideOriginal: row))
    }

    private func confidence(besideOriginal row: ConflictCase) -> Confidence {
        if row.tags.contains(.strong) { return .certain }
        return row.tags.contains(.medium) ? .probable : .possible
    }

    @Test(arguments: ConflictCase.copies)
    func withoutTheOriginalOnlyTheMarkCounts(row: ConflictCase) throws {
        try place(row.name, asFolder: row.tags.contains(.folder))
        let found = try conflicts()
        guard !row.tags.contains(.needsOriginal) else {
            #expect(found.isEmpty)
            return
        }
        let conflict = try #require(found.first)
        #expect(conflict.confidence == (row.tags.contains(.strong) ? .certain : .possible))
        #expect(!conflict.rootExists && !conflict.originalExists)
        let original = try #require(row.original)
        // A base that was cut is all that is known then.
        if !original.hasPrefix("LLL") { #expect(conflict.root == folder(original)) }
    }

    @Test(arguments: ConflictCase.copies.filter { !$0.tags.contains(.needsOriginal) })
    func theParentOfACopyOfACopyIsOneToo(row: ConflictCase) throws {
        guard row.parent != row.original, let parent = row.parent, let original = row.original else { return }
        for name in [row.name, parent, original] { try place(name) }
        let groups = try SiblingConflictSource().report(at: folder.path).groups
        #expect(groups.map(\.root) == [folder(original)])
        #expect(Set(groups.flatMap(\.conflicts).map(\.path)) == [folder(row.name), folder(parent)])
        #expect(groups.flatMap(\.conflicts).first { $0.path == folder(row.name) }?.originalExists == true)
    }

    @Test(arguments: ConflictCase.temporary)
    func aTemporaryFileIsNoCopy(row: ConflictCase) throws {
        try place(row.name, asFolder: row.tags.contains(.folder))
        for name in ["Plan.md", "photo.jpg", "report.docx", "report.txt"] { try place(name) }
        #expect(try conflicts().isEmpty)
    }

    @Test(arguments: ConflictCase.ordinary)
    func anOrdinaryFileIsNoCopy(row: ConflictCase) throws {
        try place(row.name)
        for case .originalPresent(let original) in row.tags { try place(original) }
        #expect(try conflicts().isEmpty)
    }
}
