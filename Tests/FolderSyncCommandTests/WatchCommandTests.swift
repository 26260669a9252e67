import Foundation
import TestSupport
import Testing

/// `foldersync watch` as a child process: what it prints, and how it ends.
@Suite("Watch command", .serialized, .timeLimit(.minutes(20)))
struct WatchCommandTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        try folder.makeFolder("notes/sub")
    }

    /// A watch that is armed.
    private func watch(_ words: String...) async throws -> RunningCommand {
        let watch = try RunningCommand(["watch"] + words, in: foldersync)
        let isArmed =
            words.contains("--json")
            ? try await watch.prints(#"{"event":"ready"}"#) : try await watch.says("Ctrl-C ends it\n")
        try #require(isArmed, "\(watch)")
        return watch
    }

    private func move(_ old: String, _ new: String) throws {
        try FileManager.default.moveItem(atPath: folder(old), toPath: folder(new))
    }

    private func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: folder(name))
    }

    @Test("Programs get an object a line: ready first, then what changed and what is gone")
    func linesForPrograms() async throws {
        try folder.write("old", to: "notes/old")
        let watch = try await watch("notes", "--json")
        try folder.write("x", to: "notes/a.md")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/a.md"}"#))
        try remove("notes/a.md")
        #expect(try await watch.prints(#"{"event":"removed","path":"notes/a.md"}"#))
        try folder.makeFolder("notes/new")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/new","isFolder":true}"#))
        #expect(try watch.lines.first == #"{"event":"ready"}"#)
        #expect(try watch.errors.isEmpty)
    }

    @Test("People get a line a change, and on standard error that it watches")
    func linesForPeople() async throws {
        let watch = try await watch("notes")
        #expect(try watch.errors == "watching 'notes', 2 folders; Ctrl-C ends it\n")
        try folder.write("x", to: "notes/sub/a.md")
        #expect(try await watch.prints("changed  notes/sub/a.md"))
        try remove("notes/sub")
        #expect(try await watch.prints("removed  notes/sub/"))
        #expect(try await watch.prints("removed  notes/sub/a.md"))
    }

    @Test(
        "Paths begin as the folder was given",
        arguments: [("notes", "notes/f"), ("notes//", "notes/f"), ("./notes", "./notes/f"), (".", "./notes/f")])
    func pathsAsGiven(given: String, told: String) async throws {
        let watch = try await watch("--json", given)
        try folder.write("x", to: "notes/f")
        #expect(try await watch.prints(#"{"event":"changed","path":"\#(told)"}"#), "\(watch)")
    }

    @Test("An absolute path stays one, and a link to a folder keeps its name")
    func absolutePathsAndLinks() async throws {
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: "notes")
        let watch = try await watch("--json", folder("link"))
        try folder.write("x", to: "notes/f")
        #expect(try await watch.prints(#"{"event":"changed","path":"\#(folder("link/f"))"}"#), "\(watch)")
    }

    @Test(
        "An odd name is one line, and comes back as it was",
        arguments: [
            "two\nlines", "quo\"te", "back\\slash", "tab\t", "bell\u{7}", "esc\u{1b}[31m", "nel\u{85}",
            "ls\u{2028}ps\u{2029}", "del\u{7f}", "ünï 🙂", " leading and trailing ", "right\u{202e}left",
        ])
    func oddNames(name: String) async throws {
        let programs = try await watch("notes", "--json")
        let people = try await watch("notes")
        try folder.write("x", to: "notes/\(name)")
        #expect(try await eventually { try programs.lines.count >= 2 && people.lines.count >= 1 })
        let line = try #require(try programs.lines.last)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        #expect(object["path"] as? String == "notes/\(name)")
        let breaks: Set<Unicode.Scalar> = ["\n", "\r", "\u{b}", "\u{c}", "\u{1b}", "\u{85}", "\u{2028}", "\u{2029}"]
        for text in [line, try #require(try people.lines.last)] {
            #expect(!text.unicodeScalars.contains { breaks.contains($0) })
        }
    }

    @Test("A folder that is moved is told under its new name, with all that is in it")
    func renames() async throws {
        try folder.write("x", to: "notes/sub/f")
        let watch = try await watch("notes", "--json")
        try move("notes/sub", "notes/moved")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/moved/f"}"#))
        #expect(try await watch.prints(#"{"event":"removed","path":"notes/sub/f"}"#))
        #expect(try await watch.prints(#"{"event":"removed","path":"notes/sub","isFolder":true}"#))
        try folder.write("y", to: "notes/moved/g")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/moved/g"}"#))
    }

    @Test("When the folder itself is gone that is told, and it is watched again when it is back")
    func rootGoneAndBack() async throws {
        let programs = try await watch("notes", "--json", "--rescan", "0.1")
        let people = try await watch("notes", "--rescan", "0.1")
        try move("notes", "elsewhere")
        #expect(try await programs.prints(#"{"event":"removed","path":"notes","isFolder":true}"#))
        #expect(try await people.says("'notes' is gone; waiting for it to come back\n"))
        try folder.write("x", to: "elsewhere/unseen")
        try folder.makeFolder("notes")
        #expect(try await programs.prints(#"{"event":"changed","path":"notes","isFolder":true}"#))
        #expect(try await people.says("'notes' is there again\n"))
        try folder.write("y", to: "notes/f")
        #expect(try await programs.prints(#"{"event":"changed","path":"notes/f"}"#))
        #expect(try !programs.output.contains("unseen"))
    }

    @Test("Temporary files are left out")
    func temporaryFiles() async throws {
        let watch = try await watch("notes", "--json")
        for name in [".a.md.swp", "a.md~", "~$a.docx", ".syncthing.a.md.tmp"] {
            try folder.write("x", to: "notes/\(name)")
        }
        try folder.write("x", to: "notes/a.md")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/a.md"}"#))
        #expect(try Set(watch.lines.dropFirst()) == [#"{"event":"changed","path":"notes/a.md"}"#], "\(watch)")
    }

    @Test("With --all temporary files are told too")
    func allFiles() async throws {
        let watch = try await watch("notes", "--json", "--all")
        try folder.write("x", to: "notes/a.md~")
        #expect(try await watch.prints(#"{"event":"changed","path":"notes/a.md~"}"#))
    }

    @Test("Only files with the extensions that are asked for are told, whatever their case, and folders")
    func extensions() async throws {
        let watch = try await watch("notes", "--json", "--ext", "md, .TXT")
        for name in ["a.pdf", "b", "md", "c.Md", "sub/d.txt"] { try folder.write("x", to: "notes/\(name)") }
        try folder.makeFolder("notes/new")
        try folder.write("x", to: "notes/new/e.MD")
        let wanted = ["c.Md", "sub/d.txt", "new/e.MD"].map { #"{"event":"changed","path":"notes/\#($0)"}"# }
        let made = #"{"event":"changed","path":"notes/new","isFolder":true}"#
        for line in wanted + [made] { #expect(try await watch.prints(line), "\(watch)") }
        // Who is kept waiting between opening a file and closing it is told of twice.
        #expect(try Set(watch.lines) == Set(wanted + [made, #"{"event":"ready"}"#]), "\(watch)")
    }

    @Test("What is ignored is not told, and with --no-recursive neither is what is further down")
    func ignored() async throws {
        let patterns = try await watch("notes", "--json", "--ignore", "*.log", "--ignore=/sub/")
        let flat = try await watch("notes", "--json", "--no-recursive")
        for name in ["a.log", "sub/f", "last"] { try folder.write("x", to: "notes/\(name)") }
        for watch in [patterns, flat] {
            #expect(try await watch.prints(#"{"event":"changed","path":"notes/last"}"#), "\(watch)")
        }
        #expect(try !patterns.output.contains("a.log") && !patterns.output.contains("sub"), "\(patterns)")
        #expect(try flat.output.contains("a.log") && !flat.output.contains("sub/f"), "\(flat)")
    }

    @Test("SIGINT and SIGTERM end it with exit code 0", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) async throws {
        let watch = try await watch("notes")
        #expect(await watch.end(by: signal) == 0)
        #expect(try watch.output.isEmpty)
    }

    @Test("A reader that goes away ends it quietly, even if nothing changes")
    func closedPipe() async throws {
        let outcome = try await foldersync.shell(
            "{ \"$F\" watch notes --json; echo \"code $?\" >&2; } | head -n 1")
        #expect(outcome.output == "{\"event\":\"ready\"}\n")
        #expect(outcome.errors == "code 0\n")
    }

    @Test("Output that cannot be written is an error", arguments: [">/dev/full", ">&-"])
    func fullOutput(redirection: String) async throws {
        foldersync.expectError(
            try await foldersync.shell("\"$F\" watch notes --json \(redirection)"), "cannot write to standard output")
    }

    @Test("A folder that is not there, or is none, is an error")
    func noFolder() async throws {
        foldersync.expectError(try await foldersync("watch", "nowhere"), "cannot watch 'nowhere': no such file", "path")
        try folder.write("x", to: "file")
        foldersync.expectError(try await foldersync("watch", "file", "--json"), "cannot watch 'file'", "not a folder")
        foldersync.expectError(try await foldersync("watch", ""), "cannot watch ''")
    }

    @Test(
        "Wrong usage is exit code 2",
        arguments: [
            [], ["notes", "sub"], ["notes", "--rescan", "soon"], ["--rescan=-1", "x"], ["notes", "--ext", ","],
        ])
    func wrongUsage(words: [String]) async throws {
        let outcome = try await foldersync.shell("\"$F\" watch " + words.joined(separator: " "))
        #expect(outcome.code == 2)
        #expect(outcome.errors.contains("usage: foldersync watch DIR"))
    }
}
