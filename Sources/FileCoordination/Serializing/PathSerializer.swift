/// Runs operations on one path one after the other, in the order in which they came, and those on different paths at once.
///
/// An operation keeps its turn while it is suspended, which an actor alone would not give it. One that throws passes its
/// error on to its caller, and the next one runs. A path is compared by what it leads to: `a//b`, `./a/b` and a link to it
/// share a line; see ``PathSerializer/line(of:in:)``. A line that is done leaves nothing in memory.
///
/// An operation that waits for another one on the same path waits for ever: give up the turn first.
public actor PathSerializer {
    private let files: any FileSystem
    private var lines: [String: Line] = [:]
    private var lastWaiter: UInt64 = 0

    /// A serializer with nothing in it. Only serializers that are shared exclude each other.
    public init(files: any FileSystem = .local) { self.files = files }

    /// How many paths have an operation that runs or waits.
    public var busyPaths: Int { lines.count }

    /// How many run or wait in a line, for tests.
    func standing(in line: String) -> Int { lines[line].map { $0.count + 1 } ?? 0 }

    /// Runs the operation when all that came before it on this path are done.
    ///
    /// A cancelled caller still gets its turn, and the operation runs; it can look at `Task.isCancelled`.
    public nonisolated func enqueue<R: Sendable>(
        at path: String, _ operation: @Sendable () async -> R
    ) async -> R {
        let line = Self.line(of: path, in: files)
        await waitForTurn(in: line)
        let result = await operation()
        await endTurn(in: line)
        return result
    }

    /// Runs the operation when all that came before it on this path are done, and throws what it throws.
    ///
    /// A caller that is cancelled while it waits leaves the line at once with `CancellationError`; its operation does not
    /// run, and those behind it move up. An operation that already runs is not interrupted.
    public nonisolated func enqueueThrowing<R: Sendable>(
        at path: String, _ operation: @Sendable () async throws -> R
    ) async throws -> R {
        let line = Self.line(of: path, in: files)
        try await waitForTurnUnlessCancelled(in: line)
        do {
            let result = try await operation()
            await endTurn(in: line)
            return result
        } catch {
            await endTurn(in: line)
            throw error
        }
    }

    private func waitForTurn(in line: String) async {
        guard lines[line] != nil else {
            lines[line] = Line()
            return
        }
        // Nothing removes this one from the line, so its turn comes.
        do {
            try await withCheckedThrowingContinuation { lines[line]?.add(nextWaiter(), $0) }
        } catch {}
    }

    private func waitForTurnUnlessCancelled(in line: String) async throws {
        try Task.checkCancellation()
        guard lines[line] != nil else {
            lines[line] = Line()
            return
        }
        let waiter = nextWaiter()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: Line.Turn) in
                // The handler may have run before there was anything to remove.
                if Task.isCancelled {
                    continuation.resume(throwing: CancellationError())
                } else {
                    lines[line]?.add(waiter, continuation)
                }
            }
        } onCancel: {
            Task { await self.leave(line, waiter) }
        }
    }

    private func nextWaiter() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Does nothing if the turn has come meanwhile.
    private func leave(_ line: String, _ waiter: UInt64) {
        lines[line]?.remove(waiter)?.resume(throwing: CancellationError())
    }

    private func endTurn(in line: String) {
        if let next = lines[line]?.next() { next.resume() } else { lines[line] = nil }
    }
}

/// Those who wait behind the operation that runs, first come first.
private struct Line {
    typealias Turn = CheckedContinuation<Void, any Error>
    private var waiting: [(id: UInt64, turn: Turn?)] = []
    private var first = 0

    var count: Int { waiting[first...].count { $0.turn != nil } }

    mutating func add(_ id: UInt64, _ turn: Turn) { waiting.append((id, turn)) }

    mutating func next() -> Turn? {
        while first < waiting.count {
            let turn = waiting[first].turn
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            if let turn { return turn }
        }
        return nil
    }

    /// Ids ascend along the line, so the place is found by halving.
    mutating func remove(_ id: UInt64) -> Turn? {
        var range = first..<waiting.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if waiting[middle].id == id {
                defer { waiting[middle].turn = nil }
                return waiting[middle].turn
            }
            range = waiting[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
