import Synchronization

/// A count that only grows, and tasks that wait for it to grow.
package final class Milestones: Sendable {
    private struct State {
        var count = 0
        var nextWaiter: UInt64 = 0
        var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }
    private let state = Mutex(State())

    package init() {}

    package var count: Int { state.withLock { $0.count } }

    /// How many tasks wait, for tests.
    var waiters: Int { state.withLock { $0.waiting.count } }

    package func advance() {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.count += 1
            return state.waiting.values
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Returns when the count is larger than `count`, or the task is cancelled.
    package func wait(beyond count: Int) async {
        let waiter = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    // The handler may have run before there was anything to wake.
                    if state.count > count || Task.isCancelled { return true }
                    state.waiting[waiter] = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: waiter) }?.resume()
        }
    }
}
