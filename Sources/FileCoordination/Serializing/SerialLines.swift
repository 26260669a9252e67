import Synchronization

/// The bytes of a path in the one spelling by which it is compared.
///
/// Bytes, because strings that differ in the form of their letters only are equal, and files of these names are not.
struct LineKey: Hashable, Sendable {
    private let bytes: [UInt8]
    init(_ line: String) { bytes = Array(line.utf8) }
}

/// One operation's place in a line: it waits until it is called.
final class LinePlace: Sendable {
    private enum State {
        case waiting(CheckedContinuation<Void, any Error>?)
        case called
        case left
    }

    let line: LineKey
    let number: UInt64
    private let state: Mutex<State>

    init(_ line: LineKey, number: UInt64, isFirst: Bool) {
        self.line = line
        self.number = number
        state = Mutex(isFirst ? .called : .waiting(nil))
    }

    /// Returns when it is called. Nobody takes it out of the line.
    func turn() async {
        do { try await wait() } catch {}
    }

    /// Returns when it is called, or leaves the line when the task is cancelled.
    func turnUnlessCancelled(
        in lines: SerialLines, isolation: isolated (any Actor)? = #isolation
    ) async throws {
        try await withTaskCancellationHandler {
            try await wait()
        } onCancel: {
            lines.leave(self)
        }
    }

    private func wait(isolation: isolated (any Actor)? = #isolation) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            let outcome: Result<Void, any Error>? = state.withLock { state in
                switch state {
                case .waiting:
                    state = .waiting(continuation)
                    return nil
                case .called: return .success(())
                case .left: return .failure(CancellationError())
                }
            }
            if let outcome { continuation.resume(with: outcome) }
        }
    }

    func call() { settle(.called, .success(())) }
    func dismiss() { settle(.left, .failure(CancellationError())) }

    private func settle(_ end: State, _ outcome: Result<Void, any Error>) {
        let waiting: CheckedContinuation<Void, any Error>? = state.withLock { state in
            guard case .waiting(let continuation) = state else { return nil }
            state = end
            return continuation
        }
        waiting?.resume(with: outcome)
    }
}

/// All lines that somebody stands in.
final class SerialLines: Sendable {
    private struct State {
        var lines: [LineKey: Line] = [:]
        var lastNumber: UInt64 = 0
    }
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.lines.count } }

    /// For how many there is room, for tests.
    var capacity: Int { state.withLock { $0.lines.capacity } }

    /// How many run or wait in the line.
    func standing(in line: LineKey) -> Int { state.withLock { $0.lines[line].map { $0.count + 1 } ?? 0 } }

    /// A place at the end of the line; the first one is called already.
    func join(_ key: LineKey) -> LinePlace {
        state.withLock { state in
            state.lastNumber += 1
            guard state.lines[key] != nil else {
                state.lines[key] = Line()
                return LinePlace(key, number: state.lastNumber, isFirst: true)
            }
            let place = LinePlace(key, number: state.lastNumber, isFirst: false)
            state.lines[key]?.add(place)
            return place
        }
    }

    /// Takes the place out of its line unless it was called.
    func leave(_ place: LinePlace) { state.withLock { $0.lines[place.line]?.remove(place.number) }?.dismiss() }

    /// Calls the next one.
    func end(_ place: LinePlace) {
        let next: LinePlace? = state.withLock { state in
            if let next = state.lines[place.line]?.next() { return next }
            state.lines[place.line] = nil
            // A dictionary keeps the room it once needed.
            if state.lines.isEmpty, state.lines.capacity > 1024 { state.lines = [:] }
            return nil
        }
        next?.call()
    }
}

/// Those who wait behind the operation that runs, first come first.
private struct Line {
    private var waiting: [(number: UInt64, place: LinePlace?)] = []
    private var first = 0

    var count: Int { waiting[first...].count { $0.place != nil } }

    mutating func add(_ place: LinePlace) { waiting.append((place.number, place)) }

    mutating func next() -> LinePlace? {
        while first < waiting.count {
            let place = waiting[first].place
            first += 1
            if first > 64, first * 2 > waiting.count {
                waiting.removeFirst(first)
                first = 0
            }
            if let place { return place }
        }
        return nil
    }

    /// Numbers ascend along the line, so the place is found by halving.
    mutating func remove(_ number: UInt64) -> LinePlace? {
        var range = first..<waiting.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if waiting[middle].number == number {
                defer { waiting[middle].place = nil }
                return waiting[middle].place
            }
            range = waiting[middle].number < number ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}
