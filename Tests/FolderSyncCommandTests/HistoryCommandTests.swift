import Foundation
import LLVSCore
import TestSupport
import Testing

/// The commands over a store's history, as a black box.
@Suite("History commands")
struct HistoryCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    /// Makes a store with these saves, one version each, and returns their ids.
    @discardableResult
    private func makeStore(_ saves: [(String, String)]) async throws -> [String] {
        try await foldersync("init", "S")
        var ids: [String] = []
        for (key, value) in saves {
            let saved = try await foldersync("set", "S", key, value, "--json").object()
            ids.append(try #require(saved["version"] as? String))
        }
        return ids
    }

    /// Makes two heads that both changed `k` after `base`.
    private func makeConflict() async throws -> (ours: Version.ID, theirs: Version.ID) {
        try await makeStore([("k", "base")])
        let store = try Store.open(at: foldersync.folder.path + "/S")
        defer { do { try store.close() } catch { Issue.record("\(error)") } }
        let base = try #require(try store.heads().first)
        let made = try ["ours", "theirs"].enumerated().map { index, text in
            try store.makeVersion(
                basedOn: base.id, changes: [.update(Value(id: "k", text))], now: base.time + 1_000 * Int64(index + 1)
            ).id
        }
        return (made[0], made[1])
    }

    @Test("log --key lists what changed one value, newest first")
    func logOfKey() async throws {
        let ids = try await makeStore([("k", "1"), ("other", "x"), ("k", "22")])
        try await foldersync("rm", "S", "k")
        let objects = try await foldersync("log", "S", "--key", "k", "--json").objects()
        #expect(objects.map { $0["change"] as? String } == ["removed", "updated", "inserted"])
        #expect(objects.map { $0["size"] as? Int } == [nil, 2, 1])
        #expect(objects.dropFirst().map { $0["id"] as? String } == [ids[2], ids[0]])
        let lines = try await foldersync("log", "S", "--key=k", "--limit", "2").lines
        #expect(lines.count == 2)
        #expect(lines[0].contains("removed") && lines[0].contains("current"))
        #expect(lines[1].hasPrefix(ids[2].prefix(12)) && lines[1].contains("2 bytes"))
        foldersync.expectError(
            try await foldersync("log", "S", "--key", "never"), "never was a value 'never'", "foldersync ls")
        #expect(try await foldersync("log", "S", "--key", "k", "--graph").code == 2)
    }

    @Test("where there is nothing to list, that is said; a value that is missing at a version is missed there")
    func nothingToList() async throws {
        let ids = try await makeStore([("k", "1"), ("late", "x")])
        #expect(try await foldersync("forks", "S").output == "no merge decided anything\n")
        #expect(try await foldersync("forks", "S", "--key", "k").output == "no merge decided anything about 'k'\n")
        #expect(try await foldersync("branch", "S").output == "no branches\n")
        for command in ["forks", "branch"] { #expect(try await foldersync(command, "S", "--json").output.isEmpty) }
        foldersync.expectError(
            try await foldersync("get", "S", "late", "--at", ids[0]), "no value 'late' at version '\(ids[0])'",
            "foldersync log --key")
    }

    @Test("diff shows what was added, removed and changed, and with --text in which lines")
    func diff() async throws {
        let ids = try await makeStore([("a", "1"), ("text", "one\ntwo\nthree\n"), ("gone", "x")])
        try await foldersync("set", "S", "a", "22")
        try await foldersync("set", "S", "text", "one\n2\nthree\n")
        try await foldersync("set", "S", "new", "n")
        try await foldersync("rm", "S", "gone")
        let plain = try await foldersync("diff", "S", String(ids[2].prefix(8)))
        #expect(
            plain.lines == [
                "~ a  (1 -> 2 bytes)", "- gone  (1 bytes)", "+ new  (1 bytes)", "~ text  (14 -> 12 bytes)",
            ])
        #expect(try await foldersync("diff", "S", "head", ids[2]).lines.contains("+ gone  (1 bytes)"))
        let text = try await foldersync("diff", "S", ids[2], "head", "--text").lines
        let start = try #require(text.firstIndex(of: "~ text  (14 -> 12 bytes)"))
        #expect(text[(start + 1)...] == ["  @@ -1,3 +1,3 @@", "   one", "  -two", "  +2", "   three"])
        let objects = try await foldersync("diff", "S", ids[2], "head", "--text", "--json").objects()
        #expect(objects.map { $0["change"] as? String } == ["changed", "removed", "added", "changed"])
        #expect(objects[3]["lines"] as? [String] == ["@@ -1,3 +1,3 @@", " one", "-two", "+2", " three"])
        #expect(objects[1]["newHash"] == nil)
        #expect(try await foldersync("diff", "S", "head", "head").output.isEmpty)
        foldersync.expectError(try await foldersync("diff", "S", "0000"), "no version '0000'")
    }

    @Test("revert brings back what was, or that it was not, as a new version")
    func revert() async throws {
        let ids = try await makeStore([("other", "x"), ("k", "old"), ("k", "new")])
        #expect(try await foldersync("revert", "S", "k", "--at", ids[1]).output.hasPrefix("reverted k in version "))
        #expect(try await foldersync("get", "S", "k").output == "old")
        #expect(try await foldersync("revert", "S", "k", "--at", ids[1]).output == "nothing changed\n")
        let removed = try await foldersync("revert", "S", "k", "--at", ids[0], "--json").object()
        #expect(removed["changed"] as? Bool == true)
        #expect(try await foldersync("ls", "S").lines == ["other"])
        #expect(try await foldersync("log", "S").lines.count == 5)
        foldersync.expectError(try await foldersync("revert", "S", "never", "--at", "head"), "no value 'never'")
        #expect(try await foldersync("revert", "S", "k").code == 2)
    }

    @Test("a branch is begun, saved on, listed, named as a version, and merged when asked for")
    func branches() async throws {
        try await makeStore([("k", "1"), ("m", "1")])
        #expect(try await foldersync("branch", "S", "--json").output.isEmpty)
        let begun = try await foldersync("branch", "S", "draft", "--json").object()
        #expect(begun["branch"] as? String == "draft")
        try await foldersync("set", "S", "k", "2", "--branch", "draft")
        try await foldersync("set", "S", "m", "2")
        #expect(try await foldersync("get", "S", "k").output == "1")
        #expect(try await foldersync("get", "S", "k", "--at", "draft").output == "2")
        #expect(try await foldersync("branch", "S").lines.map { $0.prefix(7) } == ["draft  "])
        #expect(try await foldersync("merge", "S").output == "nothing to merge\n")
        let merged = try await foldersync("merge", "S", "--branch", "draft", "--json").object()
        #expect(merged["changed"] as? Bool == true)
        #expect(try await foldersync("get", "S", "k").output == "2")
        #expect(try await foldersync("get", "S", "m").output == "2")
        #expect(try await foldersync("merge", "S", "--branch", "draft").output == "nothing to merge\n")
        // The result is shared work: a plain merge stays there, and the store has one head.
        let status = try await foldersync("status", "S", "--json").object()
        let current = try #require(merged["current"] as? String)
        #expect(status["heads"] as? [String] == [current])
        #expect(try await foldersync("verify", "S").code == 0)
    }

    @Test("a branch that only went ahead is merged, and may be gone on with")
    func fastForward() async throws {
        try await makeStore([("k", "1")])
        try await foldersync("branch", "S", "draft")
        for round in ["2", "3"] {
            try await foldersync("set", "S", "k", round, "--branch", "draft")
            #expect(try await foldersync("merge", "S", "--branch", "draft").output.hasPrefix("merged: "))
            #expect(try await foldersync("get", "S", "k").output == round)
        }
        try await foldersync("set", "S", "own", "x")
        #expect(try await foldersync("merge", "S").output == "nothing to merge\n")
        #expect(try await foldersync("ls", "S").lines == ["k", "own"])
        #expect(try await foldersync("ls", "S", "--at", "draft").lines == ["k"])
    }

    @Test("branches that cannot be say so")
    func wrongBranches() async throws {
        try await foldersync("init", "S")
        foldersync.expectError(try await foldersync("branch", "S", "b"), "no version yet", "save a value")
        try await foldersync("set", "S", "k", "1")
        foldersync.expectError(
            try await foldersync("merge", "S", "--branch", "b"), "no branch 'b'", "foldersync branch")
        foldersync.expectError(try await foldersync("set", "S", "k", "2", "--branch", "b"), "no branch 'b'")
        foldersync.expectError(try await foldersync("branch", "S", "head"), "cannot be called 'head'")
        try await foldersync("branch", "S", "b")
        foldersync.expectError(try await foldersync("branch", "S", "b"), "a branch 'b' already")
        #expect(try await foldersync("branch", "S", "--at", "head").code == 2)
    }

    @Test("a branch cannot take the name of a version")
    func branchLikeAnID() async throws {
        let ids = try await makeStore([("k", "old"), ("k", "new")])
        let prefix = String(ids[0].prefix(12))
        foldersync.expectError(
            try await foldersync("branch", "S", prefix), "is the beginning of a version's id", "choose a name")
        // Another device may have made one all the same.
        let store = try Store.open(at: foldersync.folder.path + "/S")
        _ = try store.makeEmptyVersion(basedOn: try Version.ID(ids[1]), branch: Branch(rawValue: prefix))
        try store.close()
        foldersync.expectError(
            try await foldersync("get", "S", "k", "--at", prefix), "is a branch, and the beginning of a version's id",
            "give a whole id")
        #expect(try await foldersync("get", "S", "k", "--at", ids[0]).output == "old")
    }

    @Test("forks says what a merge kept and what lost, and the loser can be brought back")
    func forks() async throws {
        let (ours, theirs) = try await makeConflict()
        #expect(try await foldersync("forks", "S", "--json").output.isEmpty)
        #expect(try await foldersync("merge", "S").output.hasPrefix("merged: "))
        #expect(try await foldersync("get", "S", "k").output == "theirs")
        let fork = try await foldersync("forks", "S", "--json").object()
        #expect(fork["key"] as? String == "k" && fork["fork"] as? String == "twiceUpdated")
        let sides = try ["first", "second"].map { try #require(fork[$0] as? [String: Any])["storedBy"] as? String }
        #expect(Set(sides) == [ours.description, theirs.description])
        let winner = try #require(fork["outcome"] as? String)
        #expect(sides[winner == "first" ? 0 : 1] == theirs.description)
        let line = try await foldersync("forks", "S", "--key", "k", "--limit", "1").output
        let short = { (id: Version.ID) in String(id.description.prefix(12)) }
        #expect(line.hasSuffix("  k  kept \(short(theirs)), lost \(short(ours))\n"))
        #expect(try await foldersync("forks", "S", "--key", "x", "--json").output.isEmpty)
        // The merge comes first and once, whether it took what won or had it from its basis.
        let log = try await foldersync("log", "S", "--key", "k", "--json").objects()
        #expect(log.count { $0["id"] as? String == fork["merge"] as? String } == 1)
        #expect((log[0]["decided"] as? [String: Any])?["outcome"] as? String == winner)
        #expect(log.dropFirst().allSatisfy { $0["decided"] == nil && $0["change"] as? String != "unchanged" })
        let lines = try await foldersync("log", "S", "--key", "k").lines
        #expect(lines.count == log.count && lines[0].contains("kept \(short(theirs)), lost \(short(ours))"))
        #expect(try await foldersync("get", "S", "k", "--at", short(ours)).output == "ours")
        try await foldersync("revert", "S", "k", "--at", short(ours))
        #expect(try await foldersync("get", "S", "k").output == "ours")
    }

    @Test("stats counts what is there")
    func stats() async throws {
        try await makeStore([("a", "1"), ("b", "1"), ("a", "2")])
        try await foldersync("branch", "S", "x")
        let stats = try await foldersync("stats", "S", "--json").object()
        for (key, count) in [
            ("versions", 4), ("heads", 1), ("branches", 1), ("values", 2), ("mapDepth", 1), ("mapNodes", 1),
            ("storedContents", 3), ("looseVersions", 0),
        ] { #expect(stats[key] as? Int == count, "\(key)") }
        let files = try #require(stats["files"] as? [[String: Any]])
        #expect(files.contains { $0["name"] as? String == "store.sqlite" })
        #expect(files.reduce(0) { $0 + ($1["bytes"] as? Int ?? 0) } == stats["bytes"] as? Int)
        let lines = try await foldersync("stats", "S").lines
        #expect(lines.contains { $0.contains("map") && $0.contains("1 level, 1 node") })
        try await foldersync("init", "empty")
        #expect(try await foldersync("stats", "empty", "--json").object()["mapDepth"] as? Int == 0)
    }

    @Test(
        "each has help and JSON, and says what store is missing",
        arguments: ["diff", "branch", "merge", "forks", "revert", "graph", "stats"])
    func common(name: String) async throws {
        let help = try await foldersync(name, "--help")
        #expect(help.code == 0 && help.output.hasPrefix("usage: foldersync \(name) STORE"))
        #expect(help.output.contains("--json"))
        #expect(try await foldersync("help").output.contains("\n  \(name) "))
        let rest = ["diff": "head", "revert": "k --at head", "graph": "--svg x.svg"][name] ?? ""
        foldersync.expectError(
            try await foldersync.shell("\"$F\" \(name) nowhere \(rest)"), "no store at 'nowhere'", "foldersync init")
    }
}
