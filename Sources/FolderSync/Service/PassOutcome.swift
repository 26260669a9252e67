public import LLVSCore

/// What one pass did: retrieve, merge, send.
public struct PassOutcome: Hashable, Sendable {
    /// Files and versions that came and went.
    public let report: SyncReport
    /// What the merge of the heads did.
    public let merge: MergeOutcome
    /// Why nothing could be sent although something is waiting, or nil. What came was taken in all the same.
    public let sendFailure: FolderSyncError?
    /// Why the store has nothing to begin with yet although the folder is said to have, or cannot go on: what it lacks has been
    /// missing for more than an hour of passes, and no file or snapshot in the folder has it. Nil while it can.
    public let needsBootstrap: String?

    /// The current version afterwards.
    public var current: Version.ID { merge.current }

    /// Both passes as one: counts are added up, what waits is as of the later one.
    func followed(by later: PassOutcome) -> PassOutcome {
        var merge = later.merge
        merge.made += self.merge.made
        return PassOutcome(
            report: report.counts(addedTo: later.report), merge: merge, sendFailure: later.sendFailure,
            needsBootstrap: later.needsBootstrap)
    }
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
            let report = retrieved.followed(by: sent)
            return PassOutcome(
                report: report, merge: merge, sendFailure: nil, needsBootstrap: try whatIsLacked(report))
        } catch let error as FolderSyncError where error.isAboutSending {
            var report = retrieved
            report.waiting.append(SyncReport.Item(file: "", reason: error.what))
            return PassOutcome(
                report: report, merge: merge, sendFailure: error, needsBootstrap: try whatIsLacked(report))
        }
    }
}

extension FolderExchange {
    /// Why the store cannot begin, or go on, with what is in the folder: from the store alone, as of the last pass.
    public func needsBootstrap() throws -> String? {
        try store.inspect { view in
            guard let identity = try Self.identity(in: view.reader) else { return nil }
            return try WaitingReport(zones: zones, identity: identity, view: view).stuck()
        }
    }

    private func whatIsLacked(_ report: SyncReport) throws -> String? {
        if report.waiting.isEmpty { return nil }
        guard try versionCount() == 0 || isBootstrapping() else { return try needsBootstrap() }
        // What is said of the folder as a whole says most.
        return (report.waiting.last { $0.file.isEmpty } ?? report.waiting[0]).reason
    }

    /// The number of firm versions, if no pass has looked at all of them yet: something is to be sent.
    func unseenCount() throws -> Int64? {
        try store.inspect { view in
            let count = try view.firmCount()
            return try zones.attachmentRecord(in: view.reader).scanned < count ? count : nil
        }
    }
}

extension FolderSyncError {
    fileprivate var isAboutSending: Bool { [.readOnly, .noSpace, .transformFailed].contains(code) }
}
