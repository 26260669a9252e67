/// Which versions a coordinator follows, by the branch they are on.
///
/// Of the versions that are selected the maximal ones are merged; a version that is not comes in only beneath one that is. A
/// merge of versions on different branches is on none, and selected by whoever selects all that it was made of: taking the
/// main line into a branch does not bring the branch to the main line. A version that someone saves is on the branch it was
/// saved on, whatever it stands on.
public enum BranchSelection: Hashable, Sendable {
    /// Every version.
    case all
    /// Every version but those on these branches.
    case allExcept(Set<Branch>)
    /// Versions without a branch, and those on these branches.
    case unbranchedAnd(Set<Branch>)
    /// Versions on these branches.
    case only(Set<Branch>)

    /// Versions without a branch: what a coordinator follows that is told nothing else. Branches are for work that is merged
    /// when someone asks for it.
    public static let allExceptBranches = BranchSelection.unbranchedAnd([])

    /// Whether versions on `branch`, or on none, are selected.
    public func selects(_ branch: Branch?) -> Bool {
        switch (self, branch) {
        case (.all, _): true
        case (.allExcept(let branches), let branch): branch.map { !branches.contains($0) } ?? true
        case (.unbranchedAnd(let branches), let branch): branch.map(branches.contains) ?? true
        case (.only(let branches), let branch): branch.map(branches.contains) ?? false
        }
    }

    /// This selection and `branch`, or versions without one.
    func adding(_ branch: Branch?) -> BranchSelection {
        switch (self, branch) {
        case (.all, _), (.allExcept, nil), (.unbranchedAnd, nil): self
        case (.allExcept(let branches), let branch?): .allExcept(branches.subtracting([branch]))
        case (.unbranchedAnd(let branches), let branch?): .unbranchedAnd(branches.union([branch]))
        case (.only(let branches), let branch?): .only(branches.union([branch]))
        case (.only(let branches), nil): .unbranchedAnd(branches)
        }
    }
}

extension BranchSelection {
    /// The maximal ones among the selected versions, ascending in canonical order.
    ///
    /// Usually these are the store's heads. Where a head is of another branch, the walk goes down from it to the first
    /// selected versions.
    func heads(in snapshot: StoreSnapshot) throws -> [StoredVersion] {
        let heads = try snapshot.heads()
        if self == .all { return heads }
        var merges = SelectedMerges(self, in: snapshot)
        if try heads.allSatisfy({ try merges.selects($0) }) { return heads }
        var candidates: [StoredVersion] = []
        var queue = GenerationQueue()
        var seen: Set<Int64> = [0]
        for head in heads where seen.insert(head.row).inserted { queue.insert(head) }
        while let version = queue.popGreatest() {
            if try merges.selects(version) {
                candidates.append(version)
                continue
            }
            for row in version.parents where seen.insert(row).inserted { queue.insert(try snapshot.stored(row)) }
        }
        var maximal: [StoredVersion] = []
        for candidate in candidates {
            // Ascending generations of what is kept are greater or equal: only those can descend from it.
            let isCovered = try maximal.contains {
                try AncestryWalk([candidate], [$0], in: snapshot).onlyFirst.isEmpty
            }
            if !isCovered { maximal.append(candidate) }
        }
        return maximal.sorted(by: StoredVersion.canonicalOrder)
    }
}
