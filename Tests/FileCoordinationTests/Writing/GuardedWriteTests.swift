import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: writing what did not change")
struct GuardedWriteTests {
    let folder: TemporaryFolder
    let locks: TemporaryFolder
    let file: CoordinatedFile
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        locks = try TemporaryFolder()
        file = CoordinatedFile(durability: .fast, lockFolder: locks.path)
        path = folder("a")
    }

    private func expectRefusal(since state: FileState, _ what: String) throws {
        let before = try file.state(at: path)
        #expect { try file.writeIfUnchanged(Array("mine".utf8), to: path, since: state) } throws: {
            ($0 as? FileCoordinationError)?.code == .changed && "\($0)".contains(what)
        }
        #expect(try file.state(at: path) == before)
        #expect(try folder.names().allSatisfy { TemporaryName($0) == nil })
        #expect(try locks.names().isEmpty)
    }

    @Test
    func anUnchangedFileIsWrittenAndTheStateServesTheNextWrite() throws {
        try folder.write("old", to: "a")
        let (bytes, state) = try file.readWithState(at: path)
        #expect(bytes == Array("old".utf8))
        let next = try file.writeIfUnchanged(Array("second".utf8), to: path, since: state)
        try file.writeIfUnchanged(Array("third".utf8), to: path, since: next)
        #expect(try folder.text(of: "a") == "third")
        try expectRefusal(since: next, "changed since it was read")
    }

    @Test
    func aChangeOfTheSameSizeUnderTheSameDatesIsSeen() throws {
        try folder.write("aaaa", to: "a")
        let state = try file.readWithState(at: path).state
        let dates = try FileManager.default.attributesOfItem(atPath: path)
        try folder.write("bbbb", to: "a")
        let date = try #require(dates[.modificationDate])
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        try expectRefusal(since: state, "changed since it was read")
    }

    @Test
    func aFileReplacedByRenameIsChangedUnlessItsBytesAreTheSame() throws {
        try folder.write("one", to: "a")
        let state = try file.state(at: path)
        try folder.write("two", to: "other")
        try LocalFileSystem().rename(folder("other"), to: path)
        try expectRefusal(since: state, "changed since it was read")
        try folder.write("one", to: "other")
        try LocalFileSystem().rename(folder("other"), to: path)
        try file.writeIfUnchanged(Array("mine".utf8), to: path, since: state)
        #expect(try folder.text(of: "a") == "mine")
    }

    @Test
    func aTouchedFileIsNotChanged() throws {
        try folder.write("old", to: "a")
        let state = try file.state(at: path)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 0), .posixPermissions: 0o600], ofItemAtPath: path)
        try file.writeIfUnchanged(Array("mine".utf8), to: path, since: state)
        #expect(try folder.text(of: "a") == "mine")
    }

    @Test
    func aDeletedFileIsNotMadeAgain() throws {
        try folder.write("old", to: "a")
        let state = try file.state(at: path)
        try file.delete(at: path)
        try expectRefusal(since: state, "deleted since")
    }

    @Test
    func aFileThatAppearedIsNotReplaced() throws {
        #expect(try file.state(at: path) == .absent)
        try folder.write("theirs", to: "a")
        try expectRefusal(since: .absent, "appeared since")
        try file.delete(at: path)
        try file.writeIfUnchanged([1], to: path, since: .absent)
        #expect(try file.read(at: path) == [1])
    }

    @Test(arguments: [nil, "old"] as [String?], ["theirs", "own"])
    func aChangeWhileTheNewContentIsWrittenIsSeen(before: String?, meanwhile: String) throws {
        if let before { try folder.write(before, to: "a") }
        let state = try file.state(at: path)
        #expect {
            try file.writeIfUnchanged(to: path, since: state) { writer in
                try writer.write(Array("mine".utf8))
                try folder.write(meanwhile, to: "a")
            }
        } throws: {
            ($0 as? FileCoordinationError)?.code == .changed
        }
        #expect(try folder.text(of: "a") == meanwhile)
        #expect(try folder.names() == ["a"])
    }

    @Test
    func aFileThatAppearsAtTheLastMomentIsNotReplaced() throws {
        // Made between the last look and the rename.
        let late = LateFileSystem { [folder] in _ = try folder.write("theirs", to: "a") }
        let writer = CoordinatedFile(files: late, durability: .fast, lockFolder: locks.path)
        #expect { try writer.writeIfUnchanged([1], to: path, since: .absent) } throws: {
            ($0 as? FileCoordinationError)?.code == .changed
        }
        #expect(try folder.text(of: "a") == "theirs")
        #expect(try folder.names() == ["a"])
    }

    @Test
    func ofGuardedWritersOnlyOneSucceedsEachTime() async throws {
        try folder.write("0", to: "a")
        let (file, path) = (file, path)
        let lost = Shared(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    try await onOwnThread {
                        for _ in 0..<25 {
                            while true {
                                let (bytes, state) = try file.readWithState(at: path)
                                let number = (Int(String(decoding: bytes, as: UTF8.self)) ?? 0) + 1
                                do {
                                    try file.writeIfUnchanged(Array("\(number)".utf8), to: path, since: state)
                                    break
                                } catch let error as FileCoordinationError where error.code == .changed {
                                    lost.change { $0 += 1 }
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.text(of: "a") == "100", "\(lost.value) refusals")
        #expect(try folder.names() == ["a"])
    }

    @Test
    func aFileIsDeletedOnlyUnchanged() throws {
        try folder.write("old", to: "a")
        let state = try file.state(at: path)
        try folder.write("new", to: "a")
        #expect { try file.deleteIfUnchanged(at: path, since: state) } throws: {
            ($0 as? FileCoordinationError)?.code == .changed
        }
        try file.deleteIfUnchanged(at: path, since: FileState(of: Array("new".utf8)))
        #expect(try folder.names().isEmpty)
        #expect { try file.deleteIfUnchanged(at: path, since: state) } throws: {
            ($0 as? FileCoordinationError)?.code == .changed
        }
    }

    @Test
    func waitingForOneselfIsAnErrorAndNotForEver() throws {
        try folder.write("old", to: "a")
        let state = try file.state(at: path)
        try file.update(at: path) { _ in
            #expect { try file.writeIfUnchanged([1], to: path, since: state) } throws: {
                ($0 as? FileCoordinationError)?.code == .reentrant
            }
            #expect { try file.update(at: path) { _ in .keep } } throws: {
                ($0 as? FileCoordinationError)?.code == .reentrant
            }
            try file.writeIfUnchanged([1], to: folder("b"), since: .absent)
            return .keep
        }
        #expect(try folder.text(of: "a") == "old")
        #expect(try folder.names() == ["a", "b"])
    }
}

/// Lets another program do something just before a rename without replacing.
private struct LateFileSystem: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    let meanwhile: @Sendable () throws -> Void

    init(_ meanwhile: @escaping @Sendable () throws -> Void) { self.meanwhile = meanwhile }

    func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        do { try meanwhile() } catch { throw .inputOutput }
        try base.renameWithoutReplacing(path, to: newPath)
    }
}
