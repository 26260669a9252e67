import LLVSCore

/// What lets a pass that has nothing to do see so at once.
extension FolderExchange {
    /// What a retrieve saw and said.
    struct Look {
        let picture: FolderPicture
        var report: SyncReport

        var listing: SharedFolder.Listing { picture.listing }
    }

    /// A calm pass, and all it depended on.
    struct Rest {
        let coordinator: StoreCoordinator
        /// What was committed when it began.
        let mark: StorageChangeMark
        let mayWrite: Bool
        let snapshot: LastSnapshot
        let outcome: PassOutcome
        /// Milliseconds since 1970.
        let noted: Int64
    }

    /// From what follows by the time alone whether a snapshot is due.
    struct LastSnapshot {
        let last: (created: Int64, versionCount: Int)?
        let versions: Int
    }

    /// How the folder looks. Where nothing changed, costs a walk and a comparison.
    func look() throws -> FolderPicture {
        if let calm, calm.picture.isCurrent(in: folder) { return calm.picture }
        return try folder.picture()
    }

    /// Whether the folder looks as at a pass that found nothing to do, and nothing is to be sent since.
    func isCalm(_ listing: SharedFolder.Listing) throws -> Bool {
        guard let calm, calm.listing == listing else { return false }
        return try store.inspect { view in
            let record = try zones.attachmentRecord(in: view.reader)
            return try !record.hasTwin && record.lastPass == 0 && record.published == record.last.sequence
                && record.scanned == view.firmCount()
        }
    }

    /// What the last pass said, if it was calm and neither the folder nor the store changed since: this one would say the same.
    /// For an hour: a whole pass also does what is due by the time alone, like cleaning away merges that were dropped long ago.
    func rested(
        _ coordinator: StoreCoordinator, _ mark: StorageChangeMark?, _ mayWrite: Bool
    ) throws -> PassOutcome? {
        guard let rest, let calm, rest.coordinator === coordinator, rest.mark == mark, rest.mayWrite == mayWrite,
            (0..<3_600_000).contains(clock() &- rest.noted), !isDue(rest.snapshot), calm.picture.isCurrent(in: folder)
        else { return nil }
        return rest.outcome
    }

    func noteRest(
        _ outcome: PassOutcome, _ coordinator: StoreCoordinator, _ mark: StorageChangeMark?, _ mayWrite: Bool
    ) throws {
        rest = nil
        guard calm != nil, let mark, let lastSnapshot, outcome.report.isIdle, outcome.report.notices.isEmpty,
            outcome.report.isWithoutWork, outcome.merge.made == 0, outcome.sendFailure == nil
        else { return }
        rest = Rest(
            coordinator: coordinator, mark: mark, mayWrite: mayWrite, snapshot: lastSnapshot, outcome: outcome,
            noted: clock())
    }

    private func isDue(_ snapshot: LastSnapshot) -> Bool {
        snapshots.isDue(after: snapshot.last, now: clock(), versionCount: snapshot.versions)
    }
}

extension SyncReport {
    /// Whether nothing was read or written.
    fileprivate var isWithoutWork: Bool {
        readByteCount == 0 && sent == 0 && restored == 0 && packed == 0 && removed == 0 && carried == 0
    }
}
