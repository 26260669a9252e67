import Synchronization

/// Where a consumer stops while it is closed.
final class ConsumerGate: Sendable {
    private struct State {
        var isClosed = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }
    private let state = Mutex(State())

    func close() { state.withLock { $0.isClosed = true } }

    func open() {
        let waiting = state.withLock { state in
            state.isClosed = false
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func pass() async {
        await withCheckedContinuation { continuation in
            let waits = state.withLock { state in
                if state.isClosed { state.waiting.append(continuation) }
                return state.isClosed
            }
            if !waits { continuation.resume() }
        }
    }
}
