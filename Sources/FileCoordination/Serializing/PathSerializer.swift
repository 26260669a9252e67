/// Runs operations on one path one after the other, in the order in which they came, and those on different paths at once.
///
/// An operation keeps its turn while it is suspended, which an actor alone would not give it. One that throws passes its
/// error on to its caller, and the next one runs. A path is compared by what it leads to: `a//b`, `./a/b`, a link to it, and
/// where the file system folds names `A/B`, share a line; see ``PathSerializer/line(of:in:)``. A line that is done leaves
/// nothing in memory.
///
/// An operation must not wait for another one on its own path:
///
/// - If it calls ``enqueueThrowing(at:_:)`` for it, that throws ``FileCoordinationError`` `.reentrant`.
/// - If it calls ``enqueue(at:_:)`` for it, which cannot throw, the program is stopped.
/// - Tasks that it starts inherit its turn, child tasks and `Task { }` alike, since it may wait for them: while it runs,
///   `enqueueThrowing` in them throws, and `enqueue` waits for the operation's end. Work that is to come afterwards belongs
///   into `Task.detached` or behind the operation.
///
/// Two operations that each wait for the other's path wait for ever.
///
/// Paths are looked at on a queue of the serializer's own, never on Swift's cooperative pool; while a disk does not answer,
/// nobody new gets into a line, but the lines go on.
public actor PathSerializer {
    private let files: any FileSystem
    private nonisolated let lines = SerialLines()
    private nonisolated let executor = BlockingExecutor(label: "PathSerializer")

    /// Looks at paths on a queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A serializer with nothing in it. Only serializers that are shared exclude each other.
    public init(files: any FileSystem = .local) { self.files = files }

    /// How many paths have an operation that runs or waits.
    public var busyPaths: Int { lines.count }

    /// How many run or wait in a line, for tests.
    func standing(in line: String) -> Int { lines.standing(in: LineKey(line)) }

    /// Runs the operation when all that came before it on this path are done.
    ///
    /// A cancelled caller still gets its turn, and the operation runs; it can look at `Task.isCancelled`.
    public nonisolated func enqueue<R: Sendable>(
        at path: String, _ operation: @Sendable () async -> R
    ) async -> R {
        let place = await stand(at: path)
        precondition(
            !HeldTurn.isHeldByThisTask(place.line, of: lines),
            "an operation of a PathSerializer on '\(path)' waits for another one on the same path, which cannot begin before "
                + "it ends")
        await place.turn()
        let held = HeldTurn(place.line, lines)
        let result = await HeldTurn.$innermost.withValue(held, operation: operation)
        held.end()
        lines.end(place)
        return result
    }

    /// Runs the operation when all that came before it on this path are done, and throws what it throws.
    ///
    /// A caller that is cancelled before its operation begins leaves the line at once with `CancellationError`; the
    /// operation does not run, and those behind it move up. An operation that already runs is not interrupted.
    ///
    /// - Throws: ``FileCoordinationError`` `.reentrant` inside an operation on the same path.
    public nonisolated func enqueueThrowing<R: Sendable>(
        at path: String, _ operation: @Sendable () async throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        return try await run(await stand(at: path), of: path, operation)
    }

    /// As ``enqueueThrowing(at:_:)`` for a line that the caller names and that leads to no file: nothing is looked at, and nothing
    /// hops to another executor before the operation has to wait.
    package func enqueueThrowing<R: Sendable>(
        inLine line: String, isolation: isolated (any Actor)? = #isolation, _ operation: () async throws -> R
    ) async throws -> R {
        try Task.checkCancellation()
        return try await run(lines.join(LineKey(line)), of: line, operation)
    }

    private func run<R: Sendable>(
        _ place: LinePlace, of path: String, isolation: isolated (any Actor)? = #isolation,
        _ operation: () async throws -> R
    ) async throws -> R {
        if HeldTurn.isInherited(place.line, of: lines) {
            lines.leave(place)
            throw FileCoordinationError.reentrant(path, .wait, "an operation")
        }
        try await place.turnUnlessCancelled(in: lines)
        do { try Task.checkCancellation() } catch {
            lines.end(place)
            throw error
        }
        let held = HeldTurn(place.line, lines)
        defer {
            held.end()
            lines.end(place)
        }
        return try await HeldTurn.$innermost.withValue(held, operation: operation)
    }

    /// The end of the path's line. Being one call to this actor, it keeps the order in which the callers came.
    private func stand(at path: String) -> LinePlace { lines.join(LineKey(Self.line(of: path, in: files))) }
}
