/// A branch of a store and where it ends.
public struct BranchHeads: Hashable, Sendable {
    /// The branch.
    public let branch: Branch
    /// The firm versions on the branch that no other version on it descends from, ascending by (generation, id). Usually
    /// one; several where devices went on with the branch apart. They need not be heads of the store: a branch that was
    /// merged ends where it ended.
    public let heads: [Version]
}

extension Store {
    /// Every branch that firm versions are on, ascending by name. Costs what it returns, and a walk between the heads of a
    /// branch that has several.
    public func branches() throws -> [BranchHeads] {
        try prepareBranches()
        return try read { snapshot in
            var found: [Branch: [StoredVersion]] = [:]
            for version in try snapshot.branchHeads([]) {
                guard let branch = version.branch else { throw StoreError.damagedRecord("the list of branches") }
                found[branch, default: []].append(version)
            }
            return try found.sorted { $0.key < $1.key }.map { branch, versions in
                BranchHeads(branch: branch, heads: try snapshot.maximal(of: versions).map { try $0.version() })
            }
        }
    }

    /// The heads of one branch, as in ``BranchHeads/heads``; empty if no firm version is on it.
    public func heads(of branch: Branch) throws -> [Version] {
        try prepareBranches()
        return try read { snapshot in
            let versions = try snapshot.branchHeads(HistoryIndex.prefix(of: branch))
            return try snapshot.maximal(of: versions).map { try $0.version() }
        }
    }
}

extension StoreSnapshot {
    /// What the index lists under keys that start with `prefix`.
    func branchHeads(_ prefix: [UInt8]) throws -> [StoredVersion] {
        var found: [StoredVersion] = []
        try reader.scan(StoreZones.branches, from: prefix, before: ValueMap.end(ofPrefix: prefix)) { key, _ in
            found.append(try stored(try StoreZones.row(fromKey: Array(key.suffix(8)))))
            return true
        }
        return found
    }

    /// Those that none of the others descends from, in canonical order. If `limit` versions were visited before that is
    /// known of all, the rest is taken to be among them.
    func maximal(of candidates: [StoredVersion], visiting limit: Int = .max) throws -> [StoredVersion] {
        var open: [Int64: StoredVersion] = [:]
        for candidate in candidates { open[candidate.row] = candidate }
        var queue = AncestryQueue()
        for candidate in open.values { queue.insert(candidate) }
        var covered: Set<Int64> = []
        var maximal: [StoredVersion] = []
        var visited = 0
        while open.count + maximal.count > 1, !open.isEmpty, visited < limit, let version = try queue.next(in: self) {
            visited += 1
            // Everything above it was visited: what is not covered by now never is.
            let isCovered = covered.remove(version.row) != nil
            let isCandidate = open.removeValue(forKey: version.row) != nil
            if isCandidate && !isCovered { maximal.append(version) }
            if isCandidate || isCovered { covered.formUnion(version.parents) }
        }
        maximal += open.values.filter { !covered.contains($0.row) }
        return maximal.sorted(by: StoredVersion.canonicalOrder)
    }
}
