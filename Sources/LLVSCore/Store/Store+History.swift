extension Store {
    /// The versions that have no child: one when all devices' work is merged. Only firm versions; empty in a new store.
    /// Ascending by (generation, id).
    public func heads() throws -> [Version] {
        try read { try $0.heads().map { try $0.version() } }
    }

    /// A version, firm or not.
    /// - Throws: ``StoreError/Code/noSuchVersion``.
    public func version(_ id: Version.ID) throws -> Version {
        try read { try $0.get(id).version() }
    }

    /// Whether the store has the version and it counts, or nil if the store does not have it.
    public func state(of id: Version.ID) throws -> VersionState? {
        if id == .root { return .firm }
        return try read { try $0.entry(id)?.state }
    }

    /// The number of firm versions, without the root.
    public func versionCount() throws -> Int {
        try read { Int(try $0.reader.lastRow(in: StoreZones.firm)) }
    }

    /// Whether `ancestor` is `descendant` or one of its ancestors.
    public func isAncestor(_ ancestor: Version.ID, of descendant: Version.ID) throws -> Bool {
        try read { snapshot in
            try AncestryWalk([snapshot.get(ancestor)], [snapshot.get(descendant)], in: snapshot).onlyFirst.isEmpty
        }
    }

    /// The maximal common ancestors, ascending by (generation, id). Costs a walk over the versions that differ.
    public func commonAncestors(_ first: Version.ID, _ second: Version.ID) throws -> [Version] {
        try read { snapshot in
            try AncestryWalk([snapshot.get(first)], [snapshot.get(second)], in: snapshot).common.map {
                try $0.version()
            }
        }
    }

    /// The first `limit` versions of ``ancestry(of:)``; all, if that is nil.
    public func log(from tips: [Version.ID], limit: Int? = nil) throws -> [Version] {
        try ancestry(of: tips).collected(limit: limit)
    }

    /// What a version changed against its basis, as it was recorded.
    public func changes(of id: Version.ID) throws -> ChangeList {
        try read { try $0.changes(try $0.get(id)) }
    }
}
