/// What becomes of two versions: encoding 1's merge function. Computed outside a writing transaction; writes nothing.
enum MergePlan {
    /// One descends from the other, which is the result.
    case fastForward(StoredVersion)
    /// A version to add. `decided`: an arbiter was asked.
    case make(VersionRecord, contents: [Value.ID: Value.Content], decided: Bool)

    /// Plans the merge of two versions; the order in which they are given makes no difference.
    ///
    /// - Throws: what the arbiter throws, or ``StoreError/Code/arbiterMisbehaved``.
    init(
        _ a: StoredVersion, _ b: StoredVersion, arbiter: any MergeArbiter, in snapshot: StoreSnapshot,
        of storage: any Storage
    ) throws {
        let walk = try AncestryWalk([a], [b], in: snapshot)
        if walk.onlyFirst.isEmpty {
            self = .fastForward(b)
        } else if walk.onlySecond.isEmpty {
            self = .fastForward(a)
        } else if walk.firstAddsNothingAuthored || walk.secondAddsNothingAuthored {
            let winner: StoredVersion
            if walk.firstAddsNothingAuthored && walk.secondAddsNothingAuthored {
                winner = Recency(of: a).isPlainlyLater(than: Recency(of: b)) ? a : b
            } else {
                winner = walk.firstAddsNothingAuthored ? b : a
            }
            self = .make(
                try Self.record(.join, a, b, basis: winner, entries: []), contents: [:], decided: false)
        } else {
            let sides = [a, b].sorted(by: StoredVersion.canonicalOrder)
            let source = MergeSource(
                snapshot: snapshot, storage: storage, first: sides[0], second: sides[1],
                base: try VirtualBase(walk.common, in: snapshot))
            self = try ThreeWayMerge(source).plan(arbiter)
        }
    }

    static func record(
        _ kind: Version.Kind, _ a: StoredVersion, _ b: StoredVersion, basis: StoredVersion,
        entries: [ChangeList.Entry]
    ) throws -> VersionRecord {
        let parents = [a, b].sorted { $0.id < $1.id }
        return try VersionRecord(
            kind: kind, parents: parents.map(\.id), basis: basis.id,
            generation: max(a.generation, b.generation) + 1, stamp: max(a.stamp, b.stamp).next,
            time: max(a.time, b.time),
            metadata: Version.Metadata([:], branch: a.branch == b.branch ? a.branch : nil),
            changes: try ChangeList(entries))
    }
}

/// Compares two sides value by value with their base.
struct ThreeWayMerge {
    /// A value that the sides have differently.
    struct Item {
        let id: Value.ID
        let first: MapReference?
        let second: MapReference?
        let fork: Value.Fork
    }

    private let source: MergeSource
    private(set) var items: [Item] = []
    private var changedByFirst = 0
    private var changedBySecond = 0

    init(_ source: MergeSource) throws {
        self.source = source
        var items: [Item] = []
        var changedByFirst = 0
        var changedBySecond = 0
        let snapshot = source.snapshot
        try snapshot.differences(from: source.first, to: source.second) { id, first, second in
            let base = try source.base.content(id)
            let isFirst = Self.isChanged(first, from: base)
            let isSecond = Self.isChanged(second, from: base)
            if isFirst { changedByFirst += 1 }
            if isSecond { changedBySecond += 1 }
            let fork = Self.fork(first, second, base, isFirst: isFirst, isSecond: isSecond)
            items.append(Item(id: id, first: first, second: second, fork: fork))
        }
        self.items = items
        self.changedByFirst = changedByFirst
        self.changedBySecond = changedBySecond
    }

    /// Content without a base counts as changed: the arbiter is asked.
    private static func isChanged(_ side: MapReference?, from base: VirtualBase.Content) -> Bool {
        switch base {
        case .absent: side != nil
        case .stored(let hash): side?.contentHash != hash
        case .unresolved: true
        }
    }

    private static func fork(
        _ first: MapReference?, _ second: MapReference?, _ base: VirtualBase.Content, isFirst: Bool, isSecond: Bool
    ) -> Value.Fork {
        if isFirst && isSecond {
            if first == nil { return .removedAndUpdated(removedOn: .first) }
            if second == nil { return .removedAndUpdated(removedOn: .second) }
            return base == .absent ? .twiceInserted : .twiceUpdated
        }
        let side: Value.Fork.Side = isFirst ? .first : .second
        if (isFirst ? first : second) == nil { return .removed(side) }
        return base == .absent ? .inserted(side) : .updated(side)
    }

    func plan(_ arbiter: any MergeArbiter) throws -> MergePlan {
        let decided = items.contains(where: \.fork.isConflicting)
        let answers = decided ? try ask(arbiter) : [:]
        let first = source.first
        let second = source.second
        let firstIsBasis =
            changedByFirst == changedBySecond ? first.id < second.id : changedByFirst > changedBySecond
        var entries: [ChangeList.Entry] = []
        var contents: [Value.ID: Value.Content] = [:]
        for item in items {
            let basis = firstIsBasis ? item.first : item.second
            let other = firstIsBasis ? item.second : item.first
            let answer = answers[item.id]
            let result = answer.map(\.hash) ?? Self.undisputed(item)
            let entry = ChangeList.Entry.change(
                of: item.id, from: basis?.contentHash, to: result, hasOther: true, other: other?.contentHash,
                storing: try other.map { try source.snapshot.stored($0.version).id })
            guard let entry else { continue }
            entries.append(entry)
            if entry.operation == .insert || entry.operation == .update {
                contents[item.id] = answer?.content
            }
        }
        let record = try MergePlan.record(
            .merge, first, second, basis: firstIsBasis ? first : second, entries: entries)
        return .make(record, contents: contents, decided: decided)
    }

    /// What a fork without a conflict becomes: the content of the side that changed it.
    static func undisputed(_ item: Item) -> Digest? {
        switch item.fork {
        case .inserted(.first), .updated(.first), .removed(.first): item.first?.contentHash
        default: item.second?.contentHash
        }
    }

    private struct Answer {
        /// Nil: the value is to be absent.
        let hash: Digest?
        let content: Value.Content?
    }

    /// The arbiter's changes, each checked against the merge.
    private func ask(_ arbiter: any MergeArbiter) throws -> [Value.ID: Answer] {
        let snapshot = source.snapshot
        let merge = Merge(
            first: try source.first.version(), second: try source.second.version(),
            commonAncestors: try source.base.ancestors.map { try $0.version() },
            forks: Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.fork) }), source: source)
        let prepared = try PreparedChanges(try arbiter.changes(toResolve: merge))
        var answers: [Value.ID: Answer] = [:]
        for item in prepared.items {
            func misbehaved(_ what: String) -> StoreError { StoreError.misbehaved(what, item.id) }
            guard merge.forks[item.id] != nil else { throw misbehaved("changes a value that the sides have alike:") }
            let first = try snapshot.reference(item.id, source.first)?.contentHash
            let second = try snapshot.reference(item.id, source.second)?.contentHash
            var content: Value.Content?
            switch item.change {
            case .insert(let value), .update(let value): content = value.content
            case .preserve(let reference):
                guard first == reference.contentHash || second == reference.contentHash else {
                    throw misbehaved("preserves content that neither side has of")
                }
            case .preserveRemoval:
                guard first == nil || second == nil else { throw misbehaved("preserves a removal of") }
            case .remove: break
            }
            answers[item.id] = Answer(hash: item.hash, content: content)
        }
        for id in merge.conflicts where answers[id] == nil {
            throw StoreError.misbehaved("does not resolve the conflict about", id)
        }
        return answers
    }
}
