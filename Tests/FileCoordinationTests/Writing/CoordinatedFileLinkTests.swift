import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("CoordinatedFile: links and other kinds")
struct CoordinatedFileLinkTests {
    let folder: TemporaryFolder
    let file = CoordinatedFile()

    init() throws { folder = try TemporaryFolder() }

    private func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder(name), withDestinationPath: target)
    }

    private func isLink(_ name: String) throws -> Bool {
        try LocalFileSystem().attributes(at: folder(name), followLinks: false).kind == .link
    }

    @Test
    func aChainOfRelativeLinksIsFollowedAndKept() throws {
        try folder.makeFolder("real/deep")
        try folder.makeFolder("links")
        try folder.write("old", to: "real/deep/f")
        try link("links/second", to: "../real/deep/f")
        try link("first", to: "links/second")
        try file.write(Array("new".utf8), to: folder("first"))
        #expect(try folder.text(of: "real/deep/f") == "new")
        #expect(try isLink("first") && isLink("links/second"))
        #expect(try folder.names(in: "links") == ["second"])
    }

    @Test
    func anAbsoluteLinksTargetIsReplacedInItsOwnFolder() throws {
        let elsewhere = try TemporaryFolder()
        try elsewhere.write("old", to: "f")
        try link("l", to: elsewhere("f"))
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files).write([1], to: folder("l"))
        #expect(try CoordinatedFile().read(at: elsewhere("f")) == [1])
        #expect(files.calls.first { $0.name == "open" }?.path.hasPrefix(elsewhere.path) == true)
    }

    @Test
    func aLinkIntoAnotherFileSystemIsFollowedThere() throws {
        // The one in memory, the other where the system keeps temporary files: as a rule two file systems.
        let other = FileManager.default.temporaryDirectory.appending(path: "linked-\(folder.path.suffix(36))").path
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
        defer { do { try FileManager.default.removeItem(atPath: other) } catch { Issue.record(error) } }
        try link("l", to: "\(other)/f")
        try file.write([1], to: folder("l"))
        try file.write([2], to: folder("l"))
        #expect(try file.read(at: "\(other)/f") == [2])
        #expect(try FileManager.default.contentsOfDirectory(atPath: other) == ["f"])
        #expect(try isLink("l"))
    }

    @Test
    func aDanglingLinksTargetIsMade() throws {
        try link("l", to: "absent")
        try file.write([1], to: folder("l"))
        #expect(try file.read(at: folder("absent")) == [1])
        #expect(try isLink("l"))
    }

    @Test
    func circlesAreToldNotFollowed() throws {
        try link("a", to: "b")
        try link("b", to: "a")
        #expect { try file.write([1], to: folder("a")) } throws: { ($0 as? FileCoordinationError)?.code == .link }
    }

    @Test
    func linksAreRefusedIfTheyAreNotToBeFollowed() throws {
        try folder.write("old", to: "f")
        try link("l", to: "f")
        let strict = CoordinatedFile(followLinks: false)
        #expect { try strict.write([1], to: folder("l")) } throws: { ($0 as? FileCoordinationError)?.code == .link }
        #expect { try strict.read(at: folder("l")) } throws: { ($0 as? FileCoordinationError)?.code == .link }
        #expect(try folder.text(of: "f") == "old")
        #expect(try folder.names() == ["f", "l"])
    }

    @Test
    func foldersAndPipesAreNeverReplacedNorWaitedFor() throws {
        try folder.makeFolder("d")
        #expect(mkfifo(folder("p"), 0o600) == 0)
        for (name, code) in [("d", FileCoordinationError.Code.isDirectory), ("p", .notRegularFile)] {
            #expect { try file.write([1], to: folder(name)) } throws: { ($0 as? FileCoordinationError)?.code == code }
            #expect { try file.read(at: folder(name)) } throws: { ($0 as? FileCoordinationError)?.code == code }
        }
        #expect(try folder.names() == ["d", "p"])
    }

    @Test
    func aPathThatNamesAFolderIsRefused() throws {
        for path in [folder("d/"), folder("."), folder("x/.."), ""] {
            #expect(throws: FileCoordinationError.self) { try file.write([1], to: path) }
        }
        #expect { try file.write([1], to: folder("none/a")) } throws: {
            ($0 as? FileCoordinationError)?.code == .noParent
        }
        #expect(throws: FileCoordinationError.self) { try file.write([1], to: folder("a\0b")) }
        #expect(try folder.names().isEmpty)
    }
}
