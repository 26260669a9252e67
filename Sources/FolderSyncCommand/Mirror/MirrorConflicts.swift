import LLVSCore

/// Which conflicts were decided since a directory was last exported to.
struct MirrorConflicts {
    private struct Key: Hashable {
        let id: Value.ID
        let first: Digest?
        let second: Digest?
    }

    private let store: Store
    /// What was told up to here. Nil for a directory that was never exported to: then only conflicts of its own changes are
    /// news, not the store's whole history.
    private var told: Version.ID?
    private var own: [Version.ID] = []
    /// A merge may be dropped and made again; its conflicts are told once.
    private var known: Set<Key> = []

    init(of store: Store, since told: Version.ID?) {
        self.store = store
        self.told = told
    }

    /// Versions that were made of the directory's changes.
    mutating func addOwn(_ versions: [Version.ID]) {
        if told == nil { own += versions }
    }

    /// The conflicts decided in the merges that came since the last call.
    mutating func new(at version: Version.ID) throws -> [ResolvedFork] {
        var found: [ResolvedFork] = []
        for merge in try newMerges(at: version) {
            for fork in try store.resolvedForks(in: merge) {
                let key = Key(
                    id: fork.id, first: fork.firstReference?.contentHash, second: fork.secondReference?.contentHash)
                if fork.fork.isConflicting, known.insert(key).inserted { found.append(fork) }
            }
        }
        told = version
        own = []
        return found
    }

    private func newMerges(at version: Version.ID) throws -> [Version.ID] {
        if version == .root || version == told { return [] }
        guard let floor = try floor() else { return [] }
        var merges: [Version.ID] = []
        for candidate in store.ancestry(of: [version]) {
            let candidate = try candidate.get()
            if candidate.generation <= floor { break }
            if candidate.parents.count == 2, try isNew(candidate.id) { merges.append(candidate.id) }
        }
        return merges
    }

    private func isNew(_ merge: Version.ID) throws -> Bool {
        if let told { return try !store.isAncestor(merge, of: told) }
        return try own.contains { try store.isAncestor($0, of: merge) }
    }

    /// The generation that every new merge is above: of the firm versions that what was told consists of, because merges of
    /// them may be made in another order now.
    private func floor() throws -> UInt64? {
        var pending = told.map { [$0] } ?? own
        var floor: UInt64?
        while let id = pending.popLast() {
            let version = try store.version(id)
            if try store.state(of: id) != .firm, !version.parents.isEmpty {
                pending += version.parents
            } else {
                floor = min(floor ?? .max, version.generation)
            }
        }
        return floor
    }
}
