/// What two sets of versions have of each other: one walk towards the root, greatest generation first.
///
/// A child's generation is greater than its parents', so when a version is taken from the queue all its descendants in the
/// walk were taken before and its marks are final. The walk ends when only ancestors of common versions are left, so it
/// visits the versions that differ and little more. Same idea as git's merge-base (commit-reach.c), with generations in
/// place of dates.
struct AncestryWalk {
    /// Ancestors of the first set, itself included, that the second set does not have.
    private(set) var onlyFirst: [StoredVersion] = []
    /// The same for the second set.
    private(set) var onlySecond: [StoredVersion] = []
    /// The maximal common ancestors, ascending by (generation, id). The root is common to all.
    private(set) var common: [StoredVersion] = []

    private struct Marks: OptionSet {
        let rawValue: UInt8
        static let first = Marks(rawValue: 1)
        static let second = Marks(rawValue: 2)
        /// Below a common ancestor that was found.
        static let stale = Marks(rawValue: 4)
        static let both: Marks = [.first, .second]
    }

    init(_ first: [StoredVersion], _ second: [StoredVersion], in snapshot: StoreSnapshot) throws {
        var marks: [Int64: Marks] = [:]
        var queue = GenerationQueue()
        var fresh = 0

        func mark(_ version: StoredVersion, _ new: Marks) {
            guard let old = marks[version.row] else {
                marks[version.row] = new
                queue.insert(version)
                if !new.contains(.stale) { fresh += 1 }
                return
            }
            let union = old.union(new)
            if !old.contains(.stale), union.contains(.stale) { fresh -= 1 }
            marks[version.row] = union
        }

        for version in first { mark(version, .first) }
        for version in second { mark(version, .second) }
        while fresh > 0, let version = queue.popGreatest() {
            var own = marks[version.row] ?? []
            if !own.contains(.stale) { fresh -= 1 }
            if own.isSuperset(of: .both) {
                if !own.contains(.stale) { common.append(version) }
                own.insert(.stale)
            } else if own.contains(.first) {
                onlyFirst.append(version)
            } else {
                onlySecond.append(version)
            }
            for parent in version.parents { mark(try snapshot.stored(parent), own) }
        }
        common.sort(by: StoredVersion.canonicalOrder)
    }

    /// Whether every authored ancestor of the first set is one of the second set too.
    var firstAddsNothingAuthored: Bool { !onlyFirst.contains(where: \.isAuthored) }
    /// Whether every authored ancestor of the second set is one of the first set too.
    var secondAddsNothingAuthored: Bool { !onlySecond.contains(where: \.isAuthored) }
}

/// A binary heap of versions, greatest (generation, id) first: the same order on every device.
struct GenerationQueue {
    private var heap: [StoredVersion] = []

    private static func comesFirst(_ a: StoredVersion, _ b: StoredVersion) -> Bool {
        (a.generation, a.id) > (b.generation, b.id)
    }

    mutating func insert(_ version: StoredVersion) {
        heap.append(version)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard Self.comesFirst(heap[child], heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func popGreatest() -> StoredVersion? {
        guard let greatest = heap.first else { return nil }
        let last = heap.removeLast()
        if !heap.isEmpty {
            heap[0] = last
            var parent = 0
            while true {
                let left = 2 * parent + 1
                let right = left + 1
                var first = parent
                if left < heap.count, Self.comesFirst(heap[left], heap[first]) { first = left }
                if right < heap.count, Self.comesFirst(heap[right], heap[first]) { first = right }
                if first == parent { break }
                heap.swapAt(parent, first)
                parent = first
            }
        }
        return greatest
    }
}
