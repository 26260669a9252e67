import Dispatch
import TestSupport
import Testing

@testable import FileCoordination

@Suite("PathSerializer", .timeLimit(.minutes(20)))
struct PathSerializerTests {
    let serializer = PathSerializer()

    /// Starts operations that do not end yet, each only when the one before stands in the line.
    private func startInOrder(
        _ count: Int, at path: String, _ operation: @escaping @Sendable (Int) async throws -> Void
    ) async -> [Task<Void, any Error>] {
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<count {
            tasks.append(
                Task { [serializer] in
                    try await serializer.enqueueThrowing(at: path) { try await operation(number) }
                })
            #expect(await eventually { await serializer.standing(in: path) == number + 1 })
        }
        return tasks
    }

    @Test
    func operationsOnOnePathNeverOverlapAcrossSuspension() async {
        let running = Shared(0)
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { [serializer] in
                    await serializer.enqueue(at: "/a") {
                        running.change { $0 += 1 }
                        for _ in 0..<5 {
                            await Task.yield()
                            #expect(running.value == 1)
                        }
                        running.change { $0 -= 1 }
                    }
                }
            }
        }
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func theyRunInTheOrderInWhichTheyCame() async throws {
        let gate = Gate()
        let order = Shared<[Int]>([])
        let tasks = await startInOrder(20, at: "/a") { number in
            await gate.wait()
            await Task.yield()
            order.change { $0.append(number) }
        }
        gate.open()
        for task in tasks { try await task.value }
        #expect(order.value == Array(0..<20))
    }

    @Test
    func differentPathsRunAtOnce() async {
        // Each waits for the other: only running at once ends this.
        let (one, other) = (Gate(), Gate())
        async let first: Void = serializer.enqueue(at: "/a") {
            one.open()
            await other.wait()
        }
        async let second: Void = serializer.enqueue(at: "/b") {
            other.open()
            await one.wait()
        }
        _ = await (first, second)
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func anErrorReachesItsCallerAndTheLineGoesOn() async throws {
        struct Stop: Error {}
        await #expect(throws: Stop.self) { try await serializer.enqueueThrowing(at: "/a") { throw Stop() } }
        #expect(await serializer.enqueue(at: "/a") { 7 } == 7)
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func aCancelledWaiterLeavesAndTheOthersMoveUp() async throws {
        let gate = Gate()
        let order = Shared<[Int]>([])
        let tasks = await startInOrder(5, at: "/a") { number in
            await gate.wait()
            order.change { $0.append(number) }
        }
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        gate.open()
        for number in [0, 1, 3, 4] { try await tasks[number].value }
        #expect(order.value == [0, 1, 3, 4])
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func anOperationOfACancelledTaskDoesNotBegin() async {
        let began = Shared(false)
        let task = Task { [serializer] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await serializer.enqueueThrowing(at: "/a") { began.change { $0 = true } }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(!began.value)
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func aCancelledRunningOperationKeepsItsTurnToTheEnd() async throws {
        let (began, gate) = (Gate(), Gate())
        let overlapped = Shared(false)
        let running = Task { [serializer] in
            try await serializer.enqueueThrowing(at: "/a") {
                began.open()
                await gate.wait()
                return Task.isCancelled
            }
        }
        await began.wait()
        let next = Task { [serializer] in await serializer.enqueue(at: "/a") { overlapped.change { $0 = true } } }
        running.cancel()
        for _ in 0..<100 { await Task.yield() }
        #expect(overlapped.value == false)
        gate.open()
        #expect(try await running.value)
        await next.value
    }

    @Test
    func randomCancellationsLeaveNothingBehind() async {
        let running = Shared(0)
        var random = SeededRandom(seed: 11)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<400 {
            tasks.append(
                Task { [serializer] in
                    try await serializer.enqueueThrowing(at: "/\(number % 3)") {
                        running.change { $0 += 1 }
                        await Task.yield()
                        running.change { $0 -= 1 }
                    }
                })
            if Bool.random(using: &random) { tasks[Int.random(in: 0...number, using: &random)].cancel() }
        }
        for task in tasks { _ = await task.result }
        #expect(running.value == 0)
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func spellingsOfOneFileAreOneLine() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("d")
        try FileSystemLink.make(at: folder("l"), to: "d")
        try FileSystemLink.make(at: folder("round"), to: "round")
        let line = PathSerializer.line(of: folder("d/new"))
        #expect(line == folder("d/new"))
        for spelling in ["d//new", "./d/./new", "l/new", "l/../d/new", "d/absent/../new", "d/new/"] {
            #expect(PathSerializer.line(of: folder(spelling)) == line, "\(spelling)")
        }
        #expect(PathSerializer.line(of: folder("D/new")) != line)
        #expect(PathSerializer.line(of: "/../..//") == "/")
        #expect(PathSerializer.line(of: folder("round/x")) == folder("round/x"))
    }

    @Test
    func spellingsThatTheFileSystemFoldsAreOneLine() throws {
        let folder = try TemporaryFolder()
        try folder.makeFolder("dir")
        try folder.write("x", to: "dir/file")
        for says in [true, false] {
            let files = FoldingFileSystem(says: says)
            func line(_ name: String) -> String { PathSerializer.line(of: folder(name), in: files) }
            #expect(line("dir/FILE") == line("DIR/file"), "\(says)")
            #expect(line("dir/File") == line("dir/file"), "\(says)")
            // Not there yet: by what the file system says, or what the folder's own name showed.
            #expect(line("dir/New/Deep") == line("DIR/new/deep"), "\(says)")
        }
    }

    @Test
    func formsOfOneLetterAreTwoFilesWhereTheFileSystemTellsThemApart() async throws {
        let folder = try TemporaryFolder()
        let (composed, decomposed) = (folder("\u{E9}"), folder("e\u{301}"))
        // Swift's strings are equal, the lines are not: each waits for the other.
        let (one, other) = (Gate(), Gate())
        async let first: Void = serializer.enqueue(at: composed) {
            one.open()
            await other.wait()
        }
        async let second: Void = serializer.enqueue(at: decomposed) {
            other.open()
            await one.wait()
        }
        _ = await (first, second)
        #expect(NameFolding.composition.spelling(of: decomposed).utf8.elementsEqual(composed.utf8))
    }

    @Test
    func manyPathsLeaveNothingBehind() async {
        let serializer = PathSerializer(files: EmptyFileSystem())
        for number in 0..<2000 { await serializer.enqueue(at: "/\(number)") {} }
        #expect(await serializer.busyPaths == 0)
        let lines = SerialLines()
        for number in 0..<200_000 {
            let place = lines.join(LineKey("/\(number)"))
            lines.end(place)
        }
        // All at once: not even the room for them stays.
        for place in (0..<20_000).map({ lines.join(LineKey("/\($0)")) }) { lines.end(place) }
        #expect(lines.count == 0)
        #expect(lines.capacity <= 1024)
    }

    @Test
    func aDiskThatDoesNotAnswerHoldsNoThreadOfThePool() async {
        let files = SilentFileSystem()
        let serializer = PathSerializer(files: files)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 { group.addTask { await serializer.enqueue(at: "/\(number)") {} } }
            await files.asked.wait()
            // With the pool's threads all blocked this would not run.
            for _ in 0..<100 { await Task.detached { await Task.yield() }.value }
            files.answer()
        }
        #expect(await serializer.busyPaths == 0)
    }
}

/// Has no file at all, and says so at once.
private struct EmptyFileSystem: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes { throw .noSuchFile }
}

/// Blocks whoever asks until it is told to answer.
private struct SilentFileSystem: ForwardingFileSystem {
    let base: any FileSystem = LocalFileSystem()
    let asked = Gate()
    private let mayAnswer = DispatchSemaphore(value: 0)

    func answer() { mayAnswer.signal() }

    func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        asked.open()
        mayAnswer.wait()
        mayAnswer.signal()
        throw .noSuchFile
    }
}
