import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("CoordinatedFile")
struct CoordinatedFileTests {
    let folder: TemporaryFolder
    let file = CoordinatedFile()

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [0, 1, 4096, 1_000_000])
    func whatIsWrittenIsRead(count: Int) throws {
        var random = SeededRandom(seed: 1)
        let bytes = random.bytes(count)
        try file.write(bytes, to: folder("a"))
        #expect(try file.read(at: folder("a")) == bytes)
        #expect(try folder.names() == ["a"])
    }

    @Test
    func shortWritesAreGoneOnWith() throws {
        let files = FaultyFileSystem()
        files.writeAtMost(7)
        var random = SeededRandom(seed: 2)
        let bytes = random.bytes(100)
        try CoordinatedFile(files: files).write(bytes, to: folder("a"))
        #expect(try file.read(at: folder("a")) == bytes)
        #expect(files.calls.filter { $0.name == "write" }.count == 15)
    }

    @Test
    func piecesAreWrittenInOrder() throws {
        try file.write(to: folder("a")) { writer in
            for piece in ["one ", "", "two"] { try writer.write(Array(piece.utf8)) }
        }
        #expect(try folder.text(of: "a") == "one two")
    }

    @Test
    func aThrowingBodyLeavesTheOldFileAndNoTemporary() throws {
        struct Stop: Error {}
        try folder.write("old", to: "a")
        #expect(throws: Stop.self) {
            try file.write(to: folder("a")) { writer in
                try writer.write([1, 2, 3])
                throw Stop()
            }
        }
        #expect(try folder.text(of: "a") == "old")
        #expect(try folder.names() == ["a"])
    }

    @Test(arguments: [240, 250, 255])
    func longNamesAreWritten(length: Int) throws {
        let name = String(repeating: "n", count: length)
        try file.write([1], to: folder(name))
        #expect(try file.read(at: folder(name)) == [1])
        let letters = String(repeating: "\u{8A9E}", count: 85)
        try file.write([2], to: folder(letters))
        #expect(try file.read(at: folder(letters)) == [2])
    }

    #if os(Linux)
        @Test
        func aPathWithoutRoomForATemporaryNameIsRefusedUnlessAnotherFolderIsGiven() throws {
            // The longest that the system takes, with a name of one letter at its end.
            var deep = folder.path
            while deep.utf8.count < 4_093 {
                let rest = 4_093 - deep.utf8.count - 1
                let length = rest <= 200 ? rest : min(200, rest - 2)
                deep += "/" + String(repeating: "d", count: length)
                try LocalFileSystem().makeDirectory(deep, permissions: .privateDirectory)
            }
            let path = deep + "/f"
            try #require(path.utf8.count == 4_095)
            let made = try LocalFileSystem().open(path, [.write, .create])
            try LocalFileSystem().close(made)
            #expect {
                try file.write([1], to: path)
            } throws: {
                ($0 as? FileCoordinationError)?.code == .invalidName
            }
            #expect(try file.read(at: path).isEmpty)
            #expect(try LocalFileSystem().list(deep).map(\.name) == ["f"])
            var other = file
            other.temporaryFolder = folder.path
            try other.write([1], to: path)
            #expect(try file.read(at: path) == [1])
        }
    #endif

    @Test
    func deletingTellsWhetherThereWasAFile() throws {
        try folder.write("x", to: "a")
        #expect(try file.delete(at: folder("a")))
        #expect(try !file.delete(at: folder("a")))
        #expect(try folder.names().isEmpty)
    }

    @Test
    func deletingALinkLeavesItsTarget() throws {
        try folder.write("x", to: "a")
        try FileManager.default.createSymbolicLink(atPath: folder("l"), withDestinationPath: "a")
        #expect(try file.delete(at: folder("l")))
        #expect(try folder.names() == ["a"])
    }

    @Test
    func syncComesBeforeRenameAndTheFoldersSyncAfterIt() throws {
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files).write([1], to: folder("a"))
        let wanted = ["write", "sync", "close", "rename", "syncDirectory"]
        let order = files.calls.map(\.name).filter(wanted.contains)
        #expect(order.starts(with: wanted))
    }

    @Test
    func withoutDurabilityNothingIsSynced() throws {
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files, durability: .fast).write([1], to: folder("a"))
        #expect(!files.calls.contains { $0.name.hasPrefix("sync") })
        try CoordinatedFile(files: files, durability: .content).write([1], to: folder("a"))
        #expect(files.calls.filter { $0.name.hasPrefix("sync") }.map(\.name) == ["sync"])
    }

    @Test
    func aTemporaryFolderOnTheSameDeviceIsUsed() throws {
        let other = try folder.makeFolder("other")
        let files = FaultyFileSystem()
        try CoordinatedFile(files: files, temporaryFolder: other).write([1, 2], to: folder("a"))
        let made = try #require(files.calls.first { $0.name == "open" })
        #expect(made.path.hasPrefix(other + "/"))
        #expect(try folder.names(in: "other").isEmpty)
        #expect(try file.read(at: folder("a")) == [1, 2])
    }

    @Test
    func aTemporaryFolderThatCannotBeRenamedFromCostsACopy() throws {
        let other = try folder.makeFolder("other")
        let target = try folder.write("old", to: "a")
        let files = CrossDeviceFileSystem(from: other)
        try CoordinatedFile(files: files, temporaryFolder: other).write([7, 8, 9], to: target)
        #expect(try file.read(at: target) == [7, 8, 9])
        #expect(try folder.names(in: "other").isEmpty)
        #expect(try folder.names() == ["a", "other"])
    }

    @Test
    func sixteenWritersOfOnePathLeaveWholePatternsForEveryReader() async throws {
        let path = folder("a")
        let sizes = [50_000, 200_000]
        try file.write([UInt8](repeating: 0, count: sizes[0]), to: path)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for pattern in UInt8(1)...16 {
                group.addTask {
                    let bytes = [UInt8](repeating: pattern, count: sizes[Int(pattern) % 2])
                    for _ in 0..<20 {
                        try CoordinatedFile(durability: .fast).write(bytes, to: path)
                        let seen = try CoordinatedFile().read(at: path)
                        #expect(seen == [UInt8](repeating: seen[0], count: sizes[Int(seen[0]) % 2]))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.names() == ["a"])
    }
}
