import FileCoordination

/// Keeps the current version of a store: what an app shows and saves onto.
///
/// Any number of coordinators, in any number of processes, may share a store; those with the same name share the current
/// version. An edit is based on what its author saw: pass the version you read as `basedOn`, and what came in between is
/// merged with your change instead of being overwritten.
///
/// Runs on a queue of its own, never on Swift's cooperative pool. `init` starts nothing.
public actor StoreCoordinator {
    /// The store.
    public nonisolated let store: Store
    /// The name under which the current version is kept.
    public nonisolated let name: String
    /// The branch its saves are on, or nil.
    public nonisolated let branch: Branch?
    private let selection: BranchSelection
    private let arbiter: any MergeArbiter
    private let clock: @Sendable () -> Int64
    private nonisolated let executor: BlockingExecutor
    /// When dropped merges were last looked at, by the clock; nil if at once.
    private var lastSweep: Int64?
    nonisolated let connections = Connections()

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// A coordinator.
    /// - Parameters:
    ///   - branch: the branch of its saves, nil for none; always followed, whatever `selection` says.
    ///   - selection: the versions to follow.
    ///   - arbiter: decides conflicts.
    ///   - clock: milliseconds since 1970.
    public init(
        store: Store, name: String = "main", branch: Branch? = nil, selection: BranchSelection,
        arbiter: any MergeArbiter = MostRecentChangeArbiter(),
        clock: @escaping @Sendable () -> Int64 = Store.wallClock
    ) {
        self.store = store
        self.name = name
        self.branch = branch
        self.selection = selection.adding(branch)
        self.arbiter = arbiter
        self.clock = clock
        executor = BlockingExecutor(label: "StoreCoordinator.\(name)")
    }

    /// A coordinator that follows the versions without a branch, and those on the branches it names.
    /// - Parameters:
    ///   - branch: the branch of its saves; always followed.
    ///   - branches: further branches to follow.
    ///   - arbiter: decides conflicts.
    ///   - clock: milliseconds since 1970.
    public init(
        store: Store, name: String = "main", branch: Branch? = nil, selecting branches: Set<Branch> = [],
        arbiter: any MergeArbiter = MostRecentChangeArbiter(),
        clock: @escaping @Sendable () -> Int64 = Store.wallClock
    ) {
        self.init(
            store: store, name: name, branch: branch, selection: .unbranchedAnd(branches), arbiter: arbiter,
            clock: clock)
    }

    /// The current version; the root in a new store.
    public func current() throws -> Version.ID {
        try store.read { try $0.current(name).id }
    }

    /// Saves changes as a version on top of `base`, the version its author read (nil: the current one).
    ///
    /// The current version moves to it; if others moved it meanwhile, to a merge of both. Should the arbiter fail at that, or
    /// others be faster fifty times, the current version stays, the save stands, and the next ``merge(publishing:)`` merges it
    /// or says why not. See
    /// ``Store/makeVersion(basedOn:and:changes:branch:metadata:now:)`` for the rules of changes.
    /// - Returns: the authored version, durable as the store is.
    @discardableResult
    public func save(
        _ changes: [Value.Change], basedOn base: Version.ID? = nil, metadata: [String: [UInt8]] = [:]
    ) throws -> Version {
        let prepared = try PreparedChanges(changes)
        let now = clock()
        let (saved, isCurrent) = try store.write(now: now) { transaction in
            let current = try transaction.snapshot.current(name)
            let basis = try base.map { try transaction.snapshot.get($0) } ?? current
            let saved = try transaction.commit(prepared, onto: [basis], branch: branch, metadata: metadata)
            let covers =
                try basis.row == current.row
                || AncestryWalk([current], [saved], in: transaction.snapshot).onlyFirst.isEmpty
            if covers, saved.row != current.row { try transaction.setCurrent(saved, of: name) }
            return (saved, covers)
        }
        if !isCurrent { try mergeIntoCurrent(saved, now: now) }
        return try saved.version()
    }

    /// Merges a save with what the current version became meanwhile. Provisional: the next pass folds all heads again.
    ///
    /// Outside of a transaction, because of the arbiter; if others move the current version again and again meanwhile, once
    /// inside one, if no arbiter need be asked. A save that is overtaken all the same stands beside the current version.
    private func mergeIntoCurrent(_ saved: StoredVersion, now: Int64) throws {
        for attempt in 1...50 {
            let (current, plan) = try store.read { snapshot in
                let current = try snapshot.current(name)
                return (current, try makePlan(for: saved, and: current, arbiter, in: snapshot))
            }
            let isDone = try store.write(now: now) { transaction in
                if try transaction.snapshot.current(name).row == current.row {
                    try adopt(plan, in: transaction)
                    return true
                }
                guard attempt.isMultiple(of: 8) else { return false }
                let current = try transaction.snapshot.current(name)
                let undisputed = try makePlan(for: saved, and: current, NoArbiter(), in: transaction.snapshot)
                guard let undisputed else { return false }
                try adopt(undisputed, in: transaction)
                return true
            }
            if isDone { return }
        }
    }

    /// Nil if the arbiter failed: the save stands beside the current version until it can be merged.
    private func makePlan(
        for saved: StoredVersion, and current: StoredVersion, _ arbiter: any MergeArbiter, in snapshot: StoreSnapshot
    ) throws -> MergePlan? {
        do {
            return try MergePlan(current, saved, arbiter: arbiter, in: snapshot, of: store.storage)
        } catch let error as StoreError where error.isOfStorage {
            throw error
        } catch {
            return nil
        }
    }

    private func adopt(_ plan: MergePlan?, in transaction: StoreTransaction) throws {
        switch plan {
        case nil: break
        case .fastForward(let version): try transaction.setCurrent(version, of: name)
        case .make(let record, let contents, _):
            let merge = try transaction.add(record, state: .provisional, isOwn: true) { entry in
                guard let content = contents[entry.id] else {
                    throw StoreError(
                        .arbiterMisbehaved, "no content for '\(entry.id)'", remedy: "mend the arbiter")
                }
                return content
            }
            if try transaction.snapshot.entry(merge.id)?.state == .dropped {
                try transaction.setState(.provisional, of: merge)
            }
            try transaction.setCurrent(merge, of: name)
        }
    }

    /// Merges all heads that this coordinator follows and moves the current version to the result.
    ///
    /// A head whose merge fails is left, with the reason in the outcome, and the others go on. Once an hour, merges that were
    /// dropped 30 days ago are removed: at most 64 of them, and the rest by the next calls.
    /// - Parameter publishing: false keeps decided merges to this device: for a device that only reads, and while versions
    ///   that others have announced are still on their way.
    @discardableResult
    public func merge(publishing: Bool = true) throws -> MergeOutcome {
        let now = clock()
        let outcome = try HeadFold(store: store, name: name, selection: selection, arbiter: arbiter, now: now)
            .run(publishes: publishing)
        sweepIfDue(now)
        return outcome
    }

    private func sweepIfDue(_ now: Int64) {
        if let lastSweep {
            let (passed, overflow) = now.subtractingReportingOverflow(lastSweep)
            if !overflow, (0..<3_600_000).contains(passed) { return }
        }
        lastSweep = now
        do {
            if try store.sweepDropped(now: now).hasMore { lastSweep = nil }
        } catch {
            // The merge is done, and this failure is none of its own. What was to go stays for another hour; a store that is
            // really ill shows at the next read or write.
        }
    }

    /// Retrieves from an exchange and merges what came, if everything could be looked at.
    @discardableResult
    public func fetch<Source: Exchange>(from exchange: Source) async throws -> Source.Report {
        let report = try await exchange.retrieve()
        if report.isComplete { try merge(publishing: !report.isAwaitingAnnounced) }
        return report
    }
}

/// For merges of which nothing is in dispute.
private struct NoArbiter: MergeArbiter {
    struct Asked: Error {}

    func changes(toResolve merge: Merge) throws -> [Value.Change] { throw Asked() }
}
