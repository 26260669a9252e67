/// Which versions a selection selects, also those that nobody saved: a merge or join that is on no branch is of the branches of
/// its parents, and is selected if they all are.
struct SelectedMerges {
    private let selection: BranchSelection
    private let snapshot: StoreSnapshot
    private var known: [Int64: Bool] = [:]

    init(_ selection: BranchSelection, in snapshot: StoreSnapshot) {
        self.selection = selection
        self.snapshot = snapshot
    }

    /// Costs a walk down to the versions that were saved, and no version is looked at twice.
    mutating func selects(_ version: StoredVersion) throws -> Bool {
        if let answer = answer(version) { return answer }
        var open = [version]
        while let merge = open.last {
            let parents = try merge.parents.map { try snapshot.stored($0) }
            let answers = parents.map { answer($0) }
            if answers.contains(false) || !answers.contains(nil) {
                known[merge.row] = !answers.contains(false)
                open.removeLast()
            } else {
                open += zip(parents, answers).filter { $0.1 == nil }.map(\.0)
            }
        }
        return known[version.row] ?? false
    }

    /// Nil for a merge whose parents are to be asked first.
    private func answer(_ version: StoredVersion) -> Bool? {
        if version.isAuthored || version.branch != nil { return selection.selects(version.branch) }
        return known[version.row]
    }
}
