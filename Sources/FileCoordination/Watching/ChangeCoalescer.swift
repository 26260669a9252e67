/// What a kernel event suggests about a path. A hint only: what is told comes from looking.
enum ChangeHint: Hashable, Sendable {
    /// A file that was open for writing was closed: it is whole.
    case closed
    case created
    case modified
    case gone
    /// Renamed, attributes changed, or found by listing.
    case settled
}

/// Decides when a changed path is told: a pure state machine, to which the time is given.
///
/// A file that is closed after a quiet time is told at once. Everything else slides with each further hint, up to the
/// maximum; after a delivery a path is quiet for a while.
struct ChangeCoalescer {
    typealias Instant = ContinuousClock.Instant
    private struct Pending {
        var first: Instant
        var due: Instant
        var vanished: Bool
    }

    let timing: ChangeTiming
    private var pending: [String: Pending] = [:]
    private var delivered: [String: Instant] = [:]
    private var nextCleaning: Instant?
    /// No pending path is due before this; it may be too early.
    private(set) var nextDue: Instant?

    init(timing: ChangeTiming) { self.timing = timing }

    var isEmpty: Bool { pending.isEmpty }

    func isPending(_ path: String) -> Bool { pending[path] != nil }

    mutating func observe(_ path: String, _ hint: ChangeHint, at now: Instant) {
        var item = pending[path] ?? Pending(first: now, due: now, vanished: false)
        let delay: Duration
        switch hint {
        // A file that was gone a moment ago is being replaced: more will follow.
        case .closed: delay = item.vanished ? timing.renamed : .zero
        case .created: delay = timing.created
        case .modified: delay = timing.modified
        case .gone:
            delay = timing.gone
            item.vanished = true
        case .settled: delay = timing.renamed
        }
        item.due = min(now + delay, item.first + timing.maximum)
        if let last = delivered[path] { item.due = max(item.due, last + timing.settle) }
        pending[path] = item
        nextDue = nextDue.map { min($0, item.due) } ?? item.due
    }

    /// The paths whose time has come. They are forgotten but for their quiet time.
    mutating func takeDue(at now: Instant) -> [String] {
        clean(at: now)
        guard let nextDue, nextDue <= now else { return [] }
        var due: [String] = []
        var next: Instant?
        for (path, item) in pending {
            if item.due <= now { due.append(path) } else { next = next.map { min($0, item.due) } ?? item.due }
        }
        for path in due {
            pending[path] = nil
            delivered[path] = now
        }
        self.nextDue = next
        return due
    }

    private mutating func clean(at now: Instant) {
        guard !delivered.isEmpty, nextCleaning.map({ $0 <= now }) ?? true else { return }
        delivered = delivered.filter { now - $0.value < timing.settle }
        nextCleaning = now + timing.settle
    }
}
