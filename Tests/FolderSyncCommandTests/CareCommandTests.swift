import Foundation
import TestSupport
import Testing

/// Joining, leaving, merging stores, and mending a folder, from the shell.
@Suite("Commands that care for a shared folder")
struct CareCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    private func status(_ store: String) async throws -> [String: Any] {
        try await foldersync("status", store, "--json").object()
    }

    @Test("Creating where this store is already joins and says so; leaving sends, tells the others, and forgets")
    func joiningAndLeaving() async throws {
        for name in ["A", "B"] { try await foldersync("init", name) }
        #expect(try await foldersync("attach", "A", "shared", "--create").output.contains("already") == false)
        #expect(try await foldersync("attach", "A", "shared", "--create").output.contains("already: joined"))
        try await foldersync("attach", "B", "shared")
        try await foldersync("set", "A", "k", "v")
        try #require(try await foldersync.shell("mv shared away").code == 0)
        let refused = try await foldersync("detach", "A", "shared")
        foldersync.expectError(refused, "1 version is not sent", "--force")
        try #require(try await foldersync.shell("mv away shared").code == 0)
        #expect(try await foldersync("detach", "A", "shared").output.hasPrefix("left "))
        foldersync.expectError(try await foldersync("sync", "A"), "not attached")
        try await foldersync("sync", "B")
        #expect(try await foldersync("get", "B", "k").output == "v")
        let attachment = try #require((try await status("B")["attachments"] as? [[String: Any]])?.first)
        let lanes = try #require(attachment["lanes"] as? [[String: Any]])
        #expect(lanes.map { $0["mine"] as? Bool } == [true, false])
        #expect(lanes.map { $0["retired"] as? Bool } == [false, true])
        #expect(lanes.map { $0["here"] as? Int } == [0, 1])
        #expect(try await foldersync("status", "B").output.contains(", retired: all 1 here"))
    }

    @Test("Another store merges only with --adopt")
    func adopting() async throws {
        for name in ["A", "B"] {
            try await foldersync("init", name)
            try await foldersync("attach", name, "shared-\(name)", "--create")
            try await foldersync("set", name, "of-\(name)", "v")
            try await foldersync("sync", name)
        }
        try #require(try await foldersync.shell("cp -r shared-B/* shared-A/").code == 0)
        foldersync.expectError(try await foldersync("sync", "A"), "two stores share this folder", "--adopt")
        foldersync.expectError(
            try await foldersync("attach", "B", "shared-A"), "two stores share this folder", "--adopt")
        foldersync.expectError(try await foldersync("verify", "shared-A"), "two stores share this folder")
        let adopted = try await foldersync("attach", "A", "shared-A", "--adopt")
        #expect(adopted.code == 0 && adopted.output.contains("the store is that of"), "\(adopted.errors)")
        #expect(try await foldersync("sync", "A").code == 0)
        #expect(try await foldersync("ls", "A").lines.count == 2)
        let moved = try await foldersync("attach", "B", "shared-A", "--adopt", "--json").object()
        #expect(moved["former"] == nil)
        #expect(try await foldersync("sync", "B").code == 0)
        #expect(try await status("A")["store"] as? String == status("B")["store"] as? String)
        #expect(try await foldersync("ls", "B").lines.count == 2)
        let usage = try await foldersync("attach", "A", "shared-A", "--adopt", "--create")
        #expect(usage.code == 2)
    }

    @Test("Verify lists what is wrong at each level and says what is no shared folder; repair mends its own")
    func mending() async throws {
        try await foldersync("init", "A")
        try await foldersync("attach", "A", "shared", "--create")
        for number in 1...3 {
            try await foldersync("set", "A", "k", "\(number)")
            try await foldersync("sync", "A")
        }
        for level in ["names", "hash", "deep"] {
            let clean = try await foldersync("verify", "shared", "--level", level, "--json").object()
            #expect(clean["clean"] as? Bool == true && clean["versions"] as? Int == 3, "\(level)")
        }
        try #require(
            try await foldersync.shell(
                "rm shared/*/e-2-* && for f in shared/*/e-1-*; do head -c 99 $f >x; cat x >$f; done"
            )
            .code == 0)
        let found = try await foldersync("verify", "shared", "--json")
        #expect(found.code == 1)
        #expect(try found.objects().compactMap { $0["kind"] as? String } == ["gap", "arriving", "gap", "folder"])
        #expect(try await foldersync("verify", "shared", "--level", "names").code == 1)
        let repaired = try await foldersync("repair", "A")
        #expect(repaired.code == 0 && repaired.output.contains("2 own files written again"), "\(repaired.errors)")
        #expect(try await foldersync("verify", "shared").code == 0)
        try await foldersync("snapshot", "A", "backup")
        foldersync.expectError(try await foldersync("verify", "backup"), "is a snapshot of a store")
        try #require(try await foldersync.shell("mkdir plain && touch plain/x").code == 0)
        foldersync.expectError(try await foldersync("verify", "plain"), "is an ordinary folder")
    }
}
