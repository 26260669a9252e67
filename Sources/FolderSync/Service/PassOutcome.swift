public import LLVSCore

/// What one pass did: retrieve, merge, send.
public struct PassOutcome: Hashable, Sendable {
    /// Files and versions that came and went.
    public let report: SyncReport
    /// What the merge of the heads did.
    public let merge: MergeOutcome
    /// Why nothing could be sent although something is waiting, or nil. What came was taken in all the same.
    public let sendFailure: FolderSyncError?

    /// The current version afterwards.
    public var current: Version.ID { merge.current }
}

extension FolderExchange {
    /// One pass, alone of all processes: retrieves, merges all heads into the coordinator's current version, and sends.
    ///
    /// A folder that cannot be written to does not stop what can be read: the failure is in the outcome.
    /// - Throws: ``FolderSyncError`` if the folder is missing, empty, unmounted or another store's: nothing was changed.
    public func pass(_ coordinator: StoreCoordinator) async throws -> PassOutcome {
        try await alone { exchange in
            // Asked before anything is looked at: what changes during the pass is for the next one.
            let mark = try exchange.store.storage.changeMark()
            let mayWrite = exchange.folder.mayWrite
            if let outcome = try exchange.rested(coordinator, mark, mayWrite) { return outcome }
            let outcome = try await exchange.wholePass(coordinator)
            try exchange.noteRest(outcome, coordinator, mark, mayWrite)
            return outcome
        }
    }

    private func wholePass(_ coordinator: StoreCoordinator) async throws -> PassOutcome {
        let retrieved = try await retrieveAlone()
        // A device that cannot publish must not make decisions that others would have to know of.
        let publishing = try canPublish() && !retrieved.isAwaitingAnnounced
        let merge = try await coordinator.merge(publishing: publishing)
        do {
            let sent = try await sendAlone(isAfterRetrieve: true)
            return PassOutcome(report: retrieved.followed(by: sent), merge: merge, sendFailure: nil)
        } catch let error as FolderSyncError where error.isAboutSending {
            var report = retrieved
            report.waiting.append(SyncReport.Item(file: "", reason: error.what))
            return PassOutcome(report: report, merge: merge, sendFailure: error)
        }
    }
}

extension FolderSyncError {
    fileprivate var isAboutSending: Bool { [.readOnly, .noSpace, .transformFailed].contains(code) }
}
