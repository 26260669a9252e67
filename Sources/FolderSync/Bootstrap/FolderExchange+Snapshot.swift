import LLVSCore

/// A snapshot of a store in a shared folder.
public struct FolderSnapshot: Hashable, Sendable {
    /// The 16 characters that its files have in their names.
    public let set: String
    /// How many versions it has.
    public let versions: Int
    /// How many files it consists of.
    public let files: Int
    /// The bytes of its records before compression.
    public let byteCount: Int

    init(_ record: OwnSetRecord) {
        set = record.place(1).set
        versions = Int(clamping: record.manifest.versions)
        files = record.count
        byteCount = record.manifest.pieces.reduce(0) { $0 + $1.length }
    }
}

extension FolderExchange {
    /// Writes a snapshot of the store into the own lane of the folder: all versions, from which a new device can begin without
    /// reading the entries. What is new in the folder is taken in first, and what is new here is sent.
    ///
    /// Costs reading the whole store twice, with one piece of at most 8 MiB in memory. Interrupted, it is finished by the next
    /// call; what was written is kept. The two newest snapshots of this attachment are kept; those before are deleted at a
    /// later pass, when the newer ones were read again.
    /// - Throws: ``FolderSyncError``: as ``retrieve()`` and ``send()``, and `.notReady` if the store does not hold everything
    ///   yet that the folder is known to have.
    @discardableResult
    public func publishSnapshot() async throws -> FolderSnapshot {
        try await publishSnapshot(pieceLength: SnapshotPublisher.pieceLength)
    }

    /// As above, with pieces of another length.
    func publishSnapshot(pieceLength: Int) async throws -> FolderSnapshot {
        try await alone { exchange in
            _ = try await exchange.retrieveAlone()
            _ = try await exchange.sendAlone()
            let publisher = try exchange.snapshotPublisher(pieceLength: pieceLength)
            _ = try await exchange.careForSnapshots(publisher)
            return FolderSnapshot(try publisher.publish())
        }
    }

    /// Whether the store is being set up from a snapshot: until that is done it has no versions to send.
    func isBootstrapping() throws -> Bool {
        try store.inspect { try zones.bootstrapRecord(in: $0.reader) } != nil
    }

    /// Looks after own snapshots, and writes one if it is due. What goes wrong is no failure of the pass: snapshots add
    /// nothing that the lanes do not have.
    /// - Parameter isCalm: the folder looks as at an earlier pass, at which the snapshots were looked after.
    func keepSnapshots(isCalm: Bool, _ report: inout SyncReport) async throws {
        let (sets, versions, hasAbandoned) = try store.inspect { view in
            (
                try zones.ownSets(in: view.reader), Int(clamping: try view.firmCount()),
                try OwnFileRecords(zones: zones).hasSweptSnapshots(in: view.reader)
                    || !zones.abandonedSets(in: view.reader).isEmpty
            )
        }
        let areAllVerified = sets.allSatisfy { $0.state == .verified }
        lastSnapshot = areAllVerified ? LastSnapshot(last: sets.lastWritten, versions: versions) : nil
        let needsCare = !areAllVerified || (!isCalm && (!sets.isEmpty || hasAbandoned))
        // Where nothing can be written, reading what is missing would be in vain.
        guard try needsCare || isSnapshotDue(), folder.mayWrite else { return }
        do {
            let publisher = try snapshotPublisher()
            let broken = try await careForSnapshots(publisher)
            try publisher.finish()
            report.restored += broken
            if try isSnapshotDue() { _ = try publisher.publish() }
        } catch let error as FolderSyncError where error.code == .notReady {
            // At a later pass.
        } catch let error as FolderSyncError {
            report.waiting.append(SyncReport.Item(file: "", reason: error.what))
        } catch let error as StoreError {
            report.waiting.append(SyncReport.Item(file: "", reason: "no snapshot was written: \(error.what)"))
        }
    }

    private func isSnapshotDue() throws -> Bool {
        if snapshots == .disabled { return false }
        return try store.inspect { view in
            snapshots.isDue(
                after: try zones.ownSets(in: view.reader).lastWritten, now: clock(),
                versionCount: Int(try view.firmCount()))
        }
    }

    /// Reads what changed of the sets that are kept. What is missing or wrong at two looks, two seconds apart, is to be written
    /// again, unless two newer sets are there. Returns how many files that are.
    private func careForSnapshots(_ publisher: SnapshotPublisher) async throws -> Int {
        let listing = try folder.list()
        var broken = try OwnSetCare(publisher: publisher, listing: listing).look(at: try publisher.sets())
        var again = 0
        if !broken.isEmpty {
            try await pause(.seconds(2))
            let later = try folder.list()
            broken = try OwnSetCare(publisher: publisher, listing: later).look(at: broken.map(\.set))
            again = try publisher.plan(again: broken, later)
        }
        try publisher.deleteOld()
        try publisher.deleteAbandoned(listing)
        return again
    }
}

extension [OwnSetRecord] {
    /// When the last set that is wholly written was planned, and with how many versions.
    fileprivate var lastWritten: (created: Int64, versionCount: Int)? {
        first { $0.state != .planned }.map { ($0.created, Int(clamping: $0.manifest.versions)) }
    }
}
