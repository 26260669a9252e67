import Foundation

/// Runs a blocking `body` on a thread of its own, so that it does not occupy one of Swift's cooperative pool.
public func onOwnThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}

/// Runs `body` on a thread of its own and waits for it: call it from a thread that may block.
public func waitForOwnThread(_ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = ThreadOutcome()
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        outcome.result = Result { try body() }
        done.signal()
    }
    done.wait()
    try outcome.result?.get()
}

/// Unchecked because the semaphore orders the one write before the one read.
private final class ThreadOutcome: @unchecked Sendable {
    var result: Result<Void, any Error>?
}
