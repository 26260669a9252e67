import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

/// Snapshots, levels of verification and cleaning, by the built executable.
@Suite("Snapshot commands")
struct SnapshotCommandTests {
    private let foldersync: CommandRunner

    init() throws {
        foldersync = try CommandRunner()
    }

    @Test("What a snapshot holds comes back: values, versions, the current one")
    func roundTrip() async throws {
        try await foldersync("init", "S")
        let saved = try await foldersync("set", "S", "../k", "old", "--json").object()
        try await foldersync("set", "S", "../k", "new")
        let status = try await foldersync("status", "S", "--json").object()
        let written = try await foldersync("snapshot", "S", "backup", "--json").object()
        #expect(written["versions"] as? Int == 2)
        #expect(written["heads"] as? [String] == status["heads"] as? [String])
        try await foldersync("set", "S", "../k", "later")
        let restored = try await foldersync("restore", "backup", "T", "--json").object()
        #expect(restored["versions"] as? Int == 2)
        #expect(try await foldersync("get", "T", "../k").output == "new")
        let old = try #require(saved["version"] as? String)
        #expect(try await foldersync("get", "T", "../k", "--at", old).output == "old")
        let again = try await foldersync("status", "T", "--json").object()
        #expect(again["digest"] as? String == status["digest"] as? String)
        #expect(try await foldersync("snapshot", "S", "backup").output.hasPrefix("wrote a snapshot of 3 versions"))
        try await foldersync("init", "U")
        #expect(try await foldersync("restore", "backup", "U").output == "restored 3 versions to U\n")
        #expect(try await foldersync("restore", "backup", "V", "--verify", "deep").code == 0)
        #expect(try await foldersync("verify", "U").code == 0)
    }

    @Test("A new device begins with a snapshot in the shared folder")
    func sharedFolder() async throws {
        for name in ["A", "B"] { try await foldersync("init", name) }
        try await foldersync("attach", "A", "shared", "--create")
        let early = try await foldersync("snapshot", "A", "shared")
        foldersync.expectError(early, "no snapshot", "sync again")
        for text in ["old", "new"] { try await foldersync("set", "A", "k", text) }
        let written = try await foldersync("snapshot", "A", "shared", "--json").object()
        #expect(written["versions"] as? Int == 2 && written["files"] as? Int == 2)
        let files =
            FileManager.default.enumerator(atPath: foldersync.folder("shared"))?.compactMap { $0 as? String } ?? []
        #expect(files.count { $0.contains("/p-") } == 2)
        for file in files where file.contains("/e-") {
            try FileManager.default.removeItem(atPath: foldersync.folder("shared/\(file)"))
        }
        try await foldersync("attach", "B", "shared")
        let synced = try await foldersync("sync", "B", "--json").object()
        #expect(synced["imported"] as? Int == 2 && synced["sent"] as? Int == 0)
        #expect(try await foldersync("get", "B", "k").output == "new")
    }

    @Test("A damaged store does not take the place of its snapshot")
    func damagedStore() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "diary", "ten years of text")
        try await foldersync("snapshot", "S", "B")
        let database = URL(filePath: foldersync.folder("S/store.sqlite"))
        var bytes = try Data(contentsOf: database)
        let place = try #require(bytes.range(of: Data("ten years".utf8)))
        bytes[place.lowerBound] ^= 1
        try bytes.write(to: database)
        foldersync.expectError(try await foldersync("snapshot", "S", "B"), "the store is damaged", "another folder")
        try await foldersync("restore", "B", "T")
        #expect(try await foldersync("get", "T", "diary").output == "ten years of text")
        #expect(try await foldersync("snapshot", "S", "B", "--unchecked").code == 0)
    }

    @Test("What cannot be done says why, and leaves nothing")
    func refusals() async throws {
        try await foldersync("init", "S")
        try await foldersync("set", "S", "k", "v")
        foldersync.expectError(try await foldersync("restore", "nowhere", "T"), "no snapshot")
        foldersync.expectError(try await foldersync("snapshot", "S", "S/in"), "lie inside one another")
        try await foldersync("snapshot", "S", "B")
        foldersync.expectError(try await foldersync("restore", "B", "S"), "has versions already")
        foldersync.expectError(try await foldersync("restore", "B", "B/T"), "lie inside one another")
        #expect(try await foldersync("restore", "B", "T", "--verify", "all").code == 2)
        let chunk = try #require(try foldersync.folder.names(in: "B").first { $0.hasSuffix(".chunk") })
        let bytes = try LocalFileSystem().readFile(at: foldersync.folder("B/" + chunk))
        try CoordinatedFile().write(Array(bytes.prefix(bytes.count * 6 / 10)), to: foldersync.folder("B/" + chunk))
        foldersync.expectError(try await foldersync("restore", "B", "T"), "of its \(bytes.count) bytes")
        #expect(try foldersync.folder.names().filter { $0.contains("T") } == [])
        try foldersync.folder.write("x", to: "notes")
        try foldersync.folder.makeFolder("D")
        try foldersync.folder.write("mine", to: "D/mine.txt")
        foldersync.expectError(try await foldersync("snapshot", "S", "D"), "has other things in it")
        #expect(try foldersync.folder.names(in: "D") == ["mine.txt"])
    }

    @Test("A restore that is killed leaves no store, and the next one succeeds")
    func killed() async throws {
        try await foldersync("init", "S")
        for number in 0..<4 {
            let bytes = [UInt8](repeating: UInt8(number), count: 6_000_000)
            try await foldersync("set", "S", "\(number)", "-", input: bytes)
        }
        try await foldersync("snapshot", "S", "B")
        let running = try RunningCommand(["restore", "B", "T"], in: foldersync)
        let place = foldersync.folder(".T.restoring/store.sqlite")
        _ = await eventually { FileManager.default.fileExists(atPath: place) || !running.process.isRunning }
        _ = await running.end(by: SIGKILL)
        let isThere = try foldersync.folder.names().contains("T")
        if !isThere { #expect(try await foldersync("restore", "B", "T").code == 0, "\(running)") }
        // One that came as far as to put the store in its place may not have come to take its lock away.
        let left = try foldersync.folder.names().filter { $0.hasPrefix(".T") }
        #expect(left.isEmpty || isThere && left == [".T.restoring.lock"], "\(left)")
        #expect(try await foldersync("verify", "T", "--level", "hash").code == 0)
    }

    @Test("Damaged maps are found by the level deep, told a line each, and repaired")
    func repair() async throws {
        try await foldersync("init", "S")
        for number in 0..<30 { try await foldersync("set", "S", "key \(number)", "value \(number)") }
        let store = try Store.open(at: foldersync.folder("S"))
        try store.storage.write { writer in
            for row in stride(from: Int64(1), to: 20, by: 3) {
                var bytes = try #require(try writer.row(row, in: RowZone("nodes")))
                bytes[bytes.count - 3] ^= 1
                try writer.setRow(bytes, at: row, in: RowZone("nodes"))
            }
        }
        try store.close()
        #expect(try await foldersync("verify", "S", "--level", "names").code == 0)
        #expect(try await foldersync("verify", "S", "--level", "hash", "--json").object()["clean"] as? Bool == true)
        let found = try await foldersync("verify", "S", "--json")
        #expect(found.code == 1)
        let lines = try found.objects()
        #expect(lines.count > 2 && lines.dropLast().allSatisfy { $0["finding"] as? String == "problem" })
        #expect(lines.last?["clean"] as? Bool == false)
        foldersync.expectError(try await foldersync("verify", "S", "--level", "deep"), "problems found", "--repair")
        #expect(try await foldersync("verify", "S", "--level", "names", "--repair").code == 2)
        let repaired = try await foldersync("verify", "S", "--repair", "--json")
        #expect(repaired.code == 0)
        #expect(try repaired.objects().first?["finding"] as? String == "repaired")
        for number in [0, 7, 29] {
            #expect(try await foldersync("get", "S", "key \(number)").output == "value \(number)")
        }
        let compacted = try await foldersync("compact", "S", "--json").object()
        #expect(compacted["versions"] as? Int == 0 && (compacted["nodes"] as? Int ?? 0) > 0)
        #expect(try await foldersync("verify", "S").code == 0)
    }
}
