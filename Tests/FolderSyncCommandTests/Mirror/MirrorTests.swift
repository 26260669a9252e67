import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Mirror")
struct MirrorTests {
    private let folder: TemporaryFolder
    private let one: MirrorDevice
    private let two: MirrorDevice

    init() throws {
        folder = try TemporaryFolder()
        one = try MirrorDevice("one", in: folder, creating: true)
        two = try MirrorDevice("two", in: folder)
    }

    private func expectBoth(_ files: [String: String], location: SourceLocation = #_sourceLocation) throws {
        for device in [one, two] {
            let found = try device.files
            #expect(found == files, "\(device.name): \(found)", sourceLocation: location)
        }
    }

    @Test("Additions, edits, moves and deletions arrive in both directions, and then nothing is done any more")
    func bothDirections() async throws {
        try one.write("1", to: "a.txt")
        try one.write("deep", to: "x/y/z.txt")
        try two.write("2", to: "b.bin")
        try await settle(one, two)
        try expectBoth(["a.txt": "1", "x/y/z.txt": "deep", "b.bin": "2"])
        try two.write("1 more", to: "a.txt")
        try FileManager.default.moveItem(atPath: folder("one/b.bin"), toPath: folder("one/B.bin"))
        try two.remove("x/y/z.txt")
        try await settle(two, one, two, rounds: 1)
        try expectBoth(["a.txt": "1 more", "B.bin": "2"])
        #expect(!FileManager.default.fileExists(atPath: folder("one/x")), "the folder that a deletion left empty stays")
        let versions = try [one, two].map { try $0.store.versionCount() }
        try await settle(one, two)
        #expect(try [one, two].map { try $0.store.versionCount() } == versions)
        #expect(one.exported.isEmpty && one.imported.isEmpty && two.exported.isEmpty && two.imported.isEmpty)
    }

    @Test("Of a file that is no text, the one saved more recently is kept, and the other stays a version and is told")
    func conflict() async throws {
        try one.write("old\0", to: "p.png")
        try one.write("{}", to: "p.json")
        try await settle(one, two)
        try one.write("earlier\0", to: "p.png")
        try one.write("{\"a\": 1}", to: "p.json")
        try await one.importOnly()
        try two.write("later\0", to: "p.png")
        try two.write("{\"b\": 2}", to: "p.json")
        try await two.importOnly()
        try await settle(one, two)
        try expectBoth(["p.png": "later\0", "p.json": "{\"b\": 2}"])
        #expect(try two.remembers("earlier\0", at: "p.png") && two.remembers("{\"a\": 1}", at: "p.json"))
        try await one.round()
    }

    @Test("A conflict is told once, with what was kept and what lost")
    func conflictIsTold() async throws {
        try one.write("old\0", to: "p.png")
        try await settle(one, two)
        try one.write("earlier\0", to: "p.png")
        try await one.round()
        try two.write("later\0", to: "p.png")
        try await two.round()
        let fork = try #require(two.conflicts.first)
        #expect(two.conflicts.count == 1 && fork.id == "p.png" && fork.lost.count == 1)
        #expect(try two.store.bytes(of: fork.id, at: try #require(fork.lost.first).version) == Array("earlier\0".utf8))
        try two.restart()
        try two.write("other", to: "other.txt")
        try await two.round()
        #expect(two.conflicts.isEmpty)
    }

    @Test("Text is merged line by line; where both changed a line, notes keep both and other text the more recent")
    func textIsMerged() async throws {
        let base = "one\ntwo\nthree\nfour\nfive\n"
        for name in ["notes.md", "main.swift"] { try one.write(base, to: name) }
        try await settle(one, two)
        for name in ["notes.md", "main.swift"] {
            try one.write("ONE\ntwo\nthree\nfour\nmine\n", to: name)
            try two.write("one\ntwo\nTHREE\nfour\nyours\n", to: name)
        }
        try await one.importOnly()
        try await two.importOnly()
        try await settle(one, two)
        try expectBoth([
            "notes.md": "ONE\ntwo\nTHREE\nfour\nmine\nyours\n", "main.swift": "ONE\ntwo\nTHREE\nfour\nyours\n",
        ])
    }

    @Test("An edit beats a deletion, whichever came first")
    func editBeatsDeletion() async throws {
        for name in ["a", "b"] { try one.write("1", to: name) }
        try await settle(one, two)
        try one.remove("a")
        try one.write("edited", to: "b")
        try two.write("edited", to: "a")
        try two.remove("b")
        try await one.importOnly()
        try await two.importOnly()
        try await settle(one, two)
        try expectBoth(["a": "edited", "b": "edited"])
    }

    @Test("A file becomes a folder and back")
    func fileAndFolder() async throws {
        try one.write("1", to: "x")
        try await settle(one, two)
        try two.remove("x")
        try two.write("2", to: "x/y")
        try await settle(two, one)
        try expectBoth(["x/y": "2"])
        try one.remove("x")
        try one.write("3", to: "x")
        try await settle(one, two)
        try expectBoth(["x": "3"])
    }

    @Test("Directories that are full already are merged, and nothing of either is lost")
    func fullDirectoriesAreMerged() async throws {
        try one.write("same", to: "same")
        try one.write("a\nb\n", to: "list.txt")
        try one.write("version 1", to: "old.json")
        try one.write("mine\0", to: "p.png")
        try await one.round()
        try one.write("version 2", to: "old.json")
        try await one.round()
        // A copy of the directory as it once was, and with things of its own.
        for (name, text) in ["same": "same", "list.txt": "b\nc\n", "old.json": "version 1", "p.png": "yours\0"] {
            try two.write(text, to: name)
        }
        try two.write("new", to: "new")
        try await settle(two, one, two, rounds: 1)
        try expectBoth([
            "same": "same", "list.txt": "a\nb\nc\n", "old.json": "version 2", "p.png": "yours\0", "new": "new",
        ])
        #expect(try two.remembers("mine\0", at: "p.png"))
    }

    @Test("A file that was deleted everywhere and is brought back is a new file")
    func broughtBack() async throws {
        try one.write("1", to: "a")
        try one.write("2", to: "b")
        try await settle(one, two)
        try two.remove("a")
        try await settle(two, one)
        try one.write("1", to: "a")
        try await settle(one, two)
        try expectBoth(["a": "1", "b": "2"])
    }

    @Test("While the shared folder is away changes are saved, and it goes on when it returns")
    func offline() async throws {
        try one.write("1", to: "a")
        try await settle(one, two)
        try FileManager.default.moveItem(atPath: folder("shared"), toPath: folder("away"))
        try one.write("2", to: "a")
        await #expect(throws: (any Error).self) { try await one.round() }
        #expect(try one.remembers("2", at: "a"))
        try folder.makeFolder("shared")
        await #expect(throws: (any Error).self) { try await one.round() }
        #expect(try folder.names(in: "shared") == [])
        try FileManager.default.removeItem(atPath: folder("shared"))
        try FileManager.default.moveItem(atPath: folder("away"), toPath: folder("shared"))
        try await settle(one, two)
        try expectBoth(["a": "2"])
    }

    @Test("What is ignored goes neither in nor out, and is not deleted")
    func ignored() async throws {
        try one.write("1", to: "keep/a.log")
        try one.write("2", to: "b.txt")
        try one.write("3", to: "notes.txt.swp")
        try await settle(one, two)
        try expectEqual(two, ["keep/a.log": "1", "b.txt": "2"])
        try two.restart(ignoring: ["*.log"])
        try two.remove("keep/a.log")
        try two.write("4", to: "c.log")
        try await settle(two, one)
        try expectEqual(one, ["keep/a.log": "1", "b.txt": "2", "notes.txt.swp": "3"])
        try expectEqual(two, ["b.txt": "2", "c.log": "4"])
    }

    private func expectEqual(
        _ device: MirrorDevice, _ files: [String: String], location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(try device.files == files, sourceLocation: location)
    }
}
