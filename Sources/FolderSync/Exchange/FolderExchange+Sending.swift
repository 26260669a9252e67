import FileCoordination
import LLVSCore
import Synchronization

/// Writing into the own lane: what is new, what was lost, notes, packing.
extension FolderExchange {
    /// - Parameter isAfterRetrieve: whether a retrieve has just looked at the folder.
    func sendAlone(isAfterRetrieve: Bool = false) async throws -> SyncReport {
        var report = SyncReport()
        defer { passListing = nil }
        if isAfterRetrieve, let calm, try isCalm(calm.listing) {
            // By the time alone one may be due.
            try await keepSnapshots(isCalm: true, &report)
            return report
        }
        let (identity, _) = try checkedIdentity()
        // Nothing is sealed with a key before it is seen that it is that of the others.
        if try isSealUnproved(identity) { report = try await retrieveAlone() }
        if try isBootstrapping() {
            report.waiting.append(SyncReport.Item(file: "", reason: "the store is being set up from a snapshot"))
            return report
        }
        try await sendNew(identity, isAfterRetrieve: isAfterRetrieve, &report)
        try await keepSnapshots(isCalm: false, &report)
        return report
    }

    private func sendNew(
        _ identity: StoreIdentity, isAfterRetrieve: Bool, _ report: inout SyncReport
    ) async throws {
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        var record = try outbox.fill()
        report.carried = try await carryDue(identity, outbox)
        if report.carried > 0 { record = try outbox.fill() }
        let lostOnes = try await lostFiles(first: isAfterRetrieve ? passListing : nil)
        let notes = OwnNotes(store: store, zones: zones, identity: identity, folder: folder, now: clock())
        let dueNotes = try notes.due()
        if record.published == record.last.sequence, lostOnes.isEmpty, dueNotes.isEmpty {
            try tidy(outbox, identity, &report)
            if isAfterRetrieve, report == SyncReport() { try noteCalm() }
            return
        }
        do {
            // What is published must not be lost by a power cut here.
            try store.storage.sync()
            var writer = try laneWriter(outbox, identity)
            for lost in lostOnes {
                do {
                    try writer.restore(lost)
                    report.restored += 1
                } catch let error as FolderSyncError where error.code == .inputOutput {
                    // Something that is no file is in the way. One name never stops the others.
                    report.damaged.append(SyncReport.Item(file: lost.path, reason: "\(error)"))
                }
            }
            // Among them may be one that was never noted.
            let published = try store.inspect { try zones.attachmentRecord(in: $0.reader).published }
            let sent = try send(from: published + 1, to: record.last.sequence, outbox, &writer)
            report.sent += sent.0
            report.sentByteCount += sent.bytes
            // Last: a note about carried versions speaks of entries that are there.
            for note in dueNotes { try notes.write(note, with: writer) }
        } catch let error as FolderSyncError where error.code == .readOnly || error.code == .noSpace {
            throw try error.saying(waiting: unsent())
        }
        if lostOnes.isEmpty { try tidy(outbox, identity, &report) }
    }

    /// Returns how many versions were sent, and their bytes.
    private func send(
        from first: UInt64, to last: UInt64, _ outbox: Outbox, _ writer: inout LaneWriter
    ) throws -> (Int, bytes: Int) {
        let total = Int(last + 1 - first)
        if total == 0 { return (0, 0) }
        let bytes = try outbox.byteCount(first...last)
        let told = Mutex(SendingProgress(versions: total, bytes: bytes))
        let tell = { [progress] (change: (inout SendingProgress) -> Void) in
            progress(
                told.withLock { step in
                    change(&step)
                    return step.now
                })
        }
        writer.onSent = { length in tell { $0.pass(bytes: length) } }
        tell { _ in }
        var next = first
        while next <= last {
            try Task.checkCancellation()
            next = try writer.writeEntries(from: next, to: last) + 1
            let done = Int(next - first)
            tell { $0.pass(versions: done) }
        }
        return (total, bytes)
    }

    /// Nothing was to be sent: if nothing came either, and nothing is to go in time, this look at the folder was one in vain.
    private func noteCalm() throws {
        guard let look = lastLook, look.report.isIdle else { return }
        let isWaiting = try store.inspect { try !OwnFileRecords(zones: zones).replaced(in: $0.reader).isEmpty }
        if isWaiting { return }
        calm = look
        calm?.report.readByteCount = 0
    }

    /// Takes away what larger files stand in for since an earlier pass, then packs what has become many. Nothing depends on
    /// it: what fails is done at a later pass.
    private func tidy(_ outbox: Outbox, _ identity: StoreIdentity, _ report: inout SyncReport) throws {
        let own = OwnEntries(store: store, zones: zones, outbox: outbox, identity: identity, folder: folder)
        do {
            let swept = try ReplacedFileSweep(own: own, now: outbox.now).run()
            report.removed += swept.removed
            report.damaged += swept.refused
            report.packed += try LanePacker.run(own) { try laneWriter(outbox, identity) }
        } catch let error as FolderSyncError {
            if error.code == .readOnly || error.code == .noSpace { return }
            report.damaged.append(SyncReport.Item(file: zones.lane.description, reason: "\(error)"))
        }
    }

    /// Own files that are missing or wrong at two looks, two seconds apart.
    /// - Parameter listing: the first look, if it was just taken.
    private func lostFiles(first listing: SharedFolder.Listing?) async throws -> [OwnFileCheck.Suspect] {
        let check = OwnFileCheck(store: store, zones: zones, folder: folder, now: clock())
        let first = Set(try check.suspects(in: try listing ?? folder.list()).map(\.path))
        if first.isEmpty { return [] }
        try await pause(.seconds(2))
        return try check.suspects(in: try folder.list()).filter { first.contains($0.path) }
    }
}

extension FolderSyncError {
    fileprivate func saying(waiting count: Int) -> FolderSyncError {
        if count == 0 { return self }
        let versions = count == 1 ? "1 version waits" : "\(count) versions wait"
        return FolderSyncError(code, "\(what); \(versions)", remedy: remedy, path: path, cause: cause)
    }
}
