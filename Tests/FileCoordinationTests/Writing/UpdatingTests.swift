import Dispatch
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
    func aTaskWaitsAtMostForItsTimeAndThenSaysLocked() async throws {
        let (file, path) = (file, folder("a"))
        try await file.update(at: path, timeout: .seconds(10)) { _ in .write([1]) }
        let (began, gate) = (Gate(), DispatchSemaphore(value: 0))
        async let holder: Void = onOwnThread {
            try file.update(at: path) { _ in
                began.open()
                gate.wait()
                return .keep
            }
        }
        await began.wait()
        await #expect {
            try await file.update(at: path, timeout: .milliseconds(20)) { _ in .write([2]) }
        } throws: {
            ($0 as? FileCoordinationError)?.code == .locked
        }
        // Longer than a turn among many tests may take.
        let cancelled = Task { try await file.update(at: path, timeout: .seconds(3_600)) { _ in .write([3]) } }
        let waiting = Task { try await file.update(at: path, timeout: .seconds(3_600)) { _ in .write([4]) } }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        gate.signal()
        try await waiting.value
        try await holder
        #expect(try file.read(at: path) == [4])
    }

    @Test
    func whatTheBodyThrowsIsNotTakenForALock() async throws {
        let path = folder("a")
        let calls = Shared(0)
        await #expect {
            try await file.update(at: path, timeout: .seconds(60)) { _ in
                calls.change { $0 += 1 }
                throw FileCoordinationError.locking("/x", .wouldBlock)
            }
        } throws: {
            ($0 as? FileCoordinationError)?.path == "/x"
        }
        #expect(calls.value == 1)
    }

    @Test(arguments: [true, false])
    func twoSpellingsThatTheFolderTakesForOneShareALock(says: Bool) throws {
        try folder.write("x", to: "a")
        let folding = CoordinatedFile(
            files: FoldingFileSystem(says: says), durability: .fast, lockFolder: locks.path)
        try folding.update(at: folder("a")) { _ in
            #expect { try folding.update(at: folder("A"), waiting: false) { _ in .keep } } throws: {
                ($0 as? FileCoordinationError)?.code == .locked
            }
            return .keep
        }
    }

    @Test
    func theUsersLockFolderIsPrivate() throws {
        let found = try LocalFileSystem().attributes(at: LockFolder.ofUser(), followLinks: false)
        #expect(found.kind == .directory)
        #expect(found.permissions == .privateDirectory)
    }
}
