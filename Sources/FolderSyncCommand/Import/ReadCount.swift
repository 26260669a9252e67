import Synchronization

/// Counts the bytes that a save reads, for the progress bar.
final class ReadCount: Sendable {
    private let read = Mutex(0)
    private let total: Int
    private let bar: ProgressBar

    init(_ plan: ImportPlan, _ bar: ProgressBar) {
        // Everything is read twice: for its hash, and to be stored.
        total = plan.writes.reduce(0) { $0 + 2 * Int(clamping: $1.file.size) }
        self.bar = bar
    }

    func add(_ count: Int) {
        let done = read.withLock { read in
            read += count
            return read
        }
        bar.show(done, of: total)
    }
}
