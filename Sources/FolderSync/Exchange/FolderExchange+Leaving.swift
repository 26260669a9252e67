import LLVSCore

/// How a store left a folder.
public struct FolderDeparture: Hashable, Sendable {
    /// The lane it wrote. Its files stay and are read by all.
    public let lane: LaneID
    /// Versions that no lane of the folder has; they are in the store.
    public let unsent: Int
    /// Why the others could not be told, if so: they wait for the lane's files as if this device might come back.
    public let untold: FolderSyncError?
}

extension FolderExchange {
    /// Leaves the folder: sends what is not sent, notes in the own lane that nobody writes it any more, and forgets the
    /// attachment. Versions stay in the store; attaching again begins a new lane.
    ///
    /// Interrupted before the end, the store is still attached: it goes on in a new lane, or is told to leave again.
    /// - Parameter forced: leave even if work cannot be sent or the folder cannot be told.
    /// - Throws: ``FolderSyncError`` if anything cannot be sent or noted, unless forced: then the store is still attached.
    public func leave(forced: Bool = false) async throws -> FolderDeparture {
        try await alone { try await $0.leaveAlone(forced: forced) }
    }

    private func leaveAlone(forced: Bool) async throws -> FolderDeparture {
        var untold: FolderSyncError?
        do {
            _ = try await sendAlone()
            try noteRetirement()
        } catch let error as FolderSyncError where error.code != .notAttached {
            if !forced { throw try error.leaving(unsent()) }
            untold = error
        }
        let departure = FolderDeparture(lane: zones.lane, unsent: try unsent(), untold: untold)
        try store.exchange(now: clock()) { try zones.removeAttachment($0.writer) }
        return departure
    }

    private func noteRetirement() throws {
        let (identity, _) = try checkedIdentity()
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        let end = try store.inspect { try zones.attachmentRecord(in: $0.reader).last }
        let file = FolderNote.encode(.retired(zones.lane, end: end), store: identity, lane: zones.lane)
        let writer = try laneWriter(outbox, identity)
        _ = try writer.place(file.bytes, at: writer.path(file.name.text))
    }
}

extension FolderSyncError {
    fileprivate func leaving(_ count: Int) -> FolderSyncError {
        let versions = count == 1 ? "1 version is" : "\(count) versions are"
        let remedy = "\(remedy); or leave with --force, which keeps them in the store alone"
        return FolderSyncError(
            count == 0 ? code : .unsent, count == 0 ? what : "\(versions) not sent: \(what)", remedy: remedy,
            path: path,
            cause: cause)
    }
}
