import LLVSCore

/// What happened to one value, newest first: the versions that changed it, and the merges that decided about it, also where they
/// left it as their basis had it.
struct KeyHistory {
    struct Event {
        let version: Version
        /// What the version made of the value; nil if it left it.
        let revision: Value.Revision?
        /// What it decided, if it is a merge whose sides had changed the value differently.
        let fork: ResolvedFork?
    }

    private var revisions: HistorySequence<Value.Revision>.Iterator
    private var forks: HistorySequence<ResolvedFork>.Iterator
    private var revision: Value.Revision?
    private var fork: ResolvedFork?

    init(of id: Value.ID, in store: Store, tips: [Version.ID]) throws {
        revisions = store.versions(of: id).makeIterator()
        forks = store.resolvedForks(of: id, from: tips).makeIterator()
        revision = try revisions.next()?.get()
        fork = try forks.next()?.get()
    }

    mutating func next() throws -> Event? {
        let event: Event
        switch (revision, fork) {
        case (nil, nil): return nil
        case (let revision?, let fork?) where revision.version.id == fork.merge.id:
            event = Event(version: fork.merge, revision: revision, fork: fork)
        case (let revision?, let fork) where fork.map { Self.isNewer(revision.version, than: $0.merge) } ?? true:
            event = Event(version: revision.version, revision: revision, fork: nil)
        case (_, let fork?): event = Event(version: fork.merge, revision: nil, fork: fork)
        case (_, nil): return nil
        }
        if event.revision != nil { revision = try revisions.next()?.get() }
        if event.fork != nil { fork = try forks.next()?.get() }
        return event
    }

    /// The order that both come in.
    private static func isNewer(_ one: Version, than other: Version) -> Bool {
        (one.generation, one.id) > (other.generation, other.id)
    }
}
