import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Export")
struct ExportTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
    }

    private func set(_ values: KeyValuePairs<String, String>) async throws {
        if !FileManager.default.fileExists(atPath: folder("S")) { try await foldersync("init", "S") }
        for (key, value) in values {
            try await foldersync("set", "S", "--", key, value)
        }
    }

    private func export(_ words: String...) async throws -> [String: Any] {
        let outcome = try await foldersync.shell("\"$F\" export S out --json " + words.joined(separator: " "))
        #expect(outcome.code == 0, "\(outcome.errors)")
        return try outcome.object()
    }

    private func counts(_ result: [String: Any]) -> [Int?] {
        ["written", "unchanged", "deleted"].map { result[$0] as? Int }
    }

    private func files(_ result: [String: Any], _ key: String) -> [String] {
        (result[key] as? [[String: String]] ?? []).compactMap { $0["file"] }
    }

    @Test("The folder becomes equal to the version, and to an older one again")
    func becomesEqual() async throws {
        try await set(["a": "1", "sub/deep/b": "2", "empty": ""])
        #expect(counts(try await export()) == [3, 0, 0])
        #expect(try folder.text(of: "out/sub/deep/b") == "2")
        let old = try #require(try await foldersync("status", "S", "--json").object()["head"] as? String)
        try await foldersync("set", "S", "a", "changed")
        try await foldersync("rm", "S", "sub/deep/b")
        #expect(counts(try await export()) == [1, 1, 1])
        #expect(try folder.names(in: "out") == ["a", "empty"])
        #expect(counts(try await export("--at", String(old.prefix(8)))) == [2, 1, 0])
        #expect(try folder.text(of: "out/a") == "1")
        #expect(try folder.names(in: "out") == ["a", "empty", "sub"])
    }

    @Test("An unchanged file is not written again")
    func unchangedIsLeft() async throws {
        try await set(["a": "1"])
        _ = try await export()
        let before = try LocalFileSystem.local.attributes(at: folder("out/a"), followLinks: false)
        #expect(counts(try await export()) == [0, 1, 0])
        #expect(try LocalFileSystem.local.attributes(at: folder("out/a"), followLinks: false) == before)
    }

    @Test("A deleted file comes back")
    func deletedComesBack() async throws {
        try await set(["a": "1"])
        _ = try await export()
        try FileManager.default.removeItem(atPath: folder("out/a"))
        #expect(counts(try await export()) == [1, 0, 0])
    }

    @Test("Files of others and edited ones are left alone and reported")
    func othersAreLeft() async throws {
        try await set(["edited": "1", "gone": "2", "foreign": "3", "same": "4"])
        try folder.makeFolder("out")
        try folder.write("theirs", to: "out/foreign")
        try folder.write("4", to: "out/same")
        try folder.write("note", to: "out/extra")
        let first = try await export()
        #expect(counts(first) == [2, 1, 0])
        #expect(files(first, "left") == ["foreign"])
        try folder.write("mine now", to: "out/edited")
        try folder.write("mine too", to: "out/gone")
        try await foldersync("set", "S", "edited", "newer")
        try await foldersync("set", "S", "same", "newer")
        try await foldersync("rm", "S", "gone")
        let second = try await export()
        #expect(counts(second) == [0, 0, 0])
        #expect(files(second, "left").sorted() == ["edited", "foreign", "gone", "same"])
        let expected = ["edited": "mine now", "foreign": "theirs", "gone": "mine too", "same": "4", "extra": "note"]
        for (name, text) in expected { #expect(try folder.text(of: "out/" + name) == text) }
    }

    @Test("Names that are no safe paths, or are file and folder, are reported and skipped")
    func unsafeNames() async throws {
        let names = ["../x", "/abs", "a//b", "a/./b", "..", "d/", "f", "f/g", String(repeating: "n", count: 256)]
        for name in names { try await set([name: "v"]) }
        let result = try await export()
        #expect(counts(result) == [1, 0, 0])
        #expect(Set(files(result, "skipped")) == Set(names).subtracting(["f/g"]))
        #expect(try folder.text(of: "out/f/g") == "v")
        #expect(try folder.names(in: "out") == ["f"])
        #expect(!FileManager.default.fileExists(atPath: folder("x")))
    }

    @Test("No link below the folder is followed")
    func linksAreNotFollowed() async throws {
        try await set(["a/b": "1", "c": "2", "d/e/f": "3"])
        try folder.makeFolder("elsewhere")
        try folder.write("safe", to: "elsewhere/target")
        try folder.makeFolder("out")
        try FileManager.default.createSymbolicLink(atPath: folder("out/a"), withDestinationPath: "../elsewhere")
        try FileManager.default.createSymbolicLink(atPath: folder("out/c"), withDestinationPath: "../elsewhere/target")
        try FileManager.default.createSymbolicLink(atPath: folder("out/d"), withDestinationPath: "../elsewhere")
        let result = try await export()
        #expect(files(result, "left") == ["a/b", "c", "d/e/f"])
        #expect(try folder.names(in: "elsewhere") == ["target"])
        #expect(try folder.text(of: "elsewhere/target") == "safe")
    }

    @Test("Names are bytes: accents composed or not are different files, and a slash before one is a slash")
    func namesAreBytes() async throws {
        try await set(["\u{e9}": "composed", "e\u{301}": "decomposed", "a/\u{301}x": "below"])
        try folder.makeFolder("elsewhere")
        try folder.makeFolder("out")
        try FileManager.default.createSymbolicLink(atPath: folder("out/a"), withDestinationPath: "../elsewhere")
        let result = try await export()
        #expect(counts(result) == [2, 0, 0])
        #expect(files(result, "left") == ["a/\u{301}x"])
        #expect(try folder.names(in: "elsewhere").isEmpty)
        #expect(try folder.text(of: "out/\u{e9}") == "composed")
        #expect(try folder.text(of: "out/e\u{301}") == "decomposed")
        try await foldersync("rm", "S", "\u{e9}", "a/\u{301}x")
        #expect(counts(try await export()) == [0, 1, 1])
        #expect(try folder.text(of: "out/e\u{301}") == "decomposed")
    }

    @Test("A file becomes a folder and a folder a file")
    func fileAndFolder() async throws {
        try await set(["x": "1", "y/z": "2"])
        _ = try await export()
        try await foldersync("rm", "S", "x", "y/z")
        try await set(["x/in": "3", "y": "4"])
        #expect(counts(try await export()) == [2, 0, 2])
        #expect(try folder.text(of: "out/x/in") == "3")
        #expect(try folder.text(of: "out/y") == "4")
    }

    @Test("Someone's file keeps the folder it is in")
    func foldersOfOthersStay() async throws {
        try await set(["d/a": "1", "e/a": "1"])
        try folder.makeFolder("out/e")
        _ = try await export()
        try folder.write("mine", to: "out/d/mine")
        try await foldersync("rm", "S", "d/a", "e/a")
        #expect(counts(try await export()) == [0, 0, 2])
        // "e" was there before the first export.
        #expect(try folder.names(in: "out") == ["d", "e"])
        #expect(try folder.names(in: "out/d") == ["mine"])
    }

    @Test("Overlaps are refused, also through links and with the folder missing")
    func overlaps() async throws {
        try await set(["a": "1"])
        try FileManager.default.createSymbolicLink(atPath: folder("alias"), withDestinationPath: "S")
        for name in [".", "S", "S/in", "alias/in"] {
            foldersync.expectError(try await foldersync("export", "S", name), "inside one another", "apart")
        }
        foldersync.expectError(try await foldersync("export", "S", "no/such"), "no/such", "make the folder first")
        try folder.write("", to: "file")
        foldersync.expectError(try await foldersync("export", "S", "file"), "not a folder")
    }

    @Test("Nothing extra lies in the folder, also after an export that was cut off anywhere")
    func interruptedAnywhere() throws {
        let store = Store(storage: MemoryStorage())
        let first = try store.makeVersion(
            basedOn: .root, changes: ["a", "d/b", "d/c"].map { .insert(Value(id: $0, "one")) })
        let second = try store.makeVersion(
            basedOn: first.id,
            changes: [.update(Value(id: "a", "two")), .remove("d/b"), .insert(Value(id: "new/x", "two"))])
        for call in 1..<500 {
            let place = "out\(call)"
            var exporter = Exporter(store, to: RealPath(folder(place)))
            _ = try exporter.run(first.id)
            let files = FaultyFileSystem(fault: .death(call: call))
            exporter.files = files
            do { _ = try exporter.run(second.id) } catch {}
            exporter.files = .local
            let outcome = try exporter.run(second.id)
            #expect(outcome.left.isEmpty, "cut off at call \(call)")
            let names = try folder.names(in: place).filter { !$0.hasSuffix(".tmp") }
            #expect(names == ["a", "d", "new"], "cut off at call \(call)")
            #expect(try folder.text(of: place + "/a") == "two")
            #expect(try folder.names(in: place + "/d") == ["c"])
            if !files.tripped { return }
        }
        Issue.record("the export never got through")
    }

    @Test("What an export that did not end has not brought is not deleted by importing the folder")
    func importAfterUnfinishedExport() async throws {
        try await set(["a": "1", "m": "1", "z": "1"])
        do {
            let store = try Store.open(at: folder("S"))
            var exporter = Exporter(store, to: RealPath(folder("out")))
            try FileManager.default.createDirectory(atPath: folder("out"), withIntermediateDirectories: true)
            let files = FaultyFileSystem(fault: .named("write", errno: .noSpace))
            exporter.files = files
            let head = try #require(try store.heads().first?.id)
            #expect(throws: FileCoordinationError.self) { try exporter.run(head) }
            try store.close()
        }
        try folder.write("edited", to: "out/a")
        let partly = try await foldersync("import", "S", "out", "--json").object()
        #expect(partly["removed"] as? Int == 0 && partly["unexported"] as? Int == 2)
        #expect(try await foldersync("get", "S", "z").output == "1")
        #expect(try await foldersync("get", "S", "a").output == "edited")
        // Once it is whole, what is deleted there is.
        #expect(counts(try await export()) == [2, 1, 0])
        try FileManager.default.removeItem(atPath: folder("out/m"))
        let whole = try await foldersync("import", "S", "out", "--json").object()
        #expect(whole["removed"] as? Int == 1 && whole["unexported"] as? Int == 0)
    }

    @Test("A full disk stops it with the old files in place")
    func fullDisk() throws {
        let store = Store(storage: MemoryStorage())
        let first = try store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "a", "one"))])
        let second = try store.makeVersion(basedOn: first.id, changes: [.update(Value(id: "a", "two"))])
        var exporter = Exporter(store, to: RealPath(folder("out")))
        _ = try exporter.run(first.id)
        exporter.files = FaultyFileSystem(fault: .named("write", errno: .noSpace))
        let error = #expect(throws: FileCoordinationError.self) { try exporter.run(second.id) }
        #expect(error?.code == .noSpace)
        #expect(try folder.text(of: "out/a") == "one")
        #expect(try folder.names(in: "out") == ["a"])
        exporter.files = .local
        #expect(try exporter.run(second.id).written == 1)
    }
}
