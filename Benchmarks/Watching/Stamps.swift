import Synchronization

/// The moment of what was awaited, in nanoseconds; 0 if it has not come.
final class Stamps: Sendable {
    private let first = Atomic<Int64>(0)

    var value: Int64 { first.load(ordering: .acquiring) }
    func reset() { first.store(0, ordering: .releasing) }
    func set(_ now: Int64) { _ = first.compareExchange(expected: 0, desired: now, ordering: .acquiringAndReleasing) }
}

/// The paths that were told so far.
final class ToldPaths: Sendable {
    private let paths = Mutex<Set<String>>([])

    var count: Int { paths.withLock { $0.count } }
    func add(_ more: some Sequence<String>) { paths.withLock { $0.formUnion(more) } }
}
