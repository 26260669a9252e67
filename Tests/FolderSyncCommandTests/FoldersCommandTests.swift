import FileCoordination
import Foundation
import TestSupport
import Testing

/// `foldersync folders`, with a home that is the test's own.
@Suite(
    "Folders command",
    .enabled(
        if: SharedFolderResolver(home: "/nonexistent", environment: [:]).candidates().folders.isEmpty,
        "this machine itself has a mount or settings for all users that count as a shared folder"))
struct FoldersCommandTests {
    private let foldersync: CommandRunner

    init() throws { foldersync = try CommandRunner() }

    /// Calls the command with nothing in its environment but the home.
    private func folders(_ words: String = "", _ variables: String = "") async throws -> CommandRunner.Outcome {
        try await foldersync.shell("exec env -i HOME=\"$PWD/home\" \(variables) \"$F\" folders \(words)")
    }

    private var home: String { foldersync.folder("home") }

    private func setUp() throws {
        try foldersync.folder.makeFolder("home/Dropbox")
        try foldersync.folder.makeFolder("home/Sync")
        try foldersync.folder.makeFolder("home/.dropbox")
        try foldersync.folder.makeFolder("home/.config/syncthing")
        try foldersync.folder.makeFolder("home/.ccnet")
        try foldersync.folder.write(#"{"personal": {"path": "~/Dropbox"}}"#, to: "home/.dropbox/info.json")
        try foldersync.folder.write(
            #"<configuration><folder label="My Sync" path="~/Sync"/><folder path="/gone"/></configuration>"#,
            to: "home/.config/syncthing/config.xml")
        try foldersync.folder.write("relative", to: "home/.ccnet/seafile.ini")
    }

    @Test func eachFolderIsAnObjectWithItsStateAndSource() async throws {
        try setUp()
        let outcome = try await folders("--json")
        #expect(outcome.code == 0)
        let objects = try outcome.objects()
        #expect(objects.map { $0["service"] as? String } == ["Dropbox", "Syncthing", "Syncthing", "Seafile"])
        #expect(objects.map { $0["path"] as? String } == ["\(home)/Dropbox", "\(home)/Sync", "/gone", nil])
        #expect(objects.map { $0["state"] as? String } == ["exists", "exists", "missing", nil])
        #expect(objects.map { $0["account"] as? String } == ["personal", "My Sync", nil, nil])
        #expect(objects[0]["source"] as? String == "\(home)/.dropbox/info.json")
        let problem = try #require(objects[3]["problem"] as? [String: String])
        #expect(problem["what"]?.contains("\(home)/.ccnet/seafile.ini") == true)
        #expect(problem["remedy"]?.isEmpty == false)
    }

    @Test func peopleGetATableAndTheProblems() async throws {
        try setUp()
        let lines = try await folders().lines
        #expect(lines.count == 5)
        #expect(lines[0].hasPrefix("SERVICE"))
        #expect(lines[1].hasPrefix("Dropbox (personal)"))
        #expect(lines[3].contains("/gone") && lines[3].contains("missing"))
        #expect(lines[4].hasPrefix("problem: Seafile: cannot read"))
    }

    @Test func anApplicationIsShownItsFolder() async throws {
        try setUp()
        let chosen = try await folders("--for MyApp --json").object()
        #expect(chosen["path"] as? String == "\(home)/Dropbox/MyApp")
        #expect(chosen["found"] as? Bool == true)
        #expect(chosen["service"] as? String == "Dropbox")
        let preferred = try await folders("--for MyApp", "FOLDERSYNC_SERVICE=syncthing").lines
        #expect(preferred == ["\(home)/Sync/MyApp", "kept in sync by Syncthing (My Sync)"])
        #expect(!FileManager.default.fileExists(atPath: "\(home)/Dropbox/MyApp"))
        foldersync.expectError(try await folders("--for ../other"), "cannot find a folder for '../other'")
    }

    @Test func aHomeWithoutServicesFallsBackAndSaysSo() async throws {
        #expect(try await folders().output == "no sync service with a folder was found\n")
        #expect(try await folders("--json").output.isEmpty)
        let chosen = try await folders("--for MyApp --json", "XDG_DATA_HOME=/data").object()
        #expect(chosen["found"] as? Bool == false)
        #expect(chosen["reason"] as? String == "no sync service with a folder was found")
        #if os(Linux)
            #expect(chosen["path"] as? String == "/data/MyApp")
        #endif
    }

    @Test func namesThatWouldMoveATerminalAreEscaped() async throws {
        try foldersync.folder.makeFolder("home/.dropbox")
        try foldersync.folder.write(
            #"{"a\u001b[2Jb": {"path": "/x\ny\u202e"}}"#, to: "home/.dropbox/info.json")
        let outcome = try await folders()
        #expect(outcome.lines.count == 2)
        #expect(outcome.output.contains(#"a\u{1b}[2Jb"#) && outcome.output.contains(#"/x\ny\u{202e}"#))
    }
}
