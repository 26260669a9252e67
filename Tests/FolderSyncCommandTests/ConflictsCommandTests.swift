import Foundation
import TestSupport
import Testing

/// `foldersync conflicts` as a child process.
@Suite("Conflicts command")
struct ConflictsCommandTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    private static let syncthing = "plan.sync-conflict-20260925-140233-ABCDEFG.md"
    private static let dropbox = "plan (Alex's conflicted copy 2026-03-14).md"
    private static let nested = "plan (Alex's conflicted copy 2026-03-14) (Sam's conflicted copy 2026-04-01).md"
    private static let nextcloud = "list (conflicted copy 2026-05-06 070809).txt"

    init() throws {
        foldersync = try CommandRunner()
        try folder.makeFolder("notes/sub")
        try folder.write("one", to: "notes/plan.md")
        try folder.write("two", to: "notes/\(Self.syncthing)")
        try folder.write("one", to: "notes/\(Self.dropbox)")
        try folder.write("three", to: "notes/\(Self.nested)")
        try folder.write("x", to: "notes/sub/list.txt")
        try folder.write("y", to: "notes/sub/\(Self.nextcloud)")
        try folder.write("z", to: "notes/ordinary (of 2026).md")
    }

    private func objects(_ words: String...) async throws -> [String: [String: Any]] {
        let outcome = try await foldersync.run(["conflicts", "--json"] + words)
        #expect(outcome.code == 0, "\(outcome.errors)")
        let objects = try outcome.objects()
        return Dictionary(uniqueKeysWithValues: try objects.map { (try #require($0["path"] as? String), $0) })
    }

    @Test("A path where nothing is, and no copy of it, is an error")
    func nothingThere() async throws {
        for path in ["typo", "notes/typo.md"] {
            let outcome = try await foldersync("conflicts", path)
            #expect(outcome.code == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.hasPrefix("error: cannot list '\(path)'"), "\(outcome.errors)")
        }
        try FileManager.default.removeItem(atPath: folder("notes/plan.md"))
        #expect(try await foldersync("conflicts", "notes/plan.md").code == 0)
    }

    @Test("Each copy is an object with its original, service and confidence")
    func objectsForPrograms() async throws {
        let found = try await objects("notes")
        #expect(
            Set(found.keys)
                == [
                    "notes/\(Self.syncthing)", "notes/\(Self.dropbox)", "notes/\(Self.nested)",
                    "notes/sub/\(Self.nextcloud)",
                ])
        let syncthing = try #require(found["notes/\(Self.syncthing)"])
        #expect(syncthing["original"] as? String == "notes/plan.md")
        #expect(syncthing["originalExists"] as? Bool == true)
        #expect(syncthing["service"] as? String == "Syncthing")
        #expect(syncthing["confidence"] as? String == "certain")
        #expect((syncthing["date"] as? String)?.hasPrefix("2026-09-25T14:02:33") == true)
        #expect(syncthing["sameContent"] as? Bool == false)
        #expect(syncthing["root"] == nil)
        let dropbox = try #require(found["notes/\(Self.dropbox)"])
        #expect(dropbox["sameContent"] as? Bool == true)
        #expect(dropbox["sameAs"] as? String == "notes/plan.md")
        #expect((dropbox["who"] as? String)?.contains("Alex") == true)
        let nested = try #require(found["notes/\(Self.nested)"])
        #expect(nested["original"] as? String == "notes/\(Self.dropbox)")
        #expect(nested["root"] as? String == "notes/plan.md")
        #expect(nested["parent"] as? String == "notes/\(Self.dropbox)")
        #expect(syncthing["parent"] == nil)
    }

    @Test("With --group all copies of a file are one object")
    func groups() async throws {
        let groups = try await foldersync("conflicts", "--json", "--group", "notes/").objects()
        #expect(groups.map { $0["original"] as? String } == ["notes/plan.md", "notes/sub/list.txt"])
        #expect(groups.map { ($0["copies"] as? [[String: Any]])?.count } == [3, 1])
        #expect(groups.allSatisfy { $0["originalExists"] as? Bool == true })
    }

    @Test("A file's copies are listed by its name, also when it is gone")
    func copiesOfOneFile() async throws {
        #expect(try await objects("notes/sub/list.txt").keys.sorted() == ["notes/sub/\(Self.nextcloud)"])
        try FileManager.default.removeItem(atPath: folder("notes/sub/list.txt"))
        let found = try await objects("notes/sub/list.txt")
        #expect(found.count == 1)
        #expect(found.values.first?["originalExists"] as? Bool == false)
    }

    @Test("Only this folder, and only what is sure enough")
    func choices() async throws {
        #expect(try await objects("notes", "--no-recursive").count == 3)
        #expect(
            try await objects("notes", "--min", "certain").values.allSatisfy {
                $0["confidence"] as? String == "certain"
            })
        #expect(try await objects("notes", "--min=possible").count >= 4)
    }

    @Test("People get a line a copy, with what is known of it, and are told what to do next")
    func linesForPeople() async throws {
        try folder.write("x", to: "notes/odd\n.sync-conflict-20260925-140233-ABCDEFG.md")
        let lines = try await foldersync("conflicts", "notes").lines
        #expect(lines.count == 6, "\(lines)")
        #expect(lines.contains { $0.hasPrefix("notes/\(Self.syncthing)  (Syncthing, certain, 2026-09-25 14:02:33") })
        #expect(lines.contains { $0.contains("Dropbox") && $0.contains("same content as 'plan.md'") })
        #expect(lines.contains { $0.hasPrefix("notes/odd\\n.sync-conflict") })
        #expect(lines.last?.hasPrefix("5 conflict copies; ") == true)
        #expect(lines.last?.contains("foldersync resolve FILE") == true)
        let groups = try await foldersync("conflicts", "notes", "--group").lines
        #expect(groups.contains("notes/plan.md"))
        #expect(groups.contains("  notes/\(Self.syncthing)"))
        #expect(groups.contains("notes/odd\\n.md  (not there)"))
    }

    @Test("What may be an ordinary file is not counted as a copy")
    func possible() async throws {
        try folder.write("x", to: "notes/plan (1).md")
        let lines = try await foldersync("conflicts", "notes", "--no-recursive").lines
        #expect(lines.contains { $0.hasPrefix("notes/plan (1).md  (") && $0.contains("possible") })
        #expect(lines.last?.hasPrefix("3 conflict copies and 1 file that may be one; ") == true)
    }

    @Test("Temporary, control and placeholder names are listed as what they are, if asked")
    func temporaryNames() async throws {
        try folder.makeFolder("notes/.stfolder")
        try folder.write("x", to: "notes/.syncthing.plan.md.tmp")
        try folder.write("x", to: "notes/photo.jpg.nextcloud")
        #expect(try await objects("notes").count == 4)
        let found = try await objects("notes", "--temporary")
        #expect(found.count == 7)
        let kinds = ["notes/.stfolder", "notes/.syncthing.plan.md.tmp", "notes/photo.jpg.nextcloud"]
            .map { found[$0]?["kind"] as? String }
        #expect(kinds == ["control", "temporary", "placeholder"])
        #expect(found["notes/photo.jpg.nextcloud"]?["of"] as? String == "notes/photo.jpg")
        #expect(found["notes/photo.jpg.nextcloud"]?["service"] as? String == "Nextcloud")
        #expect(found["notes/.stfolder"]?["isFolder"] as? Bool == true)
        #expect(found["notes/\(Self.syncthing)"]?["kind"] as? String == "edit")
        let lines = try await foldersync("conflicts", "notes", "--temporary").lines
        #expect(lines.contains("notes/photo.jpg.nextcloud  (Nextcloud, placeholder for 'photo.jpg')"))
        #expect(lines.contains("notes/.stfolder  (Syncthing, control)"))
    }

    @Test("None is no error")
    func none() async throws {
        try folder.makeFolder("empty")
        let people = try await foldersync("conflicts", "empty")
        #expect(people.code == 0)
        #expect(people.output == "no conflict copies in 'empty'\n")
        let programs = try await foldersync("conflicts", "empty", "--json")
        #expect(programs.code == 0)
        #expect(programs.output.isEmpty)
    }

    @Test("Wrong usage and folders that cannot be read are said")
    func errors() async throws {
        foldersync.expectError(try await foldersync("conflicts", "nowhere/at/all"), "nowhere", "path")
        for words in [["conflicts"], ["conflicts", "notes", "--min", "surely"], ["conflicts", "notes", "more"]] {
            let outcome = try await foldersync.run(words)
            #expect(outcome.code == 2)
            #expect(outcome.errors.contains("usage: foldersync conflicts DIR"))
        }
    }
}
