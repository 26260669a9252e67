import LLVSCore

/// Whether the store holds all it knows of, so that a snapshot of it can stand in for the folder.
struct SnapshotReadiness {
    let zones: ExchangeZones
    let identity: StoreIdentity
    let view: ExchangeView

    func check(_ folder: String) throws {
        guard let problem = try problem() else { return }
        throw FolderSyncError(
            .notReady, "no snapshot can be made of this store yet: \(problem)",
            remedy: "sync again until nothing is waiting", path: folder)
    }

    private func problem() throws -> String? {
        let record = try zones.attachmentRecord(in: view.reader)
        let versions = try view.firmCount()
        if record.hasTwin { return "another copy of it writes to the same lane" }
        if try zones.bootstrapRecord(in: view.reader) != nil { return "it is being set up" }
        if versions == 0 { return "it has no versions" }
        if record.scanned < versions || record.published < record.last.sequence { return "not all of it is sent" }
        let waiting = WaitingReport(zones: zones, identity: identity, view: view)
        if let item = try waiting.items().first { return item.reason }
        return nil
    }
}
