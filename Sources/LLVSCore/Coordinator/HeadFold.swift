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
///
/// A head whose merge fails begins a fold of its own, which the heads after it are tried with when they fit none before. So
/// one head that nothing merges with never keeps the others apart, whichever comes first.
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

    /// Heads that merge with each other.
    private struct Fold {
        var heads: [StoredVersion]
        var result: StoredVersion
        var made: [Made] = []
        /// Why its first head merges with none of the folds before, one reason each.
        let reasons: [String]

        init(_ head: StoredVersion, reasons: [String]) {
            heads = [head]
            result = head
            self.reasons = reasons
        }
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
        var folds: [Fold] = []
        for head in heads {
            try Task.checkCancellation()
            var reasons: [String] = []
            for index in folds.indices {
                do {
                    try extend(&folds[index], with: head)
                    break
                } catch let error as StoreError where error.isOfStorage {
                    throw error
                } catch {
                    reasons.append("\(error)")
                }
            }
            if reasons.count == folds.count { folds.append(Fold(head, reasons: reasons)) }
        }
        return try adopt(folds.isEmpty ? [Fold(.root, reasons: [])] : folds, of: heads, publishes: publishes)
    }

    private func extend(_ fold: inout Fold, with head: StoredVersion) throws {
        let result = fold.result
        let plan = try store.read { try MergePlan(result, head, arbiter: arbiter, in: $0, of: store.storage) }
        switch plan {
        case .fastForward(let version): fold.result = version
        case .make(let record, let contents, let decided):
            fold.result = try add(record, contents)
            fold.made.append(Made(version: fold.result, decided: decided))
        }
        fold.heads.append(head)
    }

    /// Puts a merge beside the history: it counts only when it is adopted.
    private func add(_ record: VersionRecord, _ contents: [Value.ID: Value.Content]) throws -> StoredVersion {
        if let known = try store.read({ try $0.find(record.version.id) }) { return known }
        return try store.write(now: now) { transaction in
            try transaction.add(record, state: .dropped, isOwn: true) { entry in
                guard let content = contents[entry.id] else {
                    throw StoreError(.arbiterMisbehaved, "no content for '\(entry.id)'", remedy: "mend the arbiter")
                }
                return content
            }
        }
    }

    /// The fold whose result the current version can move to, or else the first.
    private func choose(
        _ folds: [Fold], for current: StoredVersion, in snapshot: StoreSnapshot
    ) throws -> (index: Int, fits: Bool) {
        for (index, fold) in folds.enumerated() {
            if try AncestryWalk([current], [fold.result], in: snapshot).firstAddsNothingAuthored {
                return (index, true)
            }
        }
        return (0, false)
    }

    /// One transaction: the merges of this pass are in use, those of earlier ones no longer, and the current version moves.
    private func adopt(_ folds: [Fold], of heads: [StoredVersion], publishes: Bool) throws -> Attempt {
        let isSettled = try store.read { snapshot in
            let current = try snapshot.current(name)
            let (chosen, fits) = try choose(folds, for: current, in: snapshot)
            if fits && folds[chosen].result.row != current.row { return false }
            return try !changes(folds, publishes: publishes, in: snapshot)
        }
        if isSettled { return .settled(try store.read { try outcome(folds, in: $0) }) }
        return try store.write(now: now) { transaction in
            let snapshot = transaction.snapshot
            // A merge that was made long ago and dropped may be cleaned away just as it is used again.
            guard try selection.heads(in: snapshot).map(\.row) == heads.map(\.row),
                try folds.allSatisfy({
                    try $0.made.allSatisfy { try snapshot.find($0.version.id)?.row == $0.version.row }
                })
            else { return .overtaken }
            let current = try snapshot.current(name)
            let (chosen, fits) = try choose(folds, for: current, in: snapshot)
            if fits && folds[chosen].result.row != current.row {
                try transaction.setCurrent(folds[chosen].result, of: name)
            }
            var made = 0
            for fold in folds {
                let published = Self.published(fold, publishes)
                for (index, merge) in fold.made.enumerated() {
                    guard let entry = try snapshot.entry(merge.version.id), entry.state != .firm else { continue }
                    if entry.state != .provisional { made += 1 }
                    if index < published {
                        try transaction.makeFirm(merge.version)
                    } else if entry.state != .provisional {
                        try transaction.setState(.provisional, of: merge.version)
                    }
                }
            }
            let used = try inUse(folds, in: snapshot)
            for (version, entry) in try snapshot.loose() where entry.state == .provisional {
                if !used.contains(version.row) { try transaction.setState(.dropped, of: version) }
            }
            var outcome = try outcome(folds, in: snapshot)
            outcome.made = made
            return .settled(outcome)
        }
    }

    private func outcome(_ folds: [Fold], in snapshot: StoreSnapshot) throws -> MergeOutcome {
        let current = try snapshot.current(name)
        let (chosen, fits) = try choose(folds, for: current, in: snapshot)
        var outcome = MergeOutcome(current: current.id)
        for (index, fold) in folds.enumerated() where index != chosen {
            let reason = index < chosen ? folds[chosen].reasons[index] : fold.reasons[chosen]
            outcome.left += fold.heads.map { MergeOutcome.LeftHead(head: $0.id, reason: reason) }
        }
        if !fits { outcome.stayed = "it holds work that is not merged yet" }
        return outcome
    }

    /// How many of its merges become firm: all up to the last that was decided.
    private static func published(_ fold: Fold, _ publishes: Bool) -> Int {
        publishes ? (fold.made.lastIndex(where: \.decided) ?? -1) + 1 : 0
    }

    /// The merges of this pass, and those that some coordinator's current version is or stands on.
    private func inUse(_ folds: [Fold], in snapshot: StoreSnapshot) throws -> Set<Int64> {
        var used = Set(folds.flatMap(\.made).map(\.version.row))
        var pending = try snapshot.allCurrent()
        while let version = pending.popLast() {
            guard try snapshot.entry(version.id).map({ $0.state != .firm }) ?? false else { continue }
            used.insert(version.row)
            pending += try version.parents.map { try snapshot.stored($0) }
        }
        return used
    }

    /// Whether a version's state is not yet what this pass makes it.
    private func changes(_ folds: [Fold], publishes: Bool, in snapshot: StoreSnapshot) throws -> Bool {
        if folds.contains(where: { Self.published($0, publishes) > 0 }) { return true }
        let wanted = Set(folds.flatMap(\.made).map(\.version.row))
        let used = try inUse(folds, in: snapshot)
        var provisional: Set<Int64> = []
        for (version, entry) in try snapshot.loose() where entry.state == .provisional {
            provisional.insert(version.row)
        }
        if !provisional.isSubset(of: used) { return true }
        for row in wanted.subtracting(provisional) {
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
