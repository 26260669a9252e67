extension Merge {
    /// Asks `arbiter` about some of the values alone, as if the sides differed in nothing else.
    ///
    /// For arbiters that are made of others. It is not asked if none of `ids` is in conflict.
    /// - Returns: its changes, which name no other values and every conflict among `ids`.
    /// - Throws: what the arbiter throws, or ``StoreError/Code/arbiterMisbehaved``, which names the value.
    public func changes(by arbiter: any MergeArbiter, about ids: Set<Value.ID>) throws -> [Value.Change] {
        let share = Merge(
            first: first, second: second, commonAncestors: commonAncestors,
            forks: forks.filter { ids.contains($0.key) }, source: source)
        let conflicts = share.conflicts
        if conflicts.isEmpty { return [] }
        let changes = try arbiter.changes(toResolve: share)
        var answered: Set<Value.ID> = []
        for change in changes {
            let id = change.valueID
            guard share.forks[id] != nil else {
                throw StoreError.misbehaved("changes a value it was not asked for:", id)
            }
            guard answered.insert(id).inserted else { throw StoreError.misbehaved("answers twice about", id) }
        }
        for id in conflicts where !answered.contains(id) {
            throw StoreError.misbehaved("does not resolve the conflict about", id)
        }
        return changes
    }

    /// The contents of a conflict, for an arbiter that merges them.
    struct Contents {
        let id: Value.ID
        /// Nil if the value was not there, or if the common ancestors disagree about it.
        let base: [UInt8]?
        let first: [UInt8]
        let second: [UInt8]
        /// The side whose content was stored more recently.
        let moreRecent: Value.Fork.Side
    }

    /// What `merged` makes of each conflict's contents; of those that it makes nothing of, or that are larger than `limit`
    /// bytes or absent on a side, what `fallback` decides.
    func changes(
        mergingUpTo limit: Int, otherwise fallback: any MergeArbiter,
        _ merged: (Contents) throws -> Value.Change?
    ) throws -> [Value.Change] {
        var changes: [Value.Change] = []
        var rest: Set<Value.ID> = []
        for id in conflicts {
            if let contents = try contents(id, limit), let change = try merged(contents) {
                changes.append(change)
            } else {
                rest.insert(id)
            }
        }
        return try changes + self.changes(by: fallback, about: rest)
    }

    private func contents(_ id: Value.ID, _ limit: Int) throws -> Contents? {
        let base = try baseContent(id)
        guard let first = try content(id, on: .first), let second = try content(id, on: .second),
            let one = try reference(id, on: .first), let other = try reference(id, on: .second),
            [base, first, second].allSatisfy({ ($0?.size ?? 0) <= UInt64(max(0, limit)) })
        else { return nil }
        let isFirst = try recency(of: one).isMoreRecent(than: try recency(of: other))
        return Contents(
            id: id, base: try base?.allBytes(), first: try first.allBytes(), second: try second.allBytes(),
            moreRecent: isFirst ? .first : .second)
    }
}

extension StoreError {
    /// An arbiter that did what it must not about a value.
    static func misbehaved(_ what: String, _ id: Value.ID) -> StoreError {
        StoreError(
            .arbiterMisbehaved, "the arbiter \(what) '\(id)'", remedy: "mend the arbiter; nothing was merged or lost")
    }
}
