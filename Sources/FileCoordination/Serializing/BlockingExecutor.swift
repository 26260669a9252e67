import Dispatch

/// A serial queue that actors run on whose work blocks on disks, so that it never holds a thread of Swift's cooperative pool.
public final class BlockingExecutor: SerialExecutor {
    private let queue: DispatchQueue

    /// An executor on a queue of its own.
    public init(label: String) {
        queue = DispatchQueue(label: label)
    }

    /// Runs the job on the queue.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    /// This executor.
    public func asUnownedSerialExecutor() -> UnownedSerialExecutor {
        UnownedSerialExecutor(ordinary: self)
    }

    /// Traps when not on the queue.
    public func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
