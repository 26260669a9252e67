import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("Conflict names: what lies beside them")
struct ConflictPairingTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func report(_ options: ConflictListingOptions = .init(), at name: String = ".") throws -> ConflictReport {
        let path = name == "." ? folder.path : folder(name)
        return try SiblingConflictSource(options: options).report(at: path)
    }

    /// The copy, its confidence and the original's name.
    private func only() throws -> (confidence: Confidence, root: String, rootExists: Bool) {
        let found = try report().conflicts
        #expect(found.count == 1, "\(found.map(\.path))")
        let conflict = try #require(found.first)
        return (conflict.confidence, String(conflict.root.dropFirst(folder.path.utf8.count + 1)), conflict.rootExists)
    }

    @Test(arguments: [
        ("Photo (Case Conflict).jpg", "photo.JPG"), ("filename.Conflict.jpg", "FileName.jpg"),
        ("a_PC_Jan-03-0901-2013_CaseConflict_1.txt", "A.txt"), ("É (case conflict 1).md", "é.md"),
        ("draft (Whitespace Conflict).txt", "draft .txt"), ("draft (Whitespace Conflict).txt", " draft.txt "),
        ("a_PC_Jan-03-0901-2013_TailCharacterConflict.txt", "a.txt "),
        ("Cafe\u{301} (Alex's conflicted copy 2026-03-14).md", "Caf\u{E9}.md"),
        ("Caf\u{E9} (unicode conflict).md", "Cafe\u{301}.md"), ("각 [conflicted].md", "\u{1100}\u{1161}\u{11A8}.md"),
    ])
    func anOriginalSpelledInAnotherWayIsFound(copy: String, original: String) throws {
        try folder.write("a", to: original)
        try folder.write("b", to: copy)
        let found = try only()
        #expect(found.rootExists && found.confidence > .possible)
        #expect(found.root.utf8.elementsEqual(original.utf8))
    }

    @Test(arguments: [
        ("Photo (Alex's conflicted copy 2026-03-14).jpg", "photo.jpg"), ("Report [conflicted].md", "report.md"),
        ("draft [conflicted].txt", "draft .txt"), ("draft (Whitespace Conflict).txt", "draft.md"),
    ])
    func onlyAClashOfCaseOrSpacesMayDifferInThem(copy: String, other: String) throws {
        try folder.write("a", to: other)
        try folder.write("b", to: copy)
        #expect(try !only().rootExists)
    }

    @Test(arguments: [
        ("file.txt.conflict1", "file.txt.conflict2"), ("doc.md..path1", "doc.md..path2"),
        ("foo.variant-c696", "foo.variant-f16a"), (".variant-1a2b.bashrc", ".variant-3c4d.bashrc"),
        ("a.conflict1.jpg", "a.conflict2.jpg"), ("x [conflicted].md", "x [conflicted 1].md"),
    ])
    func twoVariantsWithoutAnOriginalAreProbable(first: String, second: String) throws {
        try folder.write("a", to: first)
        #expect(try only().confidence == .possible)
        try folder.write("b", to: second)
        let groups = try report().groups
        #expect(groups.count == 1)
        #expect(groups[0].conflicts.map(\.confidence) == [.probable, .probable])
        #expect(!groups[0].rootExists)
    }

    @Test
    func aFileIsNoOriginalOfAFolder() throws {
        try folder.makeFolder("Taxes (Selective Sync Conflict)")
        try folder.write("a", to: "Taxes")
        #expect(try only().confidence == .possible)
        try folder.makeFolder("Album (1)")
        try folder.write("a", to: "Album")
        #expect(try report().conflicts.count == 1)
    }

    @Test(arguments: ["", "x", "🚀"])
    func aBaseThatWasCutIsCompleted(seam: String) throws {
        let base = String(repeating: "L", count: 210) + seam
        let copy = "\(base)_conflict_20260314_091500_a1B2c3D4e5.md"
        try folder.write("b", to: copy)
        try folder.write("a", to: base + "LLL.md")
        try folder.write("a", to: base + "LLL.txt")
        #expect(try only().root == base + "LLL.md")
        try folder.write("a", to: base + "LLM.md")
        #expect(try only().root == base + ".md")
    }

    @Test
    func theSplitWhoseOriginalExistsIsTaken() throws {
        try folder.write("b", to: "a_b_my_pc_Jan-15-123319-2026_Conflict.ai")
        #expect(try only().root == "a_b_my.ai")
        try folder.write("a", to: "a_b.ai")
        #expect(try only().root == "a_b.ai")
    }

    @Test(arguments: [
        ("my-notes-host-safeBackup-0001.md", "my-notes.md"), ("2026-03-12-host-safeBackup-0001.md", "2026-03-12.md"),
        ("a-b-c-d-safeBackup-0002", "a-b-c"),
    ])
    func aHyphenBelongsToTheOriginalIfThatExists(copy: String, original: String) throws {
        try folder.write("b", to: copy)
        try folder.write("a", to: original)
        #expect(try only().root == original)
    }

    @Test
    func devicesThatTheCallerKnowsAreDevices() throws {
        for name in ["Plan.md", "Plan-kitchen.md", "Plan-office.md"] { try folder.write(name, to: name) }
        #expect(try report().conflicts.isEmpty)
        let found = try report(ConflictListingOptions(deviceNames: ["kitchen"])).conflicts
        #expect(found.map(\.who) == ["kitchen"] && found.map(\.confidence) == [.possible])
    }

    @Test(arguments: [
        "MacBook Pro de Alex", "Alex's iMac", "ALEX-PC", "ALEXPC", "Alex\u{2019}s iPad", "Mac-mini", "WIN-1A2B3C4D5E6",
    ])
    func aDevicesNameNeedsTheOriginal(device: String) throws {
        try folder.write("b", to: "Plan-\(device).md")
        #expect(try report().conflicts.isEmpty)
        try folder.write("a", to: "Plan.md")
        #expect(try only().confidence == .possible)
    }

    @Test(arguments: ["Desktop", "House", "iPhone", "PC", "FINAL", "HOST", "Surface", "machine", "Macros", "IPC"])
    func aWordIsNoDevice(word: String) throws {
        for name in ["Plan.md", "Plan-\(word).md"] { try folder.write(name, to: name) }
        #expect(try report().conflicts.isEmpty)
    }

    @Test(arguments: [
        "Conflicterende kopie van Alex 2026-01-02", "Конфліктна копія 2026-01-02", "salinan konflik Alex 2026-01-02 1",
    ])
    func aPhraseInAnUnknownLanguageIsPossibleBesideItsOriginal(tag: String) throws {
        try folder.write("b", to: "Plan (\(tag)).md")
        #expect(try report().conflicts.isEmpty)
        try folder.write("a", to: "Plan.md")
        #expect(try only().confidence == .possible)
    }

    @Test
    func aPersonAndADateAreNoPhrase() throws {
        for name in ["Plan.md", "Plan (Alex 2026-01-02).md", "Plan (Alex Smith 2026-01-02).md"] {
            try folder.write(name, to: name)
        }
        #expect(try report().conflicts.isEmpty)
    }

    @Test
    func copiesOfCopiesAreTakenApartToACertainDepth() throws {
        let name = "a" + String(repeating: ".Conflict", count: 20)
        let beneath = "a" + String(repeating: ".Conflict", count: 4)
        for name in [name, beneath, "a"] { try folder.write(name, to: name) }
        let found = try report().conflicts
        #expect(found.first { $0.path == folder(name) }?.root == folder(beneath))
        #expect(found.first { $0.path == folder(beneath) }?.root == folder("a"))
    }

    @Test
    func mixedTagsAreTakenApart() throws {
        let parent = "n (conflicted copy 2026-01-02 030405).md"
        let copy = "n (conflicted copy 2026-01-02 030405).sync-conflict-20260925-140233-ABCDEFG.md"
        for name in [copy, "n.md"] { try folder.write(name, to: name) }
        let conflict = try #require(try report().conflicts.first)
        #expect(conflict.original == folder(parent) && !conflict.originalExists)
        #expect(conflict.root == folder("n.md") && conflict.rootExists && conflict.isNested)
    }
}
