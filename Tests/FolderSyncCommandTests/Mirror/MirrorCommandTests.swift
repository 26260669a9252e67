import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Mirror command")
struct MirrorCommandTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        for name in ["A", "B"] { try folder.makeFolder(name) }
    }

    private func mirror(_ directory: String, _ words: String...) async throws -> CommandRunner.Outcome {
        try await foldersync.run(
            ["mirror", directory, "--through", "shared", "--once"] + words,
            environment: ["XDG_STATE_HOME": folder("state")])
    }

    /// A file that nobody is writing to any more.
    private func write(_ text: String, to name: String) throws {
        let path = try folder.write(text, to: name)
        try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSinceNow: -60)], ofItemAtPath: path)
    }

    private func events(_ outcome: CommandRunner.Outcome) throws -> [String] {
        try outcome.objects().compactMap { $0["event"] as? String }
    }

    @Test("The first device says --create; the next merges what it has; every step is an object a line")
    func twoDevices() async throws {
        try write("a\n", to: "A/list.txt")
        foldersync.expectError(try await mirror("A"), "no folder at this path", "--create")
        #expect(!FileManager.default.fileExists(atPath: folder("state")), "a store was made for nothing")
        let first = try await mirror("A", "--create", "--json")
        #expect(first.code == 0, "\(first.errors)")
        #expect(try events(first) == ["started", "imported", "settled"])
        let store = try #require(try first.objects().first?["store"] as? String)
        #expect(store.hasPrefix(folder("state/foldersync/mirrors/A-")))
        try write("b\n", to: "B/list.txt")
        let second = try await mirror("B", "--json")
        #expect(try events(second) == ["started", "imported", "exported", "conflict", "settled"], "\(second.output)")
        let conflict = try #require(try second.objects().first { $0["event"] as? String == "conflict" })
        #expect(conflict["path"] as? String == "list.txt" && conflict["merged"] as? Bool == true)
        #expect((conflict["lost"] as? [String])?.count == 2)
        let third = try await mirror("A")
        #expect(third.lines.contains { $0.hasPrefix("exported  1 written") }, "\(third.output)")
        for name in ["A", "B"] { #expect(try folder.text(of: name + "/list.txt") == "a\nb\n") }
        #expect(try await foldersync("forks", store).lines.count == 1)
        #expect(try await foldersync("log", store, "--key", "list.txt").lines.count >= 3)
    }

    @Test("A shared folder that is away is said, with exit code 1, and what changed is saved")
    func offline() async throws {
        try write("1", to: "A/a")
        #expect(try await mirror("A", "--create", "--store", "S").code == 0)
        try FileManager.default.moveItem(atPath: folder("shared"), toPath: folder("away"))
        try write("2", to: "A/a")
        let outcome = try await mirror("A", "--store", "S")
        #expect(outcome.code == 1 && outcome.lines.contains { $0.hasPrefix("offline") }, "\(outcome.output)")
        #expect(try await foldersync("get", "S", "a").output == "2")
        try FileManager.default.moveItem(atPath: folder("away"), toPath: folder("shared"))
        #expect(try await mirror("A", "--store", "S").code == 0)
        #expect(try await mirror("B").code == 0)
        #expect(try folder.text(of: "B/a") == "2")
    }

    @Test("Places that lie in one another, and a directory that is not there, are refused and nothing is made")
    func refusals() async throws {
        let cases = [
            ("A", "A/shared", "S"), ("shared/A", "shared", "S"), ("A", "shared", "A/S"), ("A", "shared", "shared/S"),
        ]
        try folder.makeFolder("shared/A")
        for (directory, shared, store) in cases {
            let outcome = try await foldersync(
                "mirror", directory, "--through", shared, "--store", store, "--create", "--once")
            foldersync.expectError(outcome, "inside one another", "apart")
        }
        let missing = try await foldersync("mirror", "nowhere", "--through", "shared", "--store", "S", "--create")
        foldersync.expectError(missing, "'\(folder("nowhere"))' is not there", "mount it")
        #expect(try folder.names(in: "").filter { !$0.hasPrefix(".") } == ["A", "B", "shared"])
    }

    @Test("It goes on until it is told to stop, alone in its directory, and has saved what is there")
    func runs() async throws {
        try write("1", to: "A/a")
        let words = ["mirror", "A", "--through", "shared", "--store", "S", "--create"]
        let running = try RunningCommand(words, in: foldersync)
        #expect(try await eventually { try running.output.contains("settled") }, "\(running)")
        foldersync.expectError(try await foldersync.run(words), "another 'foldersync mirror'")
        try folder.write("2", to: "A/b")
        #expect(try await eventually { try running.output.contains("  + b") }, "\(running)")
        #expect(await running.end() == 0, "\(running)")
        #expect(try await foldersync("ls", "S").lines == ["a", "b"])
        let again = try RunningCommand(Array(words.dropLast()), in: foldersync)
        #expect(try await eventually { try again.output.contains("settled") }, "\(again)")
        try FileManager.default.moveItem(atPath: folder("A"), toPath: folder("unmounted"))
        #expect(await eventually { !again.process.isRunning }, "\(again)")
        #expect(again.process.terminationStatus == 1)
        #expect(try again.errors.contains("is not there, or not mounted; nothing was deleted"), "\(again)")
        #expect(try await foldersync("ls", "S").lines == ["a", "b"])
    }

    @Test("An import is based on what its directory last held, and undoes nobody's work")
    func importIsBased() async throws {
        try await foldersync("init", "S")
        for name in ["a", "b"] { try write("1", to: "A/" + name) }
        try await foldersync("import", "S", "A")
        try await foldersync("set", "S", "c", "theirs")
        try await foldersync("set", "S", "b", "theirs")
        try await foldersync("import", "S", "A")
        #expect(try await foldersync("ls", "S").lines == ["a", "b", "c"])
        try write("mine", to: "A/a")
        try await foldersync("import", "S", "A")
        for (name, text) in ["a": "mine", "b": "theirs", "c": "theirs"] {
            #expect(try await foldersync("get", "S", name).output == text)
        }
        try await foldersync("export", "S", "B")
        try FileManager.default.removeItem(atPath: folder("B/c"))
        try await foldersync("set", "S", "d", "theirs")
        try await foldersync("import", "S", "B")
        #expect(try await foldersync("ls", "S").lines == ["a", "b", "d"])
        try await foldersync("import", "S", "A", "--replace")
        #expect(try await foldersync("get", "S", "b").output == "1")
        #expect(try await foldersync("ls", "S").lines == ["a", "b"])
    }
}
