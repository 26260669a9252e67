import TestSupport
import Testing

@testable import FileCoordination

@Suite("PathSerializer", .timeLimit(.minutes(1)))
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
}
