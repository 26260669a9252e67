extension Store {
    /// Makes an authored version that changes no value: it begins a branch, or takes the end of one into the line without a
    /// branch. Counts as work of its author, so other devices get it, and what it stands on becomes firm.
    /// - Parameters:
    ///   - base: any version but the root.
    ///   - now: milliseconds since 1970.
    /// - Throws: ``StoreError/Code/noSuchVersion``; ``StoreError/Code/invalidChanges`` for the root, which no version without
    ///   values need follow.
    public func makeEmptyVersion(
        basedOn base: Version.ID, branch: Branch? = nil, metadata: [String: [UInt8]] = [:],
        now: Int64 = Store.wallClock()
    ) throws -> Version {
        try write(now: now) { transaction in
            let parent = try transaction.snapshot.get(base)
            guard !parent.isRoot else {
                throw StoreError(.invalidChanges, "the store has no version yet", remedy: "save a value first")
            }
            let record = try VersionRecord(
                kind: .authored, parents: [base], basis: base, generation: parent.generation + 1,
                stamp: Stamp.authored(now: now, after: [parent.stamp]), time: now,
                metadata: Version.Metadata(metadata, branch: branch), changes: .empty)
            return try transaction.add(record, state: .firm, isOwn: true) { entry in
                throw StoreError(.invalidChanges, "no content for '\(entry.id)'", remedy: "supply it")
            }.version()
        }
    }
}
