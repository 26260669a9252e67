/// What a merge of all heads did.
public struct MergeOutcome: Hashable, Sendable {
    /// A head that was left as it is.
    public struct LeftHead: Hashable, Sendable {
        /// The head.
        public let head: Version.ID
        /// Why, in a sentence.
        public let reason: String
    }

    /// The current version afterwards.
    public var current: Version.ID
    /// Merges and joins that are in use now and were not before.
    public var made = 0
    /// Heads that could not be merged, each with its reason. The others were.
    public var left: [LeftHead] = []
    /// Why the current version stays where it is although there is a newer one, or nil.
    public var stayed: String?
}

/// Folds the selected heads into one version: ascending by (generation, id), the result always first, so that the same heads
/// and the same arbiter give the same id on every device.
struct HeadFold {
    let store: Store
    let name: String
    let selection: BranchSelection
    let arbiter: any MergeArbiter
    let now: Int64

    private struct Made {
        let version: StoredVersion
        let decided: Bool
    }

    private enum Attempt {
        case settled(MergeOutcome)
        case overtaken
    }

    /// - Parameter publishes: whether decided merges become firm and so travel; others stay provisional.
    func run(publishes: Bool) throws -> MergeOutcome {
        for _ in 0..<50 {
            if case .settled(let outcome) = try attempt(publishes: publishes) { return outcome }
        }
        throw StoreError(
            .locked, "the heads of the store change faster than they can be merged", remedy: "try again")
    }

    private func attempt(publishes: Bool) throws -> Attempt {
        let heads = try store.read { try selection.heads(in: $0) }
        var result = heads.first ?? .root
        var made: [Made] = []
        var left: [MergeOutcome.LeftHead] = []
        for head in heads.dropFirst() {
            do {
                let plan = try store.read { try MergePlan(result, head, arbiter: arbiter, in: $0, of: store.storage) }
                switch plan {
                case .fastForward(let version): result = version
                case .make(let record, let contents, let decided):
                    result = try add(record, contents)
                    made.append(Made(version: result, decided: decided))
                }
            } catch let error as StoreError where error.isOfStorage {
                throw error
            } catch {
                left.append(MergeOutcome.LeftHead(head: head.id, reason: "\(error)"))
            }
        }
        return try adopt(result, of: heads, made: made, left: left, publishes: publishes)
    }

    /// Puts a merge beside the history: it counts only when it is adopted.
    private func add(_ record: VersionRecord, _ contents: [Value.ID: Value.Content]) throws -> StoredVersion {
        if let known = try store.read({ try $0.find(record.version.id) }) { return known }
        return try store.write(now: now) { transaction in
            try transaction.add(record, state: .dropped) { entry in
                guard let content = contents[entry.id] else {
                    throw StoreError(.arbiterMisbehaved, "no content for '\(entry.id)'", remedy: "mend the arbiter")
                }
                return content
            }
        }
    }

    /// One transaction: the merges of this fold are in use, those of earlier ones no longer, and the current version moves.
    private func adopt(
        _ result: StoredVersion, of heads: [StoredVersion], made: [Made], left: [MergeOutcome.LeftHead],
        publishes: Bool
    ) throws -> Attempt {
        let lastDecided = publishes ? made.lastIndex(where: \.decided) : nil
        let current = try store.read { try $0.current(name) }
        var outcome = MergeOutcome(current: current.id, left: left)
        let changes = try store.read { snapshot in
            try isOutdated(made, in: snapshot) || lastDecided != nil || current.row != result.row
        }
        if !changes { return .settled(outcome) }
        return try store.write(now: now) { transaction in
            let snapshot = transaction.snapshot
            guard try selection.heads(in: snapshot).map(\.row) == heads.map(\.row) else { return .overtaken }
            let used = Set(made.map(\.version.row))
            for (version, entry) in try snapshot.loose() where entry.state == .provisional {
                if !used.contains(version.row) { try transaction.setState(.dropped, of: version) }
            }
            for (index, merge) in made.enumerated() {
                guard let entry = try snapshot.entry(merge.version.id), entry.state != .firm else { continue }
                if entry.state != .provisional { outcome.made += 1 }
                if let lastDecided, index <= lastDecided {
                    try transaction.makeFirm(merge.version)
                } else if entry.state != .provisional {
                    try transaction.setState(.provisional, of: merge.version)
                }
            }
            let old = try snapshot.current(name)
            if old.row != result.row {
                if try AncestryWalk([old], [result], in: snapshot).firstAddsNothingAuthored {
                    try transaction.setCurrent(result, of: name)
                    outcome.current = result.id
                } else {
                    outcome.current = old.id
                    outcome.stayed = "it holds work that is not merged yet"
                }
            }
            return .settled(outcome)
        }
    }

    private func isOutdated(_ made: [Made], in snapshot: StoreSnapshot) throws -> Bool {
        var wanted = Set(made.map(\.version.row))
        for (version, entry) in try snapshot.loose() where entry.state == .provisional {
            if wanted.remove(version.row) == nil { return true }
        }
        for row in wanted {
            if try snapshot.entry(try snapshot.stored(row).id)?.state != .firm { return true }
        }
        return false
    }
}

extension StoreError {
    /// Whether the storage failed, rather than a merge: such an error stops the whole pass.
    var isOfStorage: Bool {
        [.noSpace, .readOnly, .inputOutput, .locked, .closed, .damaged, .notAStore].contains(code)
    }
}
