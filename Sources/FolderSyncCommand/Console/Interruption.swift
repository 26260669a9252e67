import Foundation

/// Runs `body` so that the first SIGINT or SIGTERM cancels it, for it to end at a good place; a second one ends the process.
/// With a time to abandon it after, the process then ends with exit code 0 even if `body` hangs: a write to a pipe that nobody
/// empties cannot be cancelled.
@MainActor
func cancellingOnSignal<Result: Sendable>(
    abandoningAfter patience: DispatchTimeInterval? = nil,
    _ body: @escaping @MainActor @Sendable () async throws -> Result
) async throws -> Result {
    let task = Task { try await body() }
    let sources = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler {
            if task.isCancelled { _exit(128 + number) }
            task.cancel()
            if let patience { DispatchQueue.global().asyncAfter(deadline: .now() + patience) { _exit(0) } }
        }
        source.resume()
        return source
    }
    defer {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    return try await task.value
}
