import Foundation

/// Runs `body`, which may block on a disk or a lock, on a thread of its own and waits for it without holding one of Swift's
/// pool.
func onBlockingThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Swift.Result { try body() })
        }
    }
}
