/// Which versions a coordinator follows: those without a branch, and those of the branches it names.
struct BranchSelection {
    let branches: Set<Branch>

    private func selects(_ version: StoredVersion) -> Bool {
        version.branch.map(branches.contains) ?? true
    }

    /// The maximal ones among the selected versions, ascending in canonical order.
    ///
    /// Usually these are the store's heads. Where a head is of another branch, the walk goes down from it to the first
    /// selected versions.
    func heads(in snapshot: StoreSnapshot) throws -> [StoredVersion] {
        let heads = try snapshot.heads()
        if heads.allSatisfy(selects) { return heads }
        var candidates: [StoredVersion] = []
        var queue = GenerationQueue()
        var seen: Set<Int64> = [0]
        for head in heads where seen.insert(head.row).inserted { queue.insert(head) }
        while let version = queue.popGreatest() {
            if selects(version) {
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
