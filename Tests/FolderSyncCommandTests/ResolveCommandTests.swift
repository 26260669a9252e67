import Foundation
import TestSupport
import Testing

/// `foldersync resolve` as a child process: what goes, what stays, and what is kept of it.
@Suite("Resolve command")
struct ResolveCommandTests {
    private static let copy = "plan.sync-conflict-20260925-140233-ABCDEFG.md"

    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        try folder.makeFolder("notes")
        try folder.write("original", to: "notes/plan.md")
        try folder.write("other", to: "notes/\(Self.copy)")
    }

    /// A call whose usual backup folder is `state/foldersync/resolved`.
    private func resolve(_ words: String...) async throws -> CommandRunner.Outcome {
        try await foldersync.run(["resolve"] + words, environment: ["XDG_STATE_HOME": folder("state")])
    }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder(name)) }

    @Test("The copy goes and is kept where people find it; the original is untouched")
    func removes() async throws {
        let outcome = try await resolve("notes/\(Self.copy)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try folder.names(in: "notes") == ["plan.md"])
        #expect(try folder.text(of: "notes/plan.md") == "original")
        #expect(try folder.text(of: "state/foldersync/resolved/\(Self.copy)") == "other")
        let place = folder("state/foldersync/resolved")
        #expect(
            outcome.output
                == "removed 'notes/\(Self.copy)'; 'notes/plan.md' is as it was; what went is in '\(place)'\n")
        let attributes = try FileManager.default.attributesOfItem(atPath: place)
        #expect(attributes[.posixPermissions] as? Int == 0o700)
    }

    @Test("With --take the original gets the copy's content, and its old one is kept")
    func takes() async throws {
        let result = try await resolve("--take", "--json", "notes/\(Self.copy)").object()
        #expect(try folder.names(in: "notes") == ["plan.md"])
        #expect(try folder.text(of: "notes/plan.md") == "other")
        #expect(try folder.text(of: "state/foldersync/resolved/plan.md") == "original")
        #expect(result["kept"] as? String == "copy")
        #expect(result["path"] as? String == "notes/\(Self.copy)")
        #expect(result["original"] as? String == "notes/plan.md")
        #expect(result["backup"] as? String == folder("state/foldersync/resolved"))
        #expect(result["backupFile"] as? String == folder("state/foldersync/resolved/plan.md"))
        #expect(result["sameContent"] as? Bool == false)
    }

    @Test("The backup folder is made, and nothing in it is replaced")
    func backupFolder() async throws {
        #expect(try await resolve("notes/\(Self.copy)", "--keep-backup", "a/b").code == 0)
        try folder.write("again", to: "notes/\(Self.copy)")
        #expect(try await resolve("notes/\(Self.copy)", "--keep-backup=a/b/").code == 0)
        let names = try folder.names(in: "a/b")
        #expect(try Set(names.map { try folder.text(of: "a/b/\($0)") }) == ["other", "again"])
        #expect(!exists("state"))
    }

    @Test("Programs are told which file the backup is")
    func backupFile() async throws {
        for ending in ["", ".1"] {
            try folder.write("other", to: "notes/\(Self.copy)")
            let result = try await resolve("--json", "--keep-backup", "kept", "notes/\(Self.copy)").object()
            let file = try #require(result["backupFile"] as? String)
            #expect(file == "kept/\(Self.copy)\(ending)")
            #expect(try folder.text(of: file) == "other")
        }
        try folder.write("other", to: "notes/\(Self.copy)")
        let nothing = try await resolve("--json", "--no-backup", "notes/\(Self.copy)").object()
        #expect(nothing["path"] != nil && nothing["backupFile"] == nil)
    }

    @Test("Nothing is kept when that is asked, or when nothing is lost")
    func noBackup() async throws {
        #expect(try await resolve("notes/\(Self.copy)", "--no-backup").code == 0)
        #expect(try folder.names(in: "notes") == ["plan.md"])
        try folder.write("original", to: "notes/\(Self.copy)")
        let same = try await resolve("notes/\(Self.copy)")
        #expect(same.output.hasSuffix("both had the same content\n"), "\(same.output)\(same.errors)")
        #expect(try folder.names(in: "notes") == ["plan.md"])
        #expect(!exists("state"))
    }

    @Test("In the folder itself no path is needed")
    func plainName() async throws {
        let outcome = try await foldersync.shell("cd notes && XDG_STATE_HOME=$PWD/../state \"$F\" resolve \(Self.copy)")
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(try folder.names(in: "notes") == ["plan.md"])
    }

    @Test("An ordinary file is refused, and so is what is not there")
    func ordinaryFiles() async throws {
        try folder.write("x", to: "notes/plan 2.md")
        foldersync.expectError(
            try await resolve("notes/plan.md"), "no conflict copy by its name", "foldersync conflicts")
        foldersync.expectError(try await resolve("notes"), "no conflict copy by its name")
        foldersync.expectError(try await resolve("notes/gone"), "no such file", "path")
        #expect(try folder.names(in: "notes") == ["plan 2.md", Self.copy, "plan.md"].sorted())
    }

    @Test("What is only possibly a copy needs --force")
    func possible() async throws {
        try folder.write("x", to: "notes/plan (1).md")
        let listed = try await foldersync("conflicts", "notes", "--json").objects()
        let possible = listed.filter { $0["confidence"] as? String == "possible" }.compactMap { $0["path"] as? String }
        try #require(possible == ["notes/plan (1).md"])
        foldersync.expectError(try await resolve("notes/plan (1).md"), "may be an ordinary file", "--force")
        #expect(exists("notes/plan (1).md"))
        #expect(try await resolve("notes/plan (1).md", "--force").code == 0)
        #expect(!exists("notes/plan (1).md"))
    }

    @Test("The last that is left of a file is not removed, but can get its name back")
    func lastOne() async throws {
        try FileManager.default.removeItem(atPath: folder("notes/plan.md"))
        foldersync.expectError(try await resolve("notes/\(Self.copy)"), "may be all that is left", "--take")
        #expect(try folder.names(in: "notes") == [Self.copy])
        #expect(try await resolve("notes/\(Self.copy)", "--take").code == 0)
        #expect(try folder.names(in: "notes") == ["plan.md"])
        #expect(try folder.text(of: "notes/plan.md") == "other")
    }

    @Test("A backup that cannot be made stops it")
    func backupImpossible() async throws {
        try folder.write("in the way", to: "file")
        foldersync.expectError(try await resolve("notes/\(Self.copy)", "--keep-backup", "file/x"), "file/x")
        #expect(try folder.text(of: "notes/\(Self.copy)") == "other")
    }

    @Test("Wrong usage is exit code 2")
    func wrongUsage() async throws {
        for words in [["resolve"], ["resolve", "a", "b"], ["resolve", "a", "--no-backup", "--keep-backup", "b"]] {
            let outcome = try await foldersync.run(words)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("usage: foldersync resolve FILE"))
        }
    }
}
