import Foundation
import Synchronization

/// A thread for a task that blocks, so that it does not hold one of Swift's cooperative pool: nonisolated work of a task that
/// prefers this executor runs there, one job after another.
///
/// One wake-up lies between whoever resumes the task and its next line, which no queue that finds a thread first can do. With
/// a condition given, not even that: on a thread of somebody else, which runs no task, the job runs at once.
final class ThreadExecutor: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var isEnding = false
    }

    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    /// Whether the next job is sure to keep nobody waiting; a job that finds it would can go on here with `Task.yield()`.
    private let isQuick: (@Sendable () -> Bool)?

    private init(atOnceIf isQuick: (@Sendable () -> Bool)?) { self.isQuick = isQuick }

    /// Runs `body` on a thread that is there until it returns.
    static func run<Result: Sendable>(
        named name: String, atOnceIf isQuick: (@Sendable () -> Bool)? = nil,
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let executor = ThreadExecutor(atOnceIf: isQuick)
        let isStarted = DispatchSemaphore(value: 0)
        let thread = Thread {
            // The name reaches the system only from inside, and only once `start` knows the thread.
            isStarted.wait()
            Thread.current.name = name
            executor.work()
        }
        thread.start()
        isStarted.signal()
        defer { executor.end() }
        return try await withTaskExecutorPreference(executor) { try await body() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if let isQuick, withUnsafeCurrentTask(body: { $0 == nil }), isQuick() {
            return job.runSynchronously(on: asUnownedTaskExecutor())
        }
        state.withLock { $0.jobs.append(job) }
        wake.signal()
    }

    private func end() {
        state.withLock { $0.isEnding = true }
        wake.signal()
    }

    private func work() {
        while true {
            wake.wait()
            let (jobs, isEnding) = state.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.isEnding)
            }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            if isEnding { return }
        }
    }
}
