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
/// maximum. A path that goes on changing after a delivery is told again when it has been quiet for a while. O(log n) for each hint and each path that is told.
struct ChangeCoalescer {
    typealias Instant = ContinuousClock.Instant
    private struct Pending {
        var first: Instant
        var due: Instant
        /// The earliest time at which the agenda has it; never later than `due`.
        var listed: Instant
        var vanished = false
        var isBurst = false
    }

    let timing: ChangeTiming
    private var pending: [PathKey: Pending] = [:]
    private var agenda = Agenda()
    private var delivered: [PathKey: Instant] = [:]
    private var nextCleaning: Instant?

    init(timing: ChangeTiming) { self.timing = timing }

    var isEmpty: Bool { pending.isEmpty }
    /// No pending path is due before this; it may be too early.
    var nextDue: Instant? { agenda.first }
    /// Everything that waits.
    var paths: some Collection<String> { pending.keys.lazy.map(\.text) }

    mutating func observe(_ path: String, _ hint: ChangeHint, at now: Instant) {
        let key = PathKey(path)
        let known = pending[key]
        var item = known ?? Pending(first: now, due: now, listed: now)
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
        if let last = delivered[key], now - last < timing.settle { item.isBurst = true }
        // Told a moment ago and changing again: gathered until it is quiet.
        if item.isBurst { item.due = min(max(item.due, now + timing.settle), item.first + timing.maximum) }
        // A later time is found when the earlier one comes; so a path that is written to on and on costs no more places.
        if known == nil || item.due < item.listed {
            item.listed = item.due
            agenda.add(path, at: item.due)
        }
        pending[key] = item
    }

    /// Whether a path is to be told now, without being observed: the usual single write. It is quiet for a while then.
    mutating func tellsAtOnce(_ path: String, _ hint: ChangeHint, at now: Instant) -> Bool {
        guard hint == .closed else { return false }
        clean(at: now)
        let key = PathKey(path)
        guard pending[key] == nil, delivered[key].map({ now - $0 >= timing.settle }) ?? true else { return false }
        delivered[key] = now
        return true
    }

    /// The paths whose time has come, at most `limit`. They are forgotten but for their quiet time.
    mutating func takeDue(at now: Instant, limit: Int = .max) -> [String] {
        clean(at: now)
        var due: [String] = []
        while due.count < limit, let first = agenda.first, first <= now {
            let (path, time) = agenda.takeFirst()
            // An earlier place that was overtaken by a delivery, or by a still earlier one.
            let key = PathKey(path)
            guard var item = pending[key], item.listed == time else { continue }
            if item.due <= now {
                pending[key] = nil
                delivered[key] = now
                due.append(path)
            } else {
                item.listed = item.due
                agenda.add(path, at: item.due)
                pending[key] = item
            }
        }
        return due
    }

    private mutating func clean(at now: Instant) {
        guard !delivered.isEmpty, nextCleaning.map({ $0 <= now }) ?? true else { return }
        delivered = delivered.filter { now - $0.value < timing.settle }
        nextCleaning = now + timing.settle
    }
}

/// Paths by time: a binary heap.
private struct Agenda {
    private typealias Place = (time: ContinuousClock.Instant, path: String)
    private var places: [Place] = []

    var first: ContinuousClock.Instant? { places.first?.time }

    mutating func add(_ path: String, at time: ContinuousClock.Instant) {
        places.append((time, path))
        var child = places.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard places[child].time < places[parent].time else { return }
            places.swapAt(child, parent)
            child = parent
        }
    }

    /// There must be one.
    mutating func takeFirst() -> (String, ContinuousClock.Instant) {
        places.swapAt(0, places.count - 1)
        let place = places.removeLast()
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2]
            where child < places.count && places[child].time < places[least].time { least = child }
            guard least != parent else { return (place.path, place.time) }
            places.swapAt(parent, least)
            parent = least
        }
    }
}
