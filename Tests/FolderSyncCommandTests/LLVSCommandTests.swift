import Foundation
import TestSupport
import Testing

@Suite("LLVS's data in commands")
struct LLVSCommandTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        let notes = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("LLVSCoreTests/Fixtures/LLVSNotes").path
        try FileManager.default.copyItem(atPath: notes + "/sqlite-store", toPath: folder("old"))
        try FileManager.default.copyItem(atPath: notes + "/exchange", toPath: folder("shared"))
    }

    @Test("A store made by LLVS is imported, and again adds nothing")
    func importing() async throws {
        try await foldersync("init", "S")
        let result = try await foldersync("import-llvs", "S", "old", "--json").object()
        #expect(result["imported"] as? Int == 31)
        #expect(result["kind"] as? String == "sqliteStorage")
        #expect((result["damaged"] as? [Any])?.isEmpty == true)
        #expect(try await foldersync("get", "S", "seed-1").code == 0)
        #expect(try await foldersync("ls", "S").lines.contains("日本語-4"))
        #expect(try await foldersync("import-llvs", "S", "old").output.hasPrefix("0 versions imported; now at "))
        let refused = try await foldersync("import-llvs", "S", "shared")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("sync with it instead"))
        #expect(try await foldersync("import-llvs", "S", "S").code == 1)
    }

    @Test("An import that takes nothing fails, and lists what it left out")
    func refusedImport() async throws {
        try await foldersync("init", "S")
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder("old/versions"))
        let versions = files.filter { $0.hasSuffix(".json") }
        for file in versions { try Data("{".utf8).write(to: URL(fileURLWithPath: folder("old/versions/" + file))) }
        let refused = try await foldersync("import-llvs", "S", "old", "--json")
        #expect(refused.code == 1)
        #expect(refused.errors.contains("no version was imported, left out: \(versions.count) versions"))
        let damaged = try #require(try refused.object()["damaged"] as? [[String: Any]])
        #expect(Set(damaged.compactMap { $0["file"] as? String }) == Set(versions.map { "versions/" + $0 }))
    }

    @Test("Two stores share a folder in LLVS's format, with the versions of LLVS in it")
    func sharing() async throws {
        for store in ["A", "B"] { try await foldersync("init", store) }
        let first = try await foldersync("sync", "A", "--llvs", "shared", "--json").object()
        #expect(first["imported"] as? Int == 31)
        try await foldersync("set", "A", "key", "from A")
        #expect(try await foldersync("sync", "A", "--llvs", "shared", "--json").object()["sent"] as? Int ?? 0 >= 1)
        #expect(try await foldersync("sync", "B", "--llvs", "shared").code == 0)
        #expect(try await foldersync("get", "B", "key").output == "from A")
        let digests = try await [
            foldersync("sync", "A", "--llvs", "shared", "--json").object()["digest"] as? String,
            foldersync("sync", "B", "--llvs", "shared", "--json").object()["digest"] as? String,
        ]
        #expect(digests[0] == digests[1])
        try FileManager.default.removeItem(atPath: folder("shared"))
        let missing = try await foldersync("sync", "A", "--llvs", "shared")
        #expect(missing.code == 1)
        #expect(missing.errors.contains("mount it or correct the path"))
    }
}
