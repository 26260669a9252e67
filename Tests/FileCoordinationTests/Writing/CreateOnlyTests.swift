import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile: making without replacing")
struct CreateOnlyTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func expect(
        _ code: FileCoordinationError.Code, _ files: any FileSystem = .local, at name: String = "a"
    ) throws {
        let before = try folder.names()
        #expect { try CoordinatedFile(files: files).write([1], to: folder(name), ifExists: .fail) } throws: {
            ($0 as? FileCoordinationError)?.code == code
        }
        #expect(try folder.names() == before)
    }

    @Test
    func anAbsentFileIsMadeAndAPresentOneStays() throws {
        let file = CoordinatedFile()
        try file.write(Array("mine".utf8), to: folder("a"), ifExists: .fail)
        try expect(.fileExists)
        #expect(try folder.text(of: "a") == "mine")
    }

    @Test
    func whateverHasTheNameStays() throws {
        try folder.makeFolder("d")
        try FileSystemLink.make(at: folder("dangling"), to: "nowhere")
        for name in ["d", "dangling"] { try expect(.fileExists, at: name) }
        try expect(.noParent, at: "none/a")
        try expect(.isDirectory, at: "d/")
    }

    @Test(arguments: [Errno.invalidArgument, .notImplemented, .notSupported])
    func whereRenamingReplacesAlwaysALinkIsMade(errno: Errno) throws {
        let files = LimitedFileSystem(renamingWithoutReplacing: errno)
        try CoordinatedFile(files: files).write([1, 2], to: folder("a"), ifExists: .fail)
        #expect(try CoordinatedFile().read(at: folder("a")) == [1, 2])
        #expect(try LocalFileSystem().attributes(at: folder("a"), followLinks: false).linkCount == 1)
        #expect(try folder.names() == ["a"])
        try expect(.fileExists, files)
    }

    @Test(arguments: [Errno.notPermitted, .notImplemented, .notSupported])
    func whereNeitherIsPossibleNothingIsRisked(errno: Errno) throws {
        try expect(.notSupported, LimitedFileSystem(renamingWithoutReplacing: .invalidArgument, linking: errno))
    }

    @Test(arguments: [nil, Errno.invalidArgument])
    func aFileThatAppearsMeanwhileStays(renaming: Errno?) throws {
        let writer = CoordinatedFile(files: LimitedFileSystem(renamingWithoutReplacing: renaming))
        #expect {
            try writer.write(to: folder("a"), ifExists: .fail) { piece in
                try piece.write([1])
                try folder.write("theirs", to: "a")
            }
        } throws: {
            ($0 as? FileCoordinationError)?.code == .fileExists
        }
        #expect(try folder.text(of: "a") == "theirs")
        #expect(try folder.names() == ["a"])
    }

    @Test
    func aLinkWhoseAnswerWasLostCounts() throws {
        let files = ForgetfulFileSystem()
        try CoordinatedFile(files: files).write([1], to: folder("a"), ifExists: .fail)
        #expect(try CoordinatedFile().read(at: folder("a")) == [1])
        #expect(try folder.names() == ["a"])
    }

    @Test(arguments: [nil, Errno.invalidArgument])
    func ofManyAtOnceOneSucceeds(renaming: Errno?) async throws {
        let writer = CoordinatedFile(
            files: LimitedFileSystem(renamingWithoutReplacing: renaming), durability: .fast)
        for round in 0..<20 {
            let path = folder("f\(round)")
            let made = try await withThrowingTaskGroup(of: UInt8?.self) { group in
                for number in UInt8(0)..<4 {
                    group.addTask {
                        do {
                            try writer.write([number], to: path, ifExists: .fail)
                            return number
                        } catch let error as FileCoordinationError where error.code == .fileExists { return nil }
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
            }
            #expect(made.count == 1)
            #expect(try writer.read(at: path) == made)
        }
        #expect(try folder.names().count == 20)
    }
}

/// Like NFS: makes the link, and says at the repetition that the name is taken.
private struct ForgetfulFileSystem: ForwardingFileSystem {
    let base: any FileSystem = LimitedFileSystem(renamingWithoutReplacing: .invalidArgument)

    func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        try base.makeHardLink(path, to: newPath)
        throw .fileExists
    }
}
