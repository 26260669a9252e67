import FileCoordination
import TestSupport
import Testing

@Suite("PathSerializer inside itself", .timeLimit(.minutes(20)))
struct ReentrancyTests {
    let serializer = PathSerializer()

    private func isReentrant(_ error: any Error) -> Bool {
        let error = error as? FileCoordinationError
        return error?.code == .reentrant && error?.path == "/a/./b"
    }

    @Test
    func anOperationThatWaitsForItselfIsRefusedAndTheLineGoesOn() async throws {
        _ = try await serializer.enqueueThrowing(at: "/a/b") {
            await #expect {
                try await serializer.enqueueThrowing(at: "/a/./b") {}
            } throws: { isReentrant($0) }
            // Also from deeper inside.
            _ = try await serializer.enqueueThrowing(at: "/c") {
                await #expect { try await serializer.enqueueThrowing(at: "/a/./b") {} } throws: { isReentrant($0) }
            }
        }
        #expect(await serializer.enqueue(at: "/a/b") { 7 } == 7)
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func childTasksMayNotWaitForTheirParentsTurn() async throws {
        try await serializer.enqueueThrowing(at: "/a/b") {
            async let child: Void = serializer.enqueueThrowing(at: "/a/./b") {}
            do {
                try await child
                Issue.record("the child got a turn while its parent had it")
            } catch { #expect(isReentrant(error)) }
        }
        #expect(await serializer.busyPaths == 0)
    }

    @Test
    func tasksThatOutliveTheOperationAndDetachedOnesAreFree() async throws {
        let ended = Gate()
        let (late, detached) = try await serializer.enqueueThrowing(at: "/a/b") {
            let late = Task {
                await ended.wait()
                return try await serializer.enqueueThrowing(at: "/a/b") { 1 }
            }
            let detached = Task.detached { [serializer] in try await serializer.enqueueThrowing(at: "/a/b") { 2 } }
            // One that cannot throw waits for the operation's end, if it is not the operation itself.
            let waiting = Task { await serializer.enqueue(at: "/a/b") {} }
            _ = waiting
            return (late, detached)
        }
        ended.open()
        #expect(try await late.value == 1)
        #expect(try await detached.value == 2)
        #expect(await eventually { await serializer.busyPaths == 0 })
    }

    @Test
    func anotherSerializerIsAnotherMatter() async throws {
        let other = PathSerializer()
        let inner = try await serializer.enqueueThrowing(at: "/a/b") {
            try await other.enqueueThrowing(at: "/a/b") { 7 }
        }
        #expect(inner == 7)
    }

    @Test
    func oneThatCannotThrowStopsTheProgramInsteadOfHanging() async {
        await #expect(processExitsWith: .failure) {
            let serializer = PathSerializer()
            await serializer.enqueue(at: "/a/b") { await serializer.enqueue(at: "/a/b") {} }
        }
    }
}
