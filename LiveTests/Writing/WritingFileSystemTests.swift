import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Writing: file systems", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct WritingFileSystemTests {
    private func names(_ path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { $0 != "lost+found" }.sorted()
    }

    private func setMode(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    private func mode(_ path: String) throws -> UInt32 {
        try LocalFileSystem().attributes(at: path, followLinks: false).permissions.rawValue
    }

    private func asNobody(_ words: String...) throws -> LiveProgram.Outcome {
        // The build folder may be closed to others: a copy that anybody may run.
        let program = FileManager.default.temporaryDirectory.appending(path: "LiveTestWriter-\(getpid())").path
        // By another program: a child that another test is just starting would have the copy open for writing, and then nobody
        // could run it.
        try LiveProgram.succeed("cp", try LiveProgram.writer(), program)
        defer { do { try FileManager.default.removeItem(atPath: program) } catch { Issue.record(error) } }
        let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"].map { ["LD_LIBRARY_PATH=\($0)"] } ?? []
        let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "env"] + libraries
        return try LiveProgram(user + [program] + words).outcome()
    }

    @Test(arguments: LiveMount.Kind.mountable)
    func everyOperationWorks(kind: LiveMount.Kind) throws {
        let mount = try LiveMount(kind)
        let locks = try LiveDirectory()
        let file = CoordinatedFile(lockFolder: locks.url.path)
        try file.write([1], to: mount("a"))
        try setMode(0o604, mount("a"))
        try file.write([2], to: mount("a"))
        #expect(try mode(mount("a")) == 0o604)
        for name in [String(repeating: "n", count: 255), String(repeating: "\u{8A9E}", count: 85)] {
            try file.write([3], to: mount(name))
            try file.write([4], to: mount(name))
            #expect(try file.read(at: mount(name)) == [4])
            #expect(try file.delete(at: mount(name)))
        }
        try file.write([5], to: mount("made"), ifExists: .fail)
        #expect { try file.write([6], to: mount("made"), ifExists: .fail) } throws: {
            ($0 as? FileCoordinationError)?.code == .fileExists
        }
        try file.writeIfUnchanged([7], to: mount("made"), since: FileState(of: [5]))
        try file.writeIfUnchanged([7], to: mount("second"), since: .absent)
        try file.update(at: mount("made")) { .write(($0 ?? []) + [8]) }
        #expect(try file.read(at: mount("made")) == [7, 8])
        try file.writeAll((0..<20).map { FileCoordination.FileContent(path: mount("b\($0)"), bytes: [9]) })
        for number in 0..<20 { #expect(try file.delete(at: mount("b\(number)"))) }
        #expect(try names(mount.path) == ["a", "made", "second"])
    }

    @Test(.enabled(if: LiveGate.has("setpriv"), "setpriv is not installed"), arguments: LiveMount.Kind.mountable)
    func anotherUserReplacesItsOwnFileAndNotWhatIsNotItsOwn(kind: LiveMount.Kind) throws {
        let mount = try LiveMount(kind)
        for text in ["first", "second"] {
            let outcome = try asNobody("write", mount("own"), text)
            #expect(outcome.status == 0, "\(outcome.errors)")
        }
        try setMode(0o640, mount("own"))
        #expect(try asNobody("write", mount("own"), "third").status == 0)
        #expect(try mode(mount("own")) == 0o640)
        // Root's file in a folder where only its owner may replace it.
        try setMode(0o1777, mount.path)
        try CoordinatedFile().write([1], to: mount("roots"))
        let refused = try asNobody("write", mount("roots"), "mine")
        // bindfs shows all files as the asker's own.
        if kind != .fuse {
            #expect(refused.status == 1)
            #expect(refused.errors.hasPrefix("notPermitted"))
            #expect(try CoordinatedFile().read(at: mount("roots")) == [1])
        }
        #expect(try names(mount.path) == ["own", "roots"])
    }

    @Test(.enabled(if: LiveMount.Kind.mountable.contains(.tmpfs), "only root can mount"))
    func aFullDiskLeavesTheOldFileAndNothingElse() throws {
        let mount = try LiveMount(.tmpfs, options: "size=64k")
        let old = [UInt8](repeating: 1, count: 20_000)
        try CoordinatedFile().write(old, to: mount("a"))
        for _ in 0..<3 {
            #expect { try CoordinatedFile().write([UInt8](repeating: 2, count: 60_000), to: mount("a")) } throws: {
                ($0 as? FileCoordinationError)?.code == .noSpace
            }
            #expect(try CoordinatedFile().read(at: mount("a")) == old)
            #expect(try names(mount.path) == ["a"])
        }
        try CoordinatedFile().write([UInt8](repeating: 3, count: 30_000), to: mount("a"))
    }

    @Test(.enabled(if: LiveMount.Kind.mountable.contains(.tmpfs), "only root can mount"))
    func aFileThatIsAMountPointIsToldAndNotDamaged() throws {
        let mount = try LiveMount(.tmpfs)
        try CoordinatedFile().write(Array("source".utf8), to: mount("source"))
        try CoordinatedFile().write(Array("target".utf8), to: mount("target"))
        try LiveProgram.succeed("mount", "--bind", mount("source"), mount("target"))
        defer { do { try LiveProgram.succeed("umount", mount("target")) } catch { Issue.record(error) } }
        for _ in 0..<2 {
            #expect { try CoordinatedFile().write([1], to: mount("target")) } throws: {
                ($0 as? FileCoordinationError)?.code == .busy
            }
        }
        #expect(try names(mount.path) == ["source", "target"])
        #expect(try CoordinatedFile().read(at: mount("source")) == Array("source".utf8))
    }

    @Test(.enabled(if: LiveMount.Kind.mountable.contains(.tmpfs), "only root can mount"))
    func aReadOnlyFileSystemIsTold() throws {
        let mount = try LiveMount(.tmpfs)
        try CoordinatedFile().write([1], to: mount("a"))
        try LiveProgram.succeed("mount", "-o", "remount,ro", mount.path)
        for path in [mount("a"), mount("new")] {
            #expect { try CoordinatedFile().write([2], to: path) } throws: {
                ($0 as? FileCoordinationError)?.code == .readOnlyFileSystem
            }
        }
        #expect { try CoordinatedFile().delete(at: mount("a")) } throws: {
            ($0 as? FileCoordinationError)?.code == .readOnlyFileSystem
        }
        #expect(try CoordinatedFile().read(at: mount("a")) == [1])
    }

    @Test(
        .enabled(if: LiveMount.Kind.mountable.contains(.ext4) && LiveGate.has("chattr"), "no ext4, or no chattr"),
        arguments: ["i", "a"])
    func anImmutableOrAppendOnlyFileIsNotReplaced(attribute: String) throws {
        let mount = try LiveMount(.ext4)
        try CoordinatedFile().write([1], to: mount("a"))
        try LiveProgram.succeed("chattr", "+\(attribute)", mount("a"))
        #expect { try CoordinatedFile().write([2], to: mount("a")) } throws: {
            ($0 as? FileCoordinationError)?.code == .notPermitted
        }
        #expect(try CoordinatedFile().read(at: mount("a")) == [1])
        #expect(try names(mount.path) == ["a"])
        try LiveProgram.succeed("chattr", "-\(attribute)", mount("a"))
    }

    @Test(arguments: [("022", 0o644), ("027", 0o640), ("077", 0o600)] as [(String, UInt32)])
    func aNewFileHasWhatTheUmaskLeaves(umask: String, wanted: UInt32) throws {
        let folder = try LiveDirectory()
        let command = "umask \(umask); exec \"$0\" write \"$1\" text fast"
        try LiveProgram.succeed("sh", "-c", command, try LiveProgram.writer(), folder.path("a"))
        #expect(try mode(folder.path("a")) == wanted)
        // A file that is replaced keeps its own.
        try setMode(0o666, folder.path("a"))
        try LiveProgram.succeed("sh", "-c", command, try LiveProgram.writer(), folder.path("a"))
        #expect(try mode(folder.path("a")) == 0o666)
    }
}
