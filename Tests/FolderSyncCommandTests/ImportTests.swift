import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Import")
struct ImportTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        try folder.makeFolder("in/sub/deep")
    }

    private func importing() async throws -> [String: Any] {
        try await foldersync("import", "S", "in", "--json").object()
    }

    private func counts(_ result: [String: Any]) -> [Int?] {
        ["added", "edited", "removed", "unchanged"].map { result[$0] as? Int }
    }

    @Test("Additions, edits and removals are one version; nothing changed is none")
    func oneVersion() async throws {
        try await foldersync("init", "S")
        try folder.write("1", to: "in/a")
        try folder.write("2", to: "in/sub/deep/b")
        try folder.write("", to: "in/empty")
        #expect(counts(try await importing()) == [3, 0, 0, 0])
        #expect(counts(try await importing()) == [0, 0, 0, 3])
        try folder.write("9", to: "in/a")
        try folder.write("3", to: "in/c")
        try FileManager.default.removeItem(atPath: folder("in/empty"))
        let result = try await importing()
        #expect(counts(result) == [1, 1, 1, 1])
        #expect(result["changed"] as? Bool == true)
        #expect(try await foldersync("status", "S", "--json").object()["versions"] as? Int == 2)
        #expect(try await foldersync("ls", "S").lines == ["a", "c", "sub/deep/b"])
        #expect(try await foldersync("get", "S", "a").output == "9")
        #expect(try await foldersync("import", "S", "in").output.hasPrefix("nothing changed"))
    }

    @Test("What is no regular file is reported and left out")
    func oddities() async throws {
        try await foldersync("init", "S")
        try folder.write("x", to: "in/plain")
        try FileManager.default.createSymbolicLink(atPath: folder("in/link"), withDestinationPath: "plain")
        try FileManager.default.createSymbolicLink(atPath: folder("in/out"), withDestinationPath: "/etc")
        let made = try await foldersync.shell(
            "mkfifo in/pipe && printf x > in/$(printf 'bad\\377') && printf y > 'in/a\nb'")
        try #require(made.code == 0)
        let result = try await importing()
        let skipped = try #require(result["skipped"] as? [[String: String]])
        let reasons = Dictionary(uniqueKeysWithValues: skipped.map { ($0["file"] ?? "", $0["reason"] ?? "") })
        #expect(
            reasons == [
                "link": "link", "out": "link", "pipe": "pipe, socket or device", "bad\\xff": "name is not UTF-8",
                "sub/deep/": "empty folder",
            ])
        #expect(try await foldersync("ls", "S").lines == ["a\\nb", "plain"])
    }

    @Test("A file becomes a folder and back")
    func fileAndFolder() async throws {
        try await foldersync("init", "S")
        try folder.write("1", to: "in/x")
        _ = try await importing()
        try FileManager.default.removeItem(atPath: folder("in/x"))
        try folder.makeFolder("in/x")
        try folder.write("2", to: "in/x/y")
        #expect(counts(try await importing()) == [1, 0, 1, 0])
        #expect(try await foldersync("ls", "S").lines == ["x/y"])
    }

    @Test("Values whose names no file can have stay")
    func impossibleNamesStay() async throws {
        try await foldersync("init", "S")
        for name in ["../x", "p", "p/q"] { try await foldersync("set", "S", name, "v") }
        try folder.makeFolder("in/p")
        try folder.write("v", to: "in/p/q")
        let result = try await importing()
        #expect(counts(result) == [0, 0, 0, 1])
        #expect(result["kept"] as? [String] == ["../x", "p"])
    }

    @Test("A missing folder, and one that overlaps the store, are refused")
    func refusals() async throws {
        try await foldersync("init", "S")
        foldersync.expectError(try await foldersync("import", "S", "nowhere"), "nowhere", "check the path")
        foldersync.expectError(try await foldersync("import", "S", "."), "inside one another", "apart")
        foldersync.expectError(try await foldersync("import", "S", "S/sub"), "inside one another", "apart")
        #expect(try await foldersync("status", "S", "--json").object()["versions"] as? Int == 0)
    }

    @Test("What cannot be read is reported, and what is stored of it stays", arguments: ["locked", "sub/deep"])
    func unreadable(name: String) async throws {
        try folder.write("1", to: "in/locked")
        try folder.write("2", to: "in/sub/deep/b")
        let store = Store(storage: MemoryStorage())
        let version = try store.makeVersion(
            basedOn: .root, changes: [.insert(Value(id: "locked", "0")), .insert(Value(id: "sub/deep/b", "0"))])
        let files = FaultyFileSystem(fault: .named("open", pathSuffix: "in/" + name, errno: .accessDenied))
        let scan = try DirectoryScan(of: folder("in"), in: files)
        let plan = try ImportPlan(scan, of: folder("in"), against: version.id, of: store, files: files)
        #expect(files.tripped)
        #expect(plan.removals.isEmpty)
        #expect(plan.writes.count == 1)
        #expect(plan.skipped.contains { $0.reason.contains("unreadable") })
    }

    @Test("A file that changes while it is read is noticed")
    func changing() throws {
        try folder.write("before", to: "in/a")
        let file = try FileContent("a", in: folder("in"), files: .local)
        #expect(try file.content(onRead: { _ in }).allBytes() == Array("before".utf8))
        try folder.write("after it", to: "in/a")
        #expect(throws: FileUnavailable.self) { try file.content(onRead: { _ in }).allBytes() }
        try FileManager.default.removeItem(atPath: folder("in/a"))
        #expect(throws: FileUnavailable.self) { try file.content(onRead: { _ in }).digest() }
    }
}
