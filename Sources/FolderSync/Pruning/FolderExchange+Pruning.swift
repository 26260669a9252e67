import FileCoordination
public import LLVSCore

/// What a call of ``FolderExchange/prune(keeping:dryRun:)`` took away, or would take away.
public struct FolderPruning: Hashable, Sendable {
    /// Values that lose their bytes.
    public let values: PrunedValues
    /// Own files of entries that were written again without such values; the old ones go at later passes.
    public internal(set) var files = 0
    /// Own pieces of values that were removed.
    public internal(set) var pieces = 0
    /// What happened in the folder before.
    public let report: SyncReport
}

extension FolderExchange {
    /// Takes the bytes of old values out of the store, and out of this attachment's files in the folder.
    ///
    /// Old is what only versions show that the newest own snapshot in the folder contains. Of these, what a head or the end of
    /// a branch shows stays, what is current, what the versions in `keeping` show, what any other device is known to have had
    /// when it last wrote to a folder of this store, however long ago, and what a merge of any two of those may begin with. So do
    /// ids, hashes, times, and who changed what: versions and change lists are never pruned. An old value is then read as
    /// ``LLVSCore/StoreError/Code/valuePruned``, on this device, and on every device that begins with files written from now
    /// on; whoever has the value keeps it. A merge that needs one as its base waits for a device that has it.
    ///
    /// Nothing else calls this: it is done when an app or a person says so, and it cannot be undone here. New files have a
    /// feature that older software takes for a newer version's. Files of this store in other folders stay as they are.
    /// Interrupted anywhere, it is finished by the next call, which also takes away files of large values that nothing in the
    /// folder names any more: not before the replaced files and the snapshots of before have gone.
    ///
    /// Costs reading the folders of the store once, and each version of the store.
    /// - Parameters:
    ///   - keeping: a few versions that somebody may still save an edit on, such as that of a document that has been open for
    ///     long: what they show stays, and what such an edit needs to be merged.
    ///   - dryRun: nothing is written anywhere; the values that would go are counted.
    /// - Throws: ``FolderSyncError``: as ``retrieve()`` and ``send()``; `.notReady` if there is no complete snapshot of this
    ///   attachment, if the store does not hold everything, or if files are missing that tell what other devices have;
    ///   `.unsent` if anything waits to be sent to any folder. Then nothing was pruned.
    @discardableResult
    public func prune(keeping: Set<Version.ID> = [], dryRun: Bool = false) async throws -> FolderPruning {
        try await alone { try await $0.pruneAlone(keeping, dryRun) }
    }

    private func pruneAlone(_ kept: Set<Version.ID>, _ isRehearsal: Bool) async throws -> FolderPruning {
        var report = SyncReport()
        if !isRehearsal { report = try await retrieveAlone().followed(by: try await sendAlone()) }
        let (identity, _) = try checkedIdentity()
        try checkNothingIsUnsent()
        try store.inspect { try SnapshotReadiness(zones: zones, identity: identity, view: $0).check(folder.path) }
        let set = try completeSet(identity)
        let keptRows = try store.inspect { view in try kept.compactMap { try view.row(of: $0) } }
        let states = try statesOfOthers(identity) + keptRows.map { [$0] }
        let values = try store.pruneValues(
            before: Int64(clamping: set.manifest.versions), states: states, isRehearsal: isRehearsal
        ) { done, total in
            try Task.checkCancellation()
            progress(SyncProgress(phase: .pruning, done: done, total: total))
        }
        var pruning = FolderPruning(values: values, report: report)
        if isRehearsal { return pruning }
        // What is published must not lack what a power cut brings back.
        try store.storage.sync()
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        let own = OwnEntries(store: store, zones: zones, outbox: outbox, identity: identity, folder: folder)
        let pruner = LanePruner(own: own, writer: try laneWriter(outbox, identity))
        pruning.files = try pruner.rewriteEntries()
        pruning.pieces = try pruner.removePieces()
        return pruning
    }

    private func checkNothingIsUnsent() throws {
        for attachment in try Self.attachments(of: store) where try store.unsent(in: attachment) > 0 {
            throw FolderSyncError(
                .unsent, "not everything is sent; nothing was pruned", remedy: "sync the store with the folder first",
                path: attachment.folder)
        }
    }

    /// The newest own set that is there in full, with every piece of values, and reads to its end.
    private func completeSet(_ identity: StoreIdentity) throws -> OwnSetRecord {
        let listing = try folder.list()
        var there: Set<NameHash> = []
        for case .piece(let name) in listing.files.map(\.name) { there.insert(name) }
        var search = SetSearch(folder: folder, identity: identity)
        let found = try search.run(listing)
        for own in try store.inspect({ try zones.ownSets(in: $0.reader) }) where own.state != .planned {
            guard let set = found.first(where: { $0.manifest == own.digest && $0.isComplete }) else { continue }
            var isWhole = true
            do {
                try PieceNames.forEachPiece(of: set, in: folder, identity) { piece in
                    if !folder.names(of: NameHash(piece), in: identity).contains(where: there.contains) {
                        isWhole = false
                    }
                }
            } catch is SetUnusable { continue }
            if isWhole { return own }
        }
        throw FolderSyncError(
            .notReady, "there is no complete snapshot of this store in the folder; nothing was pruned",
            remedy: "write one first: publishSnapshot(), or `foldersync snapshot STORE FOLDER`",
            path: folder.path)
    }

    /// What other devices are known to have, in any folder of the store.
    private func statesOfOthers(_ identity: StoreIdentity) throws -> [[Int64]] {
        try Self.attachments(of: store).flatMap { attachment in
            var place = SharedFolder(path: attachment.folder, files: folder.files)
            place.seal = folder.seal
            let states = try LaneStates(of: store, identity, in: place, try place.list())
            return try states.states(besides: ExchangeZones(attachment))
        }
    }
}
