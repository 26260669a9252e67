import FileCoordination
import LLVSCore

extension FolderExchange {
    /// Sees to lost files that are due, once a second look shows the same. Returns how many versions are to be published for it.
    func carryDue(_ identity: StoreIdentity, _ outbox: Outbox) async throws -> Int {
        if dueLosses.isEmpty || !folder.mayWrite { return 0 }
        try await pause(.seconds(2))
        let still = Set(try losses(identity).map(\.digest))
        let losses = dueLosses.filter { still.contains($0.digest) }
        dueLosses = []
        return losses.isEmpty ? 0 : try carry(losses, identity, outbox)
    }

    private func losses(_ identity: StoreIdentity) throws -> [LaneLoss] {
        let listing = try folder.list()
        var pieces: Set<NameHash> = []
        for case .piece(let hash) in listing.files.map(\.name) { pieces.insert(hash) }
        return try store.inspect {
            try LaneLoss.all(in: listing, of: folder, pieces: pieces, zones: zones, identity, $0.reader)
        }
    }

    private func carry(_ losses: [LaneLoss], _ identity: StoreIdentity, _ outbox: Outbox) throws -> Int {
        var found = FolderVerification(identity: identity, level: .deep)
        try found.check(folder, adopted: []) { done, total in
            progress(SyncProgress(phase: .reading, done: done, total: total))
        }
        try Task.checkCancellation()
        return try carrying(identity).carry(losses, found, outbox)
    }

    /// Writes again whatever this device can prove: its own files, of which every byte is read; and the versions it has of
    /// files that others lost, in its own lane, without waiting. Deletes nothing. What stays broken is in the verification.
    ///
    /// - Throws: ``FolderSyncError`` as ``retrieve()`` and ``send()``; calling again goes on.
    public func repair() async throws -> FolderRepair {
        try await alone { try await $0.repairAlone() }
    }

    private func repairAlone() async throws -> FolderRepair {
        var report = try await retrieveAlone()
        let (identity, _) = try checkedIdentity()
        try store.exchange(now: clock()) { try zones.unconfirmOwn($0.writer) }
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        _ = try outbox.fill()
        // Own files first: what they hold need not be published twice.
        report = report.followed(by: try await sendAlone())
        report.carried += try carry(try losses(identity), identity, outbox)
        report = report.followed(by: try await sendAlone())
        let verification = try FolderVerification(of: folder) { done, total in
            progress(SyncProgress(phase: .reading, done: done, total: total))
        }
        return FolderRepair(report: report, verification: verification)
    }
}

/// What a repair of a folder did, and how the folder is after it.
public struct FolderRepair: Hashable, Sendable {
    /// What was read and written: `restored` own files, `carried` versions of others.
    public let report: SyncReport
    /// The folder afterwards.
    public let verification: FolderVerification
}

extension ExchangeZones {
    /// Makes the next look at own files read all of them.
    fileprivate func unconfirmOwn(_ writer: any StorageWriter) throws {
        var files: [([UInt8], OwnFile)] = []
        try scan(Self.own, in: writer) { key, bytes in
            files.append((key, try OwnFile(decoding: bytes)))
            return true
        }
        for (key, file) in files {
            var file = file
            file.confirmed = nil
            try writer.put(file.encoded, for: self.key(key), in: Self.own)
        }
        try OwnNotes.unconfirm(zones: self, writer)
    }
}
