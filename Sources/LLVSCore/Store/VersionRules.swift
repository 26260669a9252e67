/// What a version must be in view of its parents, whoever made it. Ids prove what the bytes are, not that they make sense:
/// this is checked once, at the door, so that no later read can meet a contradiction.
enum VersionRules {
    static func check(_ record: VersionRecord, parents: [StoredVersion], in snapshot: StoreSnapshot) throws {
        let version = record.version
        func refuse(_ why: String) -> StoreError {
            StoreError(
                .invalidVersion, "the version \(version.id) is not valid: \(why)",
                remedy: "it was made by faulty software; update the device that made it")
        }
        guard let greatest = parents.map(\.generation).max(), version.generation == greatest + 1 else {
            throw refuse("its generation is not one more than its parents'")
        }
        guard parents.allSatisfy({ $0.stamp < version.stamp }) else {
            throw refuse("its stamp is not later than its parents'")
        }
        // A stamp at the end of time would leave no later one for the children.
        guard version.stamp.milliseconds <= Stamp.believedMilliseconds.upperBound + 1_000 else {
            throw refuse("its stamp is later than any clock can say")
        }
        guard Int(version.basisIndex) < parents.count else { throw refuse("its basis is no parent") }
        let basis = parents[Int(version.basisIndex)]
        let other = parents.count == 2 ? parents[1 - Int(version.basisIndex)] : nil
        if version.kind != .authored {
            // No author and no clock: a merge is a function of its parents.
            let branches = Set(parents.map(\.branch))
            let branch = branches.count == 1 ? parents[0].branch : nil
            guard version.stamp == parents.map(\.stamp).max()?.next, version.time == parents.map(\.time).max(),
                version.metadata == Version.Metadata([:], branch: branch)
            else { throw refuse("it is a merge and states what only an author can") }
        }
        if version.kind == .join, let other {
            // A join shows its basis alone: nothing of the other side may be work that the basis does not have.
            let walk = try AncestryWalk([other], [basis], in: snapshot)
            guard walk.firstAddsNothingAuthored,
                !walk.secondAddsNothingAuthored || Recency(of: basis).isPlainlyLater(than: Recency(of: other))
            else { throw refuse("it joins two versions and hides work of one") }
        }
        for entry in record.changes.entries {
            let before = try snapshot.reference(entry.id, basis)?.contentHash ?? .zero
            guard before == entry.replacedHash else {
                throw refuse("it replaces other content of '\(entry.id)' than its basis has")
            }
            let after: Digest
            switch entry.operation {
            case .insert, .update:
                guard (entry.operation == .insert) == (before == .zero) else {
                    throw refuse("'\(entry.id)' is inserted where it exists, or updated where it does not")
                }
                after = entry.contentHash
                if let other, try snapshot.reference(entry.id, other)?.contentHash == after {
                    throw refuse("'\(entry.id)' equals the other parent's content and is not preserved")
                }
            case .remove:
                after = .zero
                if let other, try snapshot.reference(entry.id, other) == nil {
                    throw refuse("'\(entry.id)' is absent in the other parent and its removal is not preserved")
                }
            case .preserve:
                guard let other, let reference = try snapshot.reference(entry.id, other),
                    reference.contentHash == entry.contentHash,
                    try snapshot.stored(reference.version).id == entry.storingVersion
                else { throw refuse("it preserves content of '\(entry.id)' that its other parent does not have") }
                after = entry.contentHash
            case .preserveRemoval:
                guard let other, try snapshot.reference(entry.id, other) == nil else {
                    throw refuse("it preserves a removal of '\(entry.id)' that its other parent does not have")
                }
                after = .zero
            }
            if after == before { throw refuse("its change of '\(entry.id)' changes nothing") }
        }
    }
}
