import FileCoordination
import Foundation
import TestSupport
import Testing

/// Two names with the same letters, composed and decomposed, in a folder where they are two files.
@Suite("Conflict copies of names that differ in normalization only")
struct ConflictSpellingTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"
    private static let tag = ".sync-conflict-20260925-140233-ABCDEFG.md"
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in [Self.composed, Self.decomposed] {
            try folder.write("original of \(Array(name.utf8).count)", to: name + ".md")
            try folder.write("copy of \(Array(name.utf8).count)", to: name + Self.tag)
        }
        try #require(try folder.names().count == 4)
    }

    private func bytes(_ paths: [String]) -> [[UInt8]] { paths.map { Array($0.utf8) } }

    private func copies(of name: String) throws -> [String] {
        try SiblingConflictSource().report(at: folder(name)).conflicts.map(\.path)
    }

    @Test
    func eachOriginalThatIsThereHasAGroupOfItsOwn() throws {
        let groups = try SiblingConflictSource().report(at: folder.path).groups
        try #require(groups.count == 2)
        for group in groups {
            #expect(bytes(group.conflicts.map(\.root)) == bytes([group.root]))
            #expect(group.conflicts[0].path.utf8.starts(with: group.root.utf8.dropLast(3)))
        }
    }

    @Test
    func bytesAreComparedWithTheOwnOriginalOnly() throws {
        // The copy of one holds what the other one holds.
        let text = try folder.text(of: Self.decomposed + ".md")
        try folder.write(text, to: Self.composed + Self.tag)
        let options = ConflictListingOptions(comparesContent: true)
        let found = try SiblingConflictSource(options: options).report(at: folder.path).conflicts
        #expect(found.map(\.sameContent) == [false, false])
    }

    @Test
    func aFileHasItsOwnCopiesOnly() throws {
        for name in [Self.composed, Self.decomposed] {
            #expect(bytes(try copies(of: name + ".md")) == bytes([folder(name + Self.tag)]))
        }
        // Without a copy of its own it has none.
        try FileManager.default.removeItem(atPath: folder(Self.composed + Self.tag))
        #expect(try copies(of: Self.composed + ".md").isEmpty)
    }

    @Test
    func aNameThatIsSpelledInAnotherWayThanOnDiskStillLeadsToItsCopies() throws {
        try FileManager.default.removeItem(atPath: folder(Self.composed + ".md"))
        try FileManager.default.removeItem(atPath: folder(Self.composed + Self.tag))
        #expect(bytes(try copies(of: Self.composed + ".md")) == bytes([folder(Self.decomposed + Self.tag)]))
    }

    @Test
    func copiesOfAFileThatIsGoneAreOfOneFileHoweverSpelled() throws {
        for name in [Self.composed, Self.decomposed] {
            try FileManager.default.removeItem(atPath: folder(name + ".md"))
        }
        let groups = try SiblingConflictSource().report(at: folder.path).groups
        #expect(groups.map(\.conflicts.count) == [2])
    }

    @Test(arguments: [
        ("Cafe\u{301} K 7 2.md", "Caf\u{E9} K 7.md"), ("Caf\u{E9} 5\u{212A} 2.md", "Cafe\u{301} 5K.md"),
        ("\u{212B}=1 (1).md", "A\u{30A}=1.md"), ("\u{E9}\u{226E} 2.md", "e\u{301}<\u{338}.md"),
        ("\u{AC01} 3 2", "\u{1100}\u{1161}\u{11A8} 3"), ("x \u{37E}\u{1FEF}e\u{301} 2.md", "x ;`\u{E9}.md"),
    ])
    func aNumberBesideItsOriginalInAnotherSpellingIsPossible(copy: String, original: String) throws {
        let other = try TemporaryFolder()
        for name in [copy, original, "caf\u{E9} 9.md", "e\u{301} 3 4.md"] { try other.write(name, to: name) }
        let found = try SiblingConflictSource().report(at: other.path).conflicts
        #expect(bytes(found.map(\.path)) == bytes([other(copy)]))
        #expect(bytes(found.map(\.root)) == bytes([other(original)]))
    }

    @Test
    func theCopyThatWasMeantIsResolved() async throws {
        let source = SiblingConflictSource()
        let found = try await source.unresolvedConflicts(at: URL(filePath: folder.path))
        let meant = try #require(found.first { $0.path.utf8.elementsEqual(folder(Self.composed + Self.tag).utf8) })
        let other = try #require(found.first { !$0.path.utf8.elementsEqual(meant.path.utf8) })
        await #expect(throws: FileCoordinationError.self) {
            try await source.resolveConflict(at: other.originalURL, conflictURL: meant.url)
        }
        try await source.resolveConflict(at: meant.originalURL, conflictURL: meant.url)
        let left = Set(try folder.names().map { Array($0.utf8) })
        #expect(left == Set(bytes([Self.composed + ".md", Self.decomposed + ".md", Self.decomposed + Self.tag])))
    }
}
