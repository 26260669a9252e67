import FileCoordination
import TestSupport
import Testing

@Suite("CoordinatedFile.update")
struct UpdatingTests {
    let folder: TemporaryFolder
    let locks: TemporaryFolder
    let file: CoordinatedFile

    init() throws {
        folder = try TemporaryFolder()
        locks = try TemporaryFolder()
        file = CoordinatedFile(durability: .fast, lockFolder: locks.path)
    }

    @Test
    func noUpdateOfManyAtOnceIsLost() async throws {
        let (file, path) = (file, folder("n"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<50 {
                        try file.update(at: path) { old in
                            let number = old.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                            return .write(Array("\(number + 1)".utf8))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.text(of: "n") == "200")
        #expect(try folder.names() == ["n"])
        #expect(try locks.names().isEmpty)
    }

    @Test
    func twoSpellingsOfOneFileShareALock() throws {
        try folder.makeFolder("d")
        try folder.write("x", to: "d/f")
        try FileSystemLink.make(at: folder("l"), to: "d/f")
        try file.update(at: folder("d/f")) { _ in
            for spelling in ["d/../d/f", "l", "d//f"] {
                #expect { try file.update(at: folder(spelling), waiting: false) { _ in .keep } } throws: {
                    ($0 as? FileCoordinationError)?.code == .locked
                }
            }
            try file.update(at: folder("d/g"), waiting: false) { _ in .keep }
            return .keep
        }
        try file.update(at: folder("l"), waiting: false) { _ in .keep }
    }

    @Test
    func theDecisionIsCarriedOut() throws {
        let path = folder("a")
        try file.update(at: path) { old in
            #expect(old == nil)
            return .keep
        }
        #expect(try folder.names().isEmpty)
        try file.update(at: path) { _ in .write([1]) }
        #expect(try file.read(at: path) == [1])
        try file.update(at: path) { _ in .delete }
        #expect(try folder.names().isEmpty)
    }

    @Test
    func aThrowingBodyChangesNothingAndGivesTheLockBack() throws {
        struct Stop: Error {}
        try folder.write("old", to: "a")
        #expect(throws: Stop.self) { try file.update(at: folder("a")) { _ in throw Stop() } }
        #expect(try folder.text(of: "a") == "old")
        try file.update(at: folder("a"), waiting: false) { _ in .keep }
    }

    @Test
    func theUsersLockFolderIsPrivate() throws {
        let found = try LocalFileSystem().attributes(at: LockFolder.ofUser(), followLinks: false)
        #expect(found.kind == .directory)
        #expect(found.permissions == .privateDirectory)
    }
}
