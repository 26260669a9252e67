import Foundation
import Synchronization

/// A call that blocks, on a thread of its own, so that it holds none of Swift's cooperative pool.
final class BlockingCall<Value: Sendable>: Sendable {
    private struct State {
        var isOver = false
        var waiting: CheckedContinuation<Value, any Error>?
    }
    private let state = Mutex(State())

    /// Runs `body` and returns what it returns. If the task is cancelled, throws `CancellationError` at once: a call that a
    /// dead mount holds fast goes on alone, and its thread ends when the system lets it go.
    static func run(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let call = BlockingCall()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard call.begin(continuation) else { return continuation.resume(throwing: CancellationError()) }
                Thread.detachNewThread { call.end(Result { try body() }) }
            }
        } onCancel: {
            call.end(.failure(CancellationError()))
        }
    }

    /// False if it was cancelled before.
    private func begin(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        state.withLock { state in
            if !state.isOver { state.waiting = continuation }
            return !state.isOver
        }
    }

    /// The first end counts.
    private func end(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isOver = true
            return state.waiting
        }
        waiting?.resume(with: result)
    }
}
