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
            try AncestryWalk([snapshot.get(first)], [snapshot.get(second)], in: snapshot).common.map { try $0.version() }
        }
    }

    /// The versions that `tips` descend from, themselves included and the root not, newest first: descending by
    /// (generation, id). Memory follows the width of the history, not its length.
    public func forEachVersion(from tips: [Version.ID], _ body: (Version) throws -> Bool) throws {
        try read { snapshot in
            var queue = GenerationQueue()
            var queued: Set<Int64> = [0]
            for tip in tips {
                let version = try snapshot.get(tip)
                if queued.insert(version.row).inserted { queue.insert(version) }
            }
            while let version = queue.popGreatest() {
                queued.remove(version.row)
                guard try body(try version.version()) else { return }
                for parent in version.parents where parent != 0 && queued.insert(parent).inserted {
                    queue.insert(try snapshot.stored(parent))
                }
            }
        }
    }

    /// The first `limit` of ``forEachVersion(from:_:)``.
    public func log(from tips: [Version.ID], limit: Int? = nil) throws -> [Version] {
        var found: [Version] = []
        if limit == 0 { return found }
        try forEachVersion(from: tips) { version in
            found.append(version)
            return limit.map { found.count < $0 } ?? true
        }
        return found
    }

    /// What a version changed against its basis, as it was recorded.
    public func changes(of id: Version.ID) throws -> ChangeList {
        try read { try $0.changes(try $0.get(id)) }
    }
}
