import Foundation
import TestSupport
import Testing

/// Two stores and one shared folder, from the shell.
@Suite("Shared-folder commands")
struct SharedFolderCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    /// Stores A and B, attached to one folder.
    private func setUp() async throws {
        for name in ["A", "B"] { try await foldersync("init", name) }
        #expect(try await foldersync("attach", "A", "shared", "--create").code == 0)
        #expect(try await foldersync("attach", "B", "shared").code == 0)
    }

    private func sync(_ store: String) async throws -> [String: Any] {
        let outcome = try await foldersync("sync", store, "--json")
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.object()
    }

    private func digest(_ store: String) async throws -> String? {
        try await foldersync("status", store, "--json").object()["digest"] as? String
    }

    @Test("What one saves the other has, and their digests are equal")
    func travels() async throws {
        try await setUp()
        try await foldersync("set", "A", "k", "v")
        let sent = try await sync("A")
        for key in ["imported", "sent", "waiting", "damaged", "foreign", "future", "head", "digest"] {
            #expect(sent[key] != nil, "\(key)")
        }
        #expect(sent["sent"] as? Int == 1 && sent["sentBytes"] as? Int ?? 0 > 100 && sent["readBytes"] as? Int == 0)
        #expect(sent["needsBootstrap"] == nil)
        let came = try await sync("B")
        #expect(came["imported"] as? Int == 1 && came["readBytes"] as? Int ?? 0 > 100)
        #expect(try await foldersync("get", "B", "k").output == "v")
        #expect(try await digest("A") == digest("B"))
        #expect(came["digest"] as? String == sent["digest"] as? String)
    }

    @Test("A conflict ends alike on both, and no version is made after that")
    func settles() async throws {
        try await setUp()
        try await foldersync("set", "A", "k", "from A")
        try await foldersync("set", "B", "k", "from B")
        for store in ["A", "B", "A", "B"] { _ = try await sync(store) }
        #expect(try await digest("A") == digest("B"))
        for store in ["A", "B"] {
            let quiet = try await sync(store)
            #expect(quiet["imported"] as? Int == 0)
            #expect(quiet["sent"] as? Int == 0)
        }
        let graph = try await foldersync("log", "A", "--graph").lines
        #expect(graph.contains("|\\") && graph.contains { $0.contains("merge") })
        #expect(try await foldersync("verify", "shared", "--json").object()["clean"] as? Bool == true)
    }

    @Test("A torn file is waited for, by name and with the reason")
    func tornFile() async throws {
        try await setUp()
        try await foldersync("set", "A", "k", String(repeating: "word ", count: 100))
        _ = try await sync("A")
        let cut = try await foldersync.shell("f=$(ls shared/*/e-*) && head -c 100 $f > x && cat x > $f && echo $f")
        try #require(cut.code == 0)
        let result = try await sync("B")
        let waiting = try #require(result["waiting"] as? [[String: String]])
        #expect(waiting.contains { "shared/" + ($0["file"] ?? "") == cut.lines.first })
        #expect(waiting.allSatisfy { $0["reason"]?.isEmpty == false })
    }

    @Test("A folder that is missing or empty stops a sync, with nothing changed")
    func folderAway() async throws {
        try await setUp()
        try await foldersync("set", "A", "k", "v")
        try #require(try await foldersync.shell("mv shared away").code == 0)
        foldersync.expectError(try await foldersync("sync", "A"), "missing or not mounted")
        try #require(try await foldersync.shell("mkdir shared").code == 0)
        foldersync.expectError(try await foldersync("sync", "A"), "empty or not mounted")
        #expect(try foldersync.folder.names(in: "shared").isEmpty)
        try #require(try await foldersync.shell("rmdir shared && mv away shared").code == 0)
        #expect(try await sync("A")["sent"] as? Int == 1)
    }

    @Test("Stores, shared folders and exported folders may not lie inside one another")
    func overlaps() async throws {
        try await setUp()
        try await foldersync("set", "A", "k", "v")
        try await foldersync("export", "A", "out")
        for (store, folder) in [("A", "."), ("A", "A/in"), ("A", "shared/in"), ("A", "out/in")] {
            let outcome = try await foldersync("attach", store, folder, "--create")
            foldersync.expectError(outcome, "inside one another", "apart")
        }
        for command in ["import", "export"] {
            foldersync.expectError(try await foldersync(command, "A", "shared"), "inside one another", "apart")
        }
        let follow = try await foldersync("follow", "A", "--export", "shared/out")
        foldersync.expectError(follow, "inside one another", "apart")
    }

    @Test("Another store's folder is refused")
    func otherStore() async throws {
        try await setUp()
        try await foldersync("init", "C")
        #expect(try await foldersync("attach", "C", "own", "--create").code == 0)
        foldersync.expectError(try await foldersync("attach", "C", "shared"), "another store")
        foldersync.expectError(try await foldersync("verify", "nowhere"), "missing")
    }

    @Test("Follow prints and exports each update, and ends cleanly when told", arguments: [SIGINT, SIGTERM])
    func follows(signal: Int32) async throws {
        try await setUp()
        try await foldersync("set", "A", "k", "first")
        _ = try await sync("A")
        let process = try foldersync.prepare(
            try CommandRunner.executable, ["follow", "B", "--export", "out", "--json"])
        try foldersync.folder.write("", to: "updates")
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: foldersync.folder("updates")))
        try process.run()
        defer { process.terminate() }
        let first = try await update(1)
        #expect(first["imported"] as? Int == 1)
        #expect((first["export"] as? [String: Any])?["written"] as? Int == 1)
        try await foldersync("set", "A", "k", "second")
        _ = try await sync("A")
        let second = try await update(2)
        #expect(second["imported"] as? Int == 1)
        #expect(try foldersync.folder.text(of: "out/k") == "second")
        try await foldersync("set", "B", "own", "saved by another process")
        #expect(try await update(3)["sent"] as? Int == 1)
        kill(process.processIdentifier, signal)
        #expect(await eventually { !process.isRunning })
        #expect(process.terminationStatus == 0)
        #expect(process.terminationReason == .exit)
    }

    /// The n-th line that `follow` prints, when it is there.
    private func update(_ number: Int) async throws -> [String: Any] {
        // But for the last one while it is incomplete.
        let lines = {
            try foldersync.folder.text(of: "updates").split(separator: "\n", omittingEmptySubsequences: false)
                .dropLast()
                .map(String.init)
        }
        let isThere = try await eventually(within: .seconds(60)) { try lines().count >= number }
        let found = try lines()
        try #require(isThere, "no update \(number) in \(found)")
        let line = found[number - 1]
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test("The demo ends with equal digests")
    func demo() async throws {
        let outcome = try await foldersync("demo", "--dir", "stage")
        #expect(outcome.code == 0, "\(outcome.errors)")
        let digests = outcome.lines.filter { $0.contains(" digest ") }.map { $0.split(separator: " ").last }
        #expect(digests.count == 2 && digests[0] == digests[1])
        #expect(outcome.output.contains("|\\"))
        #expect(try foldersync.folder.names(in: "stage") == ["desktop", "laptop"])
        foldersync.expectError(try await foldersync("demo", "--dir", "stage"), "not empty")
        let told = try await foldersync("demo", "--json").objects()
        #expect(told.allSatisfy { $0["who"] is String && $0["event"] is String })
    }
}
