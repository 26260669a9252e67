/// Decides what a merge cannot: values that both sides changed.
///
/// An arbiter is asked only about merges with a conflict, and must return one change for each conflicting fork. It may also
/// return changes for the other forks of the merge, which otherwise go to the side that changed them. It must be a pure
/// function of the merge: no clock, no random number, nothing of this device, so that all devices make the same version.
/// (Devices whose arbiters disagree settle all the same, on one of the results.)
public protocol MergeArbiter: Sendable {
    /// The changes that resolve `merge`.
    func changes(toResolve merge: Merge) throws -> [Value.Change]
}

/// In each conflict keeps the side whose *version* is more recent.
public struct MostRecentBranchArbiter: MergeArbiter {
    /// An arbiter.
    public init() {}

    /// The more recent version's side of every conflict.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        let first = Recency(stamp: merge.first.stamp, generation: merge.first.generation, id: merge.first.id)
        let second = Recency(stamp: merge.second.stamp, generation: merge.second.generation, id: merge.second.id)
        let winner: Value.Fork.Side = first.isMoreRecent(than: second) ? .first : .second
        return try merge.conflicts.map { try merge.keeping(winner, of: $0) }
    }
}

/// In each conflict keeps the *value* that was stored most recently; an update beats a removal.
public struct MostRecentChangeArbiter: MergeArbiter {
    /// An arbiter.
    public init() {}

    /// The more recent change of every conflict.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.conflicts.map { id in
            guard let first = try merge.reference(id, on: .first) else { return try merge.keeping(.second, of: id) }
            guard let second = try merge.reference(id, on: .second) else { return try merge.keeping(.first, of: id) }
            let isFirst = try merge.recency(of: first).isMoreRecent(than: try merge.recency(of: second))
            return try merge.keeping(isFirst ? .first : .second, of: id)
        }
    }
}
