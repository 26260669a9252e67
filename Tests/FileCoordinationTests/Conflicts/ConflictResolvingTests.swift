import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Resolving conflicts")
struct ConflictResolvingTests {
    private static let copy = "a.sync-conflict-20260925-140233-ABCDEFG.md"
    let folder: TemporaryFolder
    let backups: TemporaryFolder
    let source = SiblingConflictSource()

    init() throws {
        folder = try TemporaryFolder()
        backups = try TemporaryFolder()
    }

    private func conflict(copy: String? = copy, original: String? = "a.md") throws -> Conflict {
        if let original { try folder.write("original", to: original) }
        if let copy { try folder.write("copy", to: copy) }
        return try #require(try source.report(at: folder.path).conflicts.first)
    }

    private func expectCode(_ code: FileCoordinationError.Code, _ body: () throws -> Void) {
        #expect { try body() } throws: { ($0 as? FileCoordinationError)?.code == code }
    }

    @Test
    func theCopyGoesAndTheOriginalStays() throws {
        try source.resolve(try conflict())
        #expect(try folder.names() == ["a.md"])
        #expect(try folder.text(of: "a.md") == "original")
    }

    @Test
    func aCopyThatChangedOrIsGoneIsLeft() throws {
        let conflict = try conflict()
        try folder.write("COPY", to: Self.copy)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder(Self.copy))
        for kept in [ConflictResolution.Kept.original, .copy] {
            expectCode(.conflictChanged) {
                try source.resolve(conflict, by: ConflictResolution(keeping: kept, backupFolder: backups.path))
            }
        }
        #expect(try folder.text(of: Self.copy) == "COPY" && backups.names().isEmpty)
        try FileManager.default.removeItem(atPath: folder(Self.copy))
        expectCode(.noSuchFile) { try source.resolve(conflict) }
        #expect(try folder.names() == ["a.md"])
    }

    @Test
    func whatIsNoConflictsNameIsNeverRemoved() throws {
        var conflict = try conflict()
        conflict.path = folder("a.md")
        conflict.state = Conflict.State(try LocalFileSystem().attributes(at: folder("a.md"), followLinks: false))
        expectCode(.notConflict) { try source.resolve(conflict) }
        conflict.path = folder(Self.copy)
        conflict.root = "/elsewhere/a.md"
        expectCode(.notConflict) { try source.resolve(conflict, by: ConflictResolution(keeping: .copy)) }
        #expect(try folder.names().count == 2)
    }

    @Test
    func aBackupIsKeptUnderAFreeName() throws {
        for round in 0..<3 {
            let conflict = try conflict()
            let kept = try source.resolve(conflict, by: ConflictResolution(backupFolder: backups.path))
            #expect(try backups.names().count == round + 1)
            #expect(kept == backups(Self.copy + (round == 0 ? "" : ".\(round)")))
        }
        #expect(try backups.names() == [Self.copy, Self.copy + ".1", Self.copy + ".2"])
        #expect(try folder.names() == ["a.md"])
        #expect(try backups.text(of: Self.copy + ".2") == "copy")
    }

    @Test
    func aBackupOfALongNameFindsRoomForItsNumber() throws {
        let name = "\(String(repeating: "L", count: 216))_conflict_20260314_091500_a1B2c3D4e5.md"
        #expect(name.utf8.count == 255)
        for _ in 0..<2 {
            try source.resolve(
                try conflict(copy: name, original: nil), by: ConflictResolution(backupFolder: backups.path))
        }
        #expect(try backups.names().count == 2 && folder.names().isEmpty)
    }

    @Test(arguments: [true, false])
    func aBackupElsewhereIsACopy(canRenameExclusively: Bool) throws {
        let conflict = try conflict()
        let files = AwkwardFileSystem(from: folder.path, canRenameExclusively: canRenameExclusively)
        try SiblingConflictSource(files: files).resolve(conflict, by: ConflictResolution(backupFolder: backups.path))
        #expect(try backups.names() == [Self.copy])
        #expect(try backups.text(of: Self.copy) == "copy")
        #expect(try folder.names() == ["a.md"])
    }

    @Test
    func theCopysContentReplacesTheOriginals() throws {
        let conflict = try conflict()
        let kept = try source.resolve(conflict, by: ConflictResolution(keeping: .copy, backupFolder: backups.path))
        #expect(kept == backups("a.md"))
        #expect(try folder.names() == ["a.md"])
        #expect(try folder.text(of: "a.md") == "copy")
        #expect(try backups.text(of: "a.md") == "original")
    }

    @Test
    func aCopyBecomesAnOriginalThatIsGone() throws {
        try source.resolve(try conflict(original: nil), by: ConflictResolution(keeping: .copy))
        #expect(try folder.names() == ["a.md"])
        #expect(try folder.text(of: "a.md") == "copy")
    }

    @Test
    func anOriginalThatChangedOrAppearedIsNotReplaced() throws {
        let changed = try conflict()
        try CoordinatedFile().write(Array("newer".utf8), to: folder("a.md"))
        expectCode(.conflictChanged) { try source.resolve(changed, by: ConflictResolution(keeping: .copy)) }
        #expect(try folder.text(of: "a.md") == "newer")
        try FileManager.default.removeItem(atPath: folder("a.md"))
        let alone = try conflict(copy: nil, original: nil)
        try folder.write("new", to: "a.md")
        expectCode(.conflictChanged) { try source.resolve(alone, by: ConflictResolution(keeping: .copy)) }
        #expect(try folder.text(of: "a.md") == "new" && folder.text(of: Self.copy) == "copy")
    }

    @Test
    func aFolderGoesOnlyIfItIsEmptyOrKept() throws {
        try folder.makeFolder("Taxes")
        try folder.makeFolder("Taxes (Selective Sync Conflict)")
        let empty = try conflict(copy: nil, original: nil)
        #expect(empty.isFolder)
        try source.resolve(empty)
        try folder.makeFolder("Taxes (Selective Sync Conflict)/sub")
        let full = try conflict(copy: nil, original: nil)
        expectCode(.notEmpty) { try source.resolve(full) }
        expectCode(.isDirectory) { try source.resolve(full, by: ConflictResolution(keeping: .copy)) }
        try source.resolve(full, by: ConflictResolution(backupFolder: backups.path))
        #expect(try folder.names() == ["Taxes"])
        #expect(try backups.names(in: "Taxes (Selective Sync Conflict)") == ["sub"])
    }

    @Test
    func aLinkIsRemovedItselfAndNeverWrittenThrough() throws {
        try backups.write("target", to: "t")
        try FileManager.default.createSymbolicLink(atPath: folder("a.md"), withDestinationPath: backups("t"))
        let toLink = try conflict(original: nil)
        expectCode(.link) { try source.resolve(toLink, by: ConflictResolution(keeping: .copy)) }
        try FileManager.default.removeItem(atPath: folder(Self.copy))
        try FileManager.default.createSymbolicLink(atPath: folder(Self.copy), withDestinationPath: backups("t"))
        try source.resolve(try conflict(copy: nil, original: nil))
        #expect(try folder.names() == ["a.md"] && backups.text(of: "t") == "target")
    }

    /// Where the original is gone and the file system cannot rename without replacing, its name is never an empty file's.
    @Test
    func theCopyTakesTheFreeNameWholeOrNotAtAll() throws {
        for call in 1... {
            let folder = try TemporaryFolder()
            try folder.write("copy", to: Self.copy)
            let conflict = try #require(try source.report(at: folder.path).conflicts.first)
            let dying = FaultyFileSystem(fault: .death(call: call))
            let files = LimitedFileSystem(dying, renamingWithoutReplacing: .invalidArgument)
            do { try SiblingConflictSource(files: files).resolve(conflict, by: .init(keeping: .copy)) } catch {}
            let texts = try folder.names().map { try folder.text(of: $0) }
            #expect(!texts.isEmpty && Set(texts) == ["copy"], "call \(call)")
            if !dying.tripped {
                #expect(try folder.names() == ["a.md"])
                return
            }
        }
    }

    @Test
    func aFileSystemThatCanMakeNoFreeNameSafelySaysSo() throws {
        let folder = try TemporaryFolder()
        try folder.write("copy", to: Self.copy)
        let conflict = try #require(try source.report(at: folder.path).conflicts.first)
        let files = LimitedFileSystem(renamingWithoutReplacing: .invalidArgument, linking: .notPermitted)
        #expect {
            try SiblingConflictSource(files: files).resolve(conflict, by: .init(keeping: .copy))
        } throws: {
            ($0 as? FileCoordinationError)?.code == .notSupported
        }
        #expect(try folder.names() == [Self.copy])
    }

    /// Whatever call fails or is the last of the process: both contents are somewhere afterwards.
    @Test(arguments: [ConflictResolution.Kept.original, .copy], [false, true])
    func nothingIsLostWhateverFails(kept: ConflictResolution.Kept, dies: Bool) throws {
        var call = 1
        while true {
            let (folder, backups) = (try TemporaryFolder(), try TemporaryFolder())
            try folder.write("original", to: "a.md")
            try folder.write("copy", to: Self.copy)
            let conflict = try #require(try source.report(at: folder.path).conflicts.first)
            let files = FaultyFileSystem(
                fault: dies ? .death(call: call) : .once(call: call, errno: .inputOutput))
            let resolution = ConflictResolution(keeping: kept, backupFolder: backups.path)
            do { try SiblingConflictSource(files: files).resolve(conflict, by: resolution) } catch {}
            let texts = try [folder, backups].flatMap { place in try place.names().map { try place.text(of: $0) } }
            #expect(Set(texts).isSuperset(of: ["original", "copy"]), "call \(call)")
            #expect(try folder.names().contains("a.md"), "call \(call)")
            if !dies { #expect(files.openFiles == 0, "call \(call)") }
            if !files.tripped { break }
            call += 1
        }
        #expect(call > 3)
    }
}

/// Another file system for everything outside a folder, which may not know renames that replace nothing.
private struct AwkwardFileSystem: ForwardingFileSystem {
    let base: any FileSystem
    private let folder: String
    private let canRenameExclusively: Bool

    init(from folder: String, canRenameExclusively: Bool) {
        base = CrossDeviceFileSystem(from: folder)
        self.folder = folder + "/"
        self.canRenameExclusively = canRenameExclusively
    }

    func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        if !canRenameExclusively { throw .invalidArgument }
        if path.hasPrefix(folder) != newPath.hasPrefix(folder) { throw .crossesDevices }
        try base.renameWithoutReplacing(path, to: newPath)
    }
}
