import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Conflict listing")
struct ConflictListingTests {
    private static let tag = ".sync-conflict-20260925-140233-ABCDEFG"
    let folder: TemporaryFolder
    let source = SiblingConflictSource()

    init() throws { folder = try TemporaryFolder() }

    private func conflicts(_ options: ConflictListingOptions = .init(), at path: String? = nil) throws -> [Conflict] {
        try SiblingConflictSource(options: options).report(at: path ?? folder.path).conflicts
    }

    @Test
    func everythingBelowIsFoundInOrder() throws {
        for name in ["b", "a", "a/deep/er", "a (Selective Sync Conflict)"] { try folder.makeFolder(name) }
        let copies = ["a (Selective Sync Conflict)/x", "a/deep/er/x", "a/x", "b/x", "x"].map { $0 + Self.tag }
        for copy in copies.reversed() { try folder.write("x", to: copy) }
        let found = try conflicts().map(\.path)
        #expect(found == ([folder("a (Selective Sync Conflict)")] + copies.map { folder($0) }).sorted())
        #expect(try conflicts(ConflictListingOptions(isRecursive: false)).count == 2)
        #expect(try conflicts(at: folder.path + "/").map(\.path) == found)
    }

    @Test
    func backupsAndCachesOfServicesAreNotLookedInto() throws {
        for name in [".stversions", ".dropbox.cache", ".SyncArchive"] {
            try folder.makeFolder(name)
            try folder.write("x", to: "\(name)/a\(Self.tag).md")
        }
        for name in [
            ".syncthing.a\(Self.tag).md.tmp", ".bak.1.report.txt", "Plan (# Temporary renamed 2026-10-05 k3x9qaR #).md",
        ] {
            try folder.write("x", to: name)
        }
        #expect(try conflicts().isEmpty)
    }

    @Test
    func temporaryAndPlaceholderNamesAreToldApartIfAsked() throws {
        try folder.makeFolder("sub")
        try folder.makeFolder(".stfolder")
        for name in ["a.md", "a\(Self.tag).md", "sub/.a.md.swp", ".b.pdf.icloud", "c.jpg.nextcloud"] {
            try folder.write("x", to: name)
        }
        #expect(try SiblingConflictSource().report(at: folder.path).temporary.isEmpty)
        let source = SiblingConflictSource(options: ConflictListingOptions(listsTemporary: true))
        let report = try source.report(at: folder.path)
        #expect(report.conflicts.map(\.path) == [folder("a\(Self.tag).md")])
        let names = [".b.pdf.icloud", ".stfolder", "c.jpg.nextcloud", "sub/.a.md.swp"]
        #expect(report.temporary.map(\.path) == names.map { folder($0) })
        #expect(report.temporary.map(\.standsFor) == [folder("b.pdf"), nil, folder("c.jpg"), nil])
        #expect(report.temporary.map(\.isFolder) == [false, true, false, false])
        #expect(report.temporary[1].kind == .control(service: "Syncthing"))
        if case .temporary = report.temporary[3].kind {} else { Issue.record("\(report.temporary[3])") }
        // Of a file, what stands for it.
        #expect(try source.report(at: folder("c.jpg")).temporary.map(\.path) == [folder("c.jpg.nextcloud")])
    }

    /// Every number at an end is a mark of some service; only what could be the original makes it worth a look.
    @Test
    func numbersAtTheEndOfManyNamesAreNoCopiesWithoutAnOriginal() throws {
        let file = CoordinatedFile(durability: .fast)
        for number in 10..<60 {
            for name in ["IMG_\(number) \(number).JPG", "a \(number) (2).pdf", "b\(number)_3.txt", "c.old\(number)"] {
                try file.write([], to: folder(name))
            }
        }
        #expect(try conflicts().isEmpty)
        try file.write([], to: folder("IMG_20.JPG"))
        try file.write([], to: folder("a 30.pdf"))
        // Beneath one mark there may be another: the number goes, and the number before it.
        try file.write([], to: folder("a.pdf"))
        try file.write([], to: folder("d 2 (1).md"))
        try file.write([], to: folder("d.md"))
        let found = Set(try conflicts().map { String($0.path.dropFirst(folder.path.utf8.count + 1)) })
        #expect(found.isSuperset(of: ["IMG_20 20.JPG", "a 30 (2).pdf", "a 31 (2).pdf", "d 2 (1).md"]))
        #expect(!found.contains { $0.hasPrefix("b") || $0.hasPrefix("c") })
        #expect(found.contains("IMG_20 20.JPG") && !found.contains("IMG_21 21.JPG"))
    }

    @Test
    func aFilesCopiesAreFoundAlsoIfItIsGone() throws {
        for name in ["a\(Self.tag).md", "a\(Self.tag)\(Self.tag).md", "b\(Self.tag).md"] {
            try folder.write("x", to: name)
        }
        #expect(try conflicts(at: folder("a.md")).count == 2)
        try folder.write("x", to: "a.md")
        #expect(try conflicts(at: folder("a.md")).count == 2)
        #expect(try conflicts(at: folder("a\(Self.tag).md")).count == 1)
        #expect(try conflicts(at: folder("c.md")).isEmpty)
    }

    @Test
    func aFolderThatIsNotThereIsAnError() throws {
        #expect { try conflicts(at: folder("none/a.md")) } throws: {
            ($0 as? FileCoordinationError)?.code == .noSuchFile
        }
    }

    @Test
    func linksAreNotFollowed() throws {
        let other = try TemporaryFolder()
        try other.write("x", to: "a\(Self.tag).md")
        let manager = FileManager.default
        try manager.createSymbolicLink(atPath: folder("link"), withDestinationPath: other.path)
        try manager.createSymbolicLink(atPath: folder("l\(Self.tag).md"), withDestinationPath: other("a\(Self.tag).md"))
        try folder.write("x", to: "l.md")
        let found = try SiblingConflictSource(options: ConflictListingOptions(comparesContent: true))
            .report(at: folder.path)
        #expect(found.conflicts.map(\.path) == [folder("l\(Self.tag).md")])
        #expect(found.conflicts[0].state.kind == .link && found.conflicts[0].sameContent == nil)
        #expect(found.failures.isEmpty)
        // The folder that was asked for may be a link itself.
        #expect(try conflicts(at: folder("link")).count == 1)
    }

    @Test
    func namesThatAreNotUTF8AreLeftOut() throws {
        let bytes = Array(folder("a\(Self.tag)").utf8) + [0xFF, 0]
        let descriptor = bytes.withUnsafeBytes { name in
            name.bindMemory(to: CChar.self).baseAddress.map { creat($0, 0o600) } ?? -1
        }
        try #require(descriptor >= 0)
        close(descriptor)
        #expect(try conflicts().isEmpty)
    }

    @Test
    func aFolderBelowThatCannotBeReadIsToldAndTheOthersAreRead() throws {
        for name in ["bad", "good"] {
            try folder.makeFolder(name)
            try folder.write("x", to: "\(name)/a\(Self.tag).md")
        }
        let files = FaultyFileSystem(fault: .named("open", pathSuffix: "/bad", errno: .accessDenied))
        let report = try SiblingConflictSource(files: files).report(at: folder.path)
        #expect(report.conflicts.map(\.path) == [folder("good/a\(Self.tag).md")])
        #expect(report.failures.map(\.path) == [folder("bad")])
        #expect(files.openFiles == 0)
    }

    @Test
    func everyFailingCallIsToldAndNothingStaysOpen() throws {
        try folder.makeFolder("sub")
        for name in ["a.md", "a\(Self.tag).md", "sub/a\(Self.tag).md"] { try folder.write("same", to: name) }
        let options = ConflictListingOptions(comparesContent: true)
        let counting = FaultyFileSystem()
        let whole = try SiblingConflictSource(files: counting, options: options).report(at: folder.path)
        #expect(whole.conflicts.count == 2)
        for call in 1...counting.callCount {
            let files = FaultyFileSystem(fault: .once(call: call, errno: .inputOutput))
            do {
                let report = try SiblingConflictSource(files: files, options: options).report(at: folder.path)
                // A failing close of a file that was only read loses nothing.
                #expect(!report.failures.isEmpty || report.conflicts == whole.conflicts, "call \(call)")
            } catch { #expect(error.code == .inputOutput, "call \(call)") }
            #expect(files.openFiles == 0, "call \(call)")
        }
    }

    @Test
    func equalBytesAreMarked() throws {
        let contents = [
            ("a.md", "same"), ("a\(Self.tag).md", "same"), ("a (conflicted).md", "some"),
            ("a (conflicted 2).md", "some"),
            ("a (conflicted 3).md", "longer"), ("b (conflicted).md", "same"),
        ]
        for (name, text) in contents { try folder.write(text, to: name) }
        let found = try conflicts(ConflictListingOptions(comparesContent: true))
        let same = Dictionary(uniqueKeysWithValues: found.map { ($0.path, $0.sameAs) })
        #expect(same[folder("a\(Self.tag).md")] == folder("a.md"))
        #expect(same[folder("a (conflicted).md")] == folder("a (conflicted 2).md"))
        #expect(same[folder("a (conflicted 2).md")] == folder("a (conflicted).md"))
        #expect(found.first { $0.path == folder("a (conflicted 3).md") }?.sameContent == false)
        #expect(found.first { $0.path == folder("b (conflicted).md") }?.sameContent == false)
        #expect(try conflicts().allSatisfy { $0.sameContent == nil })
    }

    @Test
    func largeFilesAreComparedToTheirLastByte() throws {
        var bytes = [UInt8](repeating: 7, count: 300_000)
        let file = CoordinatedFile(durability: .fast)
        try file.write(bytes, to: folder("a"))
        try file.write(bytes, to: folder("a.Conflict"))
        bytes[299_999] = 8
        try file.write(bytes, to: folder("a.Conflict2"))
        let found = try conflicts(ConflictListingOptions(comparesContent: true))
        #expect(found.map(\.sameContent) == [true, false])
    }

    @Test
    func manyOrdinaryNamesAreAtMostPossible() throws {
        var maker = OrdinaryNameMaker(seed: 99)
        for _ in 0..<2_000 {
            let name = maker.name()
            try CoordinatedFile(durability: .fast).write([], to: folder(name))
        }
        #expect(try conflicts().allSatisfy { $0.confidence == .possible && $0.rootExists })
    }

    @Test
    func cancellationEndsAListing() async throws {
        let source = source
        let url = URL(filePath: folder.path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await source.unresolvedConflicts(at: url)
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }
}
