/// A fork that a merge decided: both sides had changed a value, and one of them lost, or both.
public struct ResolvedFork: Hashable, Sendable {
    /// What became of the value.
    public enum Outcome: Hashable, Sendable {
        /// The content, or the absence, of this side was kept; the other lost.
        case kept(Value.Fork.Side)
        /// Content that neither side had, or a removal where both had content.
        case replaced
    }

    /// The merge that decided.
    public let merge: Version
    /// The value.
    public let id: Value.ID
    /// How the sides differed.
    public let fork: Value.Fork
    /// The parents of the merge, as its arbiter saw them: the first comes first by (generation, id).
    public let first, second: Version.ID
    /// What the sides had; nil where the value was absent.
    public let firstReference, secondReference: Value.Reference?
    /// What the merge has.
    public let result: Value.Reference?

    /// Who won.
    public var outcome: Outcome {
        if result?.contentHash == firstReference?.contentHash { return .kept(.first) }
        return result?.contentHash == secondReference?.contentHash ? .kept(.second) : .replaced
    }

    /// What was on the sides and is not in the result. Each is still read at the version that stored it, or at
    /// ``first`` or ``second``.
    public var lost: [Value.Reference] {
        [firstReference, secondReference].compactMap(\.self).filter { $0.contentHash != result?.contentHash }
    }
}

extension Store {
    /// The forks that were decided in the merges that `tips` descend from, the newest merge first and in it ascending by id:
    /// every conflict, and what an arbiter or a person decided against the only side that changed it.
    ///
    /// Merges by an arbiter and by a person are looked at alike. A join decides nothing: it takes the side that has all
    /// authored work. Each merge costs a walk over the versions that its sides have not in common, and the values they have
    /// differently; memory follows the largest merge.
    public func resolvedForks(from tips: [Version.ID]) -> HistorySequence<ResolvedFork> {
        HistorySequence(self) { ForkPages(from: tips, of: nil) }
    }

    /// Those of ``resolvedForks(from:)`` that are about one value. A merge whose sides have the value alike costs two look-ups.
    public func resolvedForks(of id: Value.ID, from tips: [Version.ID]) -> HistorySequence<ResolvedFork> {
        HistorySequence(self) { ForkPages(from: tips, of: id) }
    }

    /// The forks that one merge decided, ascending by id; none if the version is no merge, or a join. Costs as
    /// ``resolvedForks(from:)`` does for a merge.
    public func resolvedForks(in merge: Version.ID) throws -> [ResolvedFork] {
        try read { snapshot in
            let version = try snapshot.get(merge)
            guard version.parents.count == 2, version.kind != .join else { return [] }
            return try ForkPages.forks(of: version, in: snapshot, of: storage)
        }
    }
}

/// What the merges of a history decided, one merge a page.
struct ForkPages: HistoryPages {
    /// Versions that are gone through in one transaction.
    private static let mostVisited = 1_000

    private var tips: [Version.ID]?
    /// Of this value alone.
    private let id: Value.ID?
    private var queue = AncestryQueue()
    private(set) var isAtEnd = false

    init(from tips: [Version.ID], of id: Value.ID?) {
        self.tips = tips
        self.id = id
    }

    mutating func nextPage(of store: Store) throws -> [ResolvedFork] {
        try store.read { snapshot in
            for tip in tips ?? [] { queue.insert(try snapshot.get(tip)) }
            tips = nil
            for _ in 0..<Self.mostVisited {
                guard let version = try queue.next(in: snapshot) else {
                    isAtEnd = true
                    return []
                }
                if version.parents.count == 2, version.kind != .join, try mayDecide(version, snapshot) {
                    let forks = try Self.forks(of: version, in: snapshot, of: store.storage)
                    return forks.filter { id == nil || $0.id == id }
                }
            }
            return []
        }
    }

    /// A merge decides only about what its sides have differently.
    private func mayDecide(_ merge: StoredVersion, _ snapshot: StoreSnapshot) throws -> Bool {
        guard let id else { return true }
        let hashes = try merge.parents.map { try snapshot.reference(id, try snapshot.stored($0))?.contentHash }
        return hashes[0] != hashes[1]
    }

    fileprivate static func forks(
        of merge: StoredVersion, in snapshot: StoreSnapshot, of storage: any Storage
    ) throws -> [ResolvedFork] {
        let sides = try merge.parents.map { try snapshot.stored($0) }.sorted(by: StoredVersion.canonicalOrder)
        let walk = try AncestryWalk([sides[0]], [sides[1]], in: snapshot)
        let source = MergeSource(
            snapshot: snapshot, storage: storage, first: sides[0], second: sides[1],
            base: try VirtualBase(walk.common, in: snapshot))
        return try ThreeWayMerge(source).items.compactMap { item in
            let result = try snapshot.reference(item.id, merge)
            guard item.fork.isConflicting || result?.contentHash != ThreeWayMerge.undisputed(item) else { return nil }
            return ResolvedFork(
                merge: try merge.version(), id: item.id, fork: item.fork, first: sides[0].id, second: sides[1].id,
                firstReference: try item.first.map { try snapshot.valueReference(item.id, $0) },
                secondReference: try item.second.map { try snapshot.valueReference(item.id, $0) },
                result: try result.map { try snapshot.valueReference(item.id, $0) })
        }
    }
}
