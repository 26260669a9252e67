extension Store {
    /// Makes an authored version: `changes` on top of `base`, or, with `second`, a person's merge of both.
    ///
    /// With two parents the changes say what the result has for the ids they name; every other id that the two have
    /// differently keeps the content of `base`. Changes that change nothing are left out; if nothing is left and there is
    /// one parent, no version is made and `base` is returned. Streams are read twice, first for their hash.
    ///
    /// - Parameters:
    ///   - metadata: kept with the version and part of its id; keys that start with "llvs." are reserved.
    ///   - now: milliseconds since 1970.
    /// - Throws: ``StoreError`` with `.noSuchVersion`, or `.invalidChanges` if an id is named twice, an update or removal
    ///   names a value that is not there, or a preserve names content that neither parent has.
    public func makeVersion(
        basedOn base: Version.ID, and second: Version.ID? = nil, changes: [Value.Change], branch: Branch? = nil,
        metadata: [String: [UInt8]] = [:], now: Int64 = Store.wallClock()
    ) throws -> Version {
        let prepared = try PreparedChanges(changes)
        return try write(now: now) { transaction in
            let parents = try [base, second].compactMap(\.self).map { try transaction.snapshot.get($0) }
            return try transaction.commit(prepared, onto: parents, branch: branch, metadata: metadata).version()
        }
    }
}

/// Changes whose contents are hashed, before any lock is taken.
struct PreparedChanges {
    struct Item {
        let change: Value.Change
        let id: Value.ID
        /// The content it wants, or nil for none.
        let hash: Digest?
    }

    /// Ascending by id.
    let items: [Item]

    init(_ changes: [Value.Change]) throws {
        var items = try changes.map { change in
            switch change {
            case .insert(let value), .update(let value):
                Item(change: change, id: value.id, hash: try value.content.digest())
            case .preserve(let reference): Item(change: change, id: reference.id, hash: reference.contentHash)
            case .remove(let id), .preserveRemoval(let id): Item(change: change, id: id, hash: nil)
            }
        }
        items.sort { $0.id < $1.id }
        for (item, next) in zip(items, items.dropFirst()) where item.id == next.id {
            throw StoreError(
                .invalidChanges, "the value '\(item.id)' is changed twice in one version", remedy: "name it once")
        }
        self.items = items
    }
}

extension StoreTransaction {
    func commit(
        _ prepared: PreparedChanges, onto bases: [StoredVersion], branch: Branch?, metadata: [String: [UInt8]]
    ) throws -> StoredVersion {
        let parents = bases.sorted { $0.id < $1.id }
        if parents.count == 2, parents[0].row == parents[1].row || parents.contains(where: \.isRoot) {
            throw StoreError(
                .invalidChanges, "a merge needs two different versions, neither of them the root",
                remedy: "base the changes on the other version alone")
        }
        let basis = bases[0]
        let other = bases.count == 2 ? bases[1] : nil
        var contents: [Value.ID: Value.Content] = [:]
        var entries: [ChangeList.Entry] = []
        for item in prepared.items {
            guard let entry = try entry(item, basis: basis, other: other) else { continue }
            entries.append(entry)
            switch item.change {
            case .insert(let value), .update(let value): contents[item.id] = value.content
            case .remove, .preserve, .preserveRemoval: break
            }
        }
        if entries.isEmpty, parents.count == 1 { return basis }
        let stamp = Stamp.authored(now: now, after: parents.map(\.stamp))
        let record = try VersionRecord(
            kind: .authored, parents: parents.map(\.id), basis: basis.id,
            generation: (parents.map(\.generation).max() ?? 0) + 1, stamp: stamp, time: now,
            metadata: Version.Metadata(metadata, branch: branch), changes: try ChangeList(entries))
        return try add(record, state: .firm, isOwn: true) { entry in
            guard let content = contents[entry.id] else {
                throw StoreError(.invalidChanges, "no content for '\(entry.id)'", remedy: "supply it")
            }
            return content
        }
    }

    /// What a change means against the basis, or nil if nothing.
    private func entry(
        _ item: PreparedChanges.Item, basis: StoredVersion, other: StoredVersion?
    ) throws -> ChangeList.Entry? {
        let before = try snapshot.reference(item.id, basis)
        let beside = try other.flatMap { try snapshot.reference(item.id, $0) }
        switch item.change {
        case .preserve(let reference):
            guard [before?.contentHash, beside?.contentHash].contains(reference.contentHash) else {
                throw StoreError(
                    .invalidChanges, "no parent has the content of '\(item.id)' that is to be preserved",
                    remedy: "take the reference from one of the versions that are merged")
            }
        case .update where before == nil && beside == nil, .remove where before == nil && beside == nil:
            throw StoreError(
                .invalidChanges, "there is no value '\(item.id)' to change in the version it is based on",
                remedy: "insert it, or base the change on a version that has it")
        case .preserveRemoval where before != nil && (other == nil || beside != nil):
            throw StoreError(
                .invalidChanges, "no parent has removed '\(item.id)'", remedy: "remove it instead")
        case .insert, .update, .remove, .preserveRemoval: break
        }
        return ChangeList.Entry.change(
            of: item.id, from: before?.contentHash, to: item.hash, hasOther: other != nil, other: beside?.contentHash,
            storing: try beside.map { try snapshot.stored($0.version).id })
    }
}

extension ChangeList.Entry {
    /// The one entry that turns `before` into `after`, or nil if they are equal. What the other parent has is preserved
    /// rather than changed anew.
    static func change(
        of id: Value.ID, from before: Digest?, to after: Digest?, hasOther: Bool, other: Digest?, storing: Version.ID?
    ) -> ChangeList.Entry? {
        if before == after { return nil }
        let preserves = hasOther && after == other
        let operation: ChangeList.Operation =
            switch (after, preserves) {
            case (nil, true): .preserveRemoval
            case (nil, false): .remove
            case (_, true): .preserve
            case (_, false): before == nil ? .insert : .update
            }
        return ChangeList.Entry(
            id: id, operation: operation, contentHash: after ?? .zero, replacedHash: before ?? .zero,
            storingVersion: operation == .preserve ? storing : nil)
    }
}
