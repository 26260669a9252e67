import FileCoordination
import Foundation
import LLVSCore
import Synchronization
import TestSupport
import Testing

@testable import FolderSyncCommand

/// Lets somebody else write a file just when the new content of one is being prepared.
private final class MeddlingFileSystem: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    private let meddle: @Sendable () -> Void
    private let isDone = Mutex(false)

    init(_ meddle: @escaping @Sendable () -> Void) { self.meddle = meddle }

    func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        let isFirst =
            options.contains(.exclusive)
            && isDone.withLock { done in
                defer { done = true }
                return !done
            }
        if isFirst { meddle() }
        return try base.open(path, options, permissions: permissions)
    }
}

@Suite("Mirror, safety")
struct MirrorSafetyTests {
    private let folder: TemporaryFolder
    private let one: MirrorDevice
    private let two: MirrorDevice

    init() throws {
        folder = try TemporaryFolder()
        one = try MirrorDevice("one", in: folder, creating: true)
        two = try MirrorDevice("two", in: folder)
    }

    private func expectRefusal(_ what: String, location: SourceLocation = #_sourceLocation) async {
        let error = await #expect(throws: CommandError.self, sourceLocation: location) { try await one.round() }
        #expect(error?.what.contains(what) == true, "\(String(describing: error))", sourceLocation: location)
    }

    @Test("A directory that is gone, or has none of its files, stops; on purpose everything can be deleted")
    func emptyIsNotDeleted() async throws {
        for name in ["a", "b/c"] { try one.write("1", to: name) }
        try await settle(one, two)
        try FileManager.default.moveItem(atPath: folder("one"), toPath: folder("disk"))
        await expectRefusal("not there")
        try folder.makeFolder("one")
        await expectRefusal("is empty, and had 2 files")
        try one.write("stray", to: "stray")
        await expectRefusal("another directory")
        try await two.round()
        #expect(try two.files.count == 2)
        try FileManager.default.removeItem(atPath: folder("one"))
        try FileManager.default.moveItem(atPath: folder("disk"), toPath: folder("one"))
        try await settle(one, two)
        #expect(try one.files.count == 2 && two.files.count == 2)
        for name in ["a", "b"] { try one.remove(name) }
        await expectRefusal("is empty")
        one.mirror.acceptsDeletions = true
        try await settle(one, two)
        #expect(try one.files.isEmpty && two.files.isEmpty)
        #expect(!one.mirror.acceptsDeletions)
    }

    @Test("Another directory in its place that lacks files stops; one that has all of them goes on")
    func anotherDirectory() async throws {
        for name in ["a", "b"] { try one.write("1", to: name) }
        try await settle(one, two)
        let copy = { (names: [String]) in
            try FileManager.default.moveItem(atPath: folder("one"), toPath: folder(UUID().uuidString))
            try folder.makeFolder("one")
            for name in names { try one.write("1", to: name) }
        }
        try copy(["a"])
        await expectRefusal("another directory")
        try copy(["a", "b"])
        try await one.round()
        try one.remove("a")
        try await settle(one, two)
        #expect(try two.files == ["b": "1"])
    }

    @Test(
        "A file that changes between the comparison and its replacement is not overwritten", arguments: [true, false])
    func changedMeanwhile(exists: Bool) async throws {
        if exists { try one.write("base\n", to: "a.txt") }
        try await settle(one, two)
        try two.write("theirs\n", to: "a.txt")
        try await two.round()
        let path = folder("one/a.txt")
        let files = MeddlingFileSystem {
            do { try Data("mine\n".utf8).write(to: URL(fileURLWithPath: path)) } catch { Issue.record(error) }
        }
        try one.restart(files)
        try await one.round()
        #expect(one.exported.changed == ["a.txt"])
        #expect(try one.files == ["a.txt": "mine\n"])
        try await settle(one, two)
        #expect(try one.files == ["a.txt": "mine\ntheirs\n"])
        #expect(try two.files == one.files)
    }

    @Test("A file that changes before others' deletion of it is carried out stays, everywhere")
    func changedBeforeDeletion() async throws {
        for name in ["a", "b"] { try one.write("1", to: name) }
        try await settle(one, two)
        try two.remove("a")
        try await two.round()
        try await one.importOnly()
        try await one.pass()
        try one.write("2", to: "a")
        try await one.exportOnly()
        #expect(one.exported.changed == ["a"] && one.exported.deleted.isEmpty)
        try await settle(one, two)
        #expect(try one.files == ["a": "2", "b": "1"])
        #expect(try two.files == one.files)
    }

    @Test("Killed at any call of import or export, the next run loses and undoes nothing")
    func killedAnywhere() async throws {
        // All of them take half a minute.
        let isPatient = ProcessInfo.processInfo.environment["FILECOORDINATION_SLOW_TESTS"] == "1"
        let step = isPatient ? 1 : 13
        var call = isPatient ? 0 : Int.random(in: -12...0)
        print("first call \(call + step)")
        while true {
            call += step
            let folder = try TemporaryFolder()
            let one = try MirrorDevice("one", in: folder, creating: true)
            let two = try MirrorDevice("two", in: folder)
            for name in ["edited", "gone", "d/x", "both.txt"] { try one.write("base\n", to: name) }
            try await settle(one, two)
            try two.write("theirs\nbase\n", to: "both.txt")
            try two.write("theirs", to: "edited")
            try two.write("theirs", to: "new/file")
            try two.remove("gone")
            try await two.round()
            try one.write("base\nmine\n", to: "both.txt")
            try one.write("mine", to: "mine")
            try one.remove("d/x")
            let files = FaultyFileSystem(fault: .death(call: call))
            try one.restart(files)
            // What it throws is death, or what death looks like to it.
            do { try await one.round() } catch {}
            try one.restart()
            try await settle(one, two)
            let expected = [
                "edited": "theirs", "both.txt": "theirs\nbase\nmine\n", "new/file": "theirs", "mine": "mine",
            ]
            let found = (try one.files, try two.files)
            #expect(found.0 == expected && found.1 == expected, "killed at call \(call): \(found)")
            if !files.tripped { break }
            try #require(call < 2_000)
        }
    }

    @Test("Links, odd names and what cannot be read are kept as they are, in both directions")
    func oddities() async throws {
        for name in ["a", "b", "locked", "d/e"] { try one.write("1", to: name) }
        try await settle(one, two)
        for name in ["a", "d"] { try one.remove(name) }
        try FileManager.default.createSymbolicLink(atPath: folder("one/a"), withDestinationPath: "b")
        try FileManager.default.createSymbolicLink(atPath: folder("one/d"), withDestinationPath: "/etc")
        try one.restart(FaultyFileSystem(fault: .named("open", pathSuffix: "one/locked", errno: .accessDenied)))
        try await one.round()
        #expect(one.imported.skipped.map(\.file) == ["a", "d"])
        #expect(one.imported.unreadable.map(\.file) == ["locked"])
        for name in ["a", "locked", "d/e"] { try two.write("2", to: name) }
        try await settle(two, one)
        #expect(Set(one.exported.left.map(\.file)) == ["a", "locked", "d/e"])
        #expect(try folder.text(of: "one/b") == "1" && folder.text(of: "one/locked") == "1")
        try one.restart()
        for name in ["a", "d"] { try one.remove(name) }
        try await settle(one, two)
        // What took the links away brings the files back: they had never been deleted.
        #expect(try two.files == ["a": "2", "b": "1", "locked": "2", "d/e": "2"])
    }

    @Test("What was mounted below the directory and is gone is not deleted, nor is the original of a placeholder")
    func mountsBelow() async throws {
        for name in ["a", "photos/1", "photos/2", "far.pdf"] { try one.write("1", to: name) }
        try one.restart(MountedFileSystem(.unknown, at: folder("one/photos")))
        try await settle(one, two)
        try FileManager.default.moveItem(atPath: folder("one/photos"), toPath: folder("disk"))
        try folder.makeFolder("one/photos")
        try FileManager.default.moveItem(atPath: folder("one/far.pdf"), toPath: folder("one/.far.pdf.icloud"))
        try two.write("new", to: "photos/3")
        try one.restart()
        try await settle(two, one, two, rounds: 1)
        #expect(one.imported.unreadable.map(\.file) == ["photos/", ".far.pdf.icloud"])
        #expect(one.exported.left.map(\.file) == ["photos/3"])
        #expect(try folder.names(in: "one/photos").isEmpty)
        #expect(try two.files == ["a": "1", "photos/1": "1", "photos/2": "1", "photos/3": "new", "far.pdf": "1"])
        try FileManager.default.removeItem(atPath: folder("one/photos"))
        try FileManager.default.moveItem(atPath: folder("disk"), toPath: folder("one/photos"))
        try one.remove("photos/1")
        try one.restart(MountedFileSystem(.unknown, at: folder("one/photos")))
        try await settle(one, two)
        #expect(try two.files == ["a": "1", "photos/2": "1", "photos/3": "new", "far.pdf": "1"])
        try one.remove("photos")
        try one.restart()
        one.mirror.acceptsDeletions = true
        try await settle(one, two)
        #expect(try two.files == ["a": "1", "far.pdf": "1"])
    }

    @Test("A file that is being written is imported when it rests, and a deletion when it lasts")
    func restingFiles() async throws {
        let now = Mutex<Int64>(0)
        let mirror = try Mirror(
            RealPath(folder("one")), of: one.store, coordinator: one.coordinator, settle: 300,
            clock: { now.withLock { $0 } })
        let look = { (later: Int64) in
            now.withLock { $0 += later }
            return try await mirror.importChanges()
        }
        now.withLock { $0 = Store.wallClock() }
        try one.write("half", to: "a")
        #expect(try await look(0).deferred == ["a"])
        try one.write("half and half", to: "a")
        #expect(try await look(299).deferred == ["a"])
        let settled = try await look(301)
        #expect(settled.deferred.isEmpty && settled.changed == ["a"])
        try one.write("rest", to: "b")
        #expect(try await look(1_000_000).changed == ["b"])
        try one.remove("a")
        #expect(try await look(0).deferred == ["a"])
        #expect(try await look(301).removed == ["a"])
    }
}
