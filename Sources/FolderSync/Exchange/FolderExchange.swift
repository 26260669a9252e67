public import FileCoordination
public import LLVSCore

/// Exchanges a store's versions with the other devices through a shared folder that something else carries around.
///
/// Retrieving only reads the folder; sending writes only into the attachment's own lane. Both may be interrupted anywhere and
/// are finished by the next. Costs follow what is new: a file that was taken in is not read again. The folder's format is
/// described in the article "The shared folder's format".
///
/// Runs on a queue of its own, never on Swift's cooperative pool. `init` starts nothing.
public actor FolderExchange: Exchange {
    /// The store.
    public nonisolated let store: Store
    /// The membership this exchange serves.
    public nonisolated let attachment: FolderAttachment
    private nonisolated let executor: BlockingExecutor
    nonisolated let folder: SharedFolder
    private let zones: ExchangeZones
    private let clock: @Sendable () -> Int64
    private let pause: @Sendable (Duration) async throws -> Void
    private let onWaiting: @Sendable (String) -> Void
    private let progress: @Sendable (SyncProgress) -> Void
    private var strangers: [String: SharedFolder.Signature] = [:]
    /// What the last retrieve saw and said.
    private var lastLook: Look?
    /// What the last pass saw and said, if it found nothing to do at all: while all looks the same, there is nothing again.
    private var calm: Look?
    private let serializer: PathSerializer

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An exchange for an attachment of the store.
    /// - Parameters:
    ///   - files: where the folder's files are read and written.
    ///   - clock: milliseconds since 1970.
    ///   - pause: waits, for the two looks before a lost file is written again and for the lock.
    ///   - onWaiting: told once who else is exchanging with this store's folders, when that must be waited for.
    ///   - progress: told how far a long step is.
    public init(
        store: Store, attachment: FolderAttachment, files: any FileSystem = .local,
        clock: @escaping @Sendable () -> Int64 = Store.wallClock,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onWaiting: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in }
    ) {
        self.store = store
        self.attachment = attachment
        self.clock = clock
        self.pause = pause
        self.onWaiting = onWaiting
        self.progress = progress
        folder = SharedFolder(path: attachment.folder, files: files)
        zones = ExchangeZones(lane: attachment.lane)
        serializer = PathSerializer(files: files)
        executor = BlockingExecutor(label: "FolderExchange.\(attachment.lane)")
    }

    /// Reads what is new in the folder and adds every version that can be added.
    ///
    /// - Throws: ``FolderSyncError`` if the folder is missing, empty, unmounted or another store's: nothing was changed.
    public func retrieve() async throws -> SyncReport {
        try await alone { try await $0.retrieveAlone() }
    }

    /// Writes every firm version that no lane of the folder holds, and writes own files again that were lost or damaged.
    ///
    /// An own file that is missing or wrong is looked at again after two seconds before it is replaced.
    /// - Throws: ``FolderSyncError``: as ``retrieve()``, and `.readOnly`, `.noSpace` or `.twin`; what was not sent goes out
    ///   with a later call.
    public func send() async throws -> SyncReport {
        try await alone { try await $0.sendAlone() }
    }

    /// What is waiting and why, from the store alone: versions that came too early, lanes that are said to go further, and
    /// own work that is not sent yet.
    public func waiting() throws -> [SyncReport.Item] {
        try store.inspect { view in
            guard let identity = try Self.identity(in: view.reader) else { return [] }
            return try WaitingReport(zones: zones, identity: identity, view: view).items()
        } + unsentItems()
    }

    /// The number of firm versions in the store, read on the exchange's queue.
    func versionCount() throws -> Int { try store.versionCount() }

    /// Whether what is decided here can reach the others: the folder can be written to, by the file system's word, and no
    /// twin is in the way.
    func canPublish() throws -> Bool {
        try folder.mayWrite && !store.inspect { try zones.attachmentRecord(in: $0.reader).hasTwin }
    }

    /// Runs `body` when no other pass over this store's folders is under way, in this process or another. It must use the
    /// calls that end in `Alone`: the others would wait for it.
    func alone<Result: Sendable>(
        _ body: @escaping @Sendable (isolated FolderExchange) async throws -> Result
    ) async throws -> Result {
        try await serializer.enqueueThrowing(at: folder.path) { try await self.locked(body) }
    }

    private func locked<Result: Sendable>(
        _ body: @Sendable (isolated FolderExchange) async throws -> Result
    ) async throws -> Result {
        guard let path = store.path else { return try await body(self) }
        let lock = try await PassLock.take(beside: path, files: folder.files, pause: pause, onWaiting: onWaiting)
        defer { lock.release() }
        return try await body(self)
    }
}

extension FolderExchange {
    private struct Look {
        let listing: SharedFolder.Listing
        let report: SyncReport
    }

    /// Whether the folder looks as at a pass that found nothing to do, and nothing is to be sent since.
    private func isCalm(_ listing: SharedFolder.Listing) throws -> Bool {
        guard let calm, calm.listing == listing else { return false }
        return try store.inspect { view in
            let record = try zones.attachmentRecord(in: view.reader)
            return try !record.hasTwin && record.lastPass == 0 && record.published == record.last.sequence
                && record.scanned == view.firmCount()
        }
    }

    func retrieveAlone() async throws -> SyncReport {
        let listing = try folder.list()
        if let calm, try isCalm(listing) { return calm.report }
        calm = nil
        let identity = try checkedIdentity()
        var retrieval = Retrieval(
            store: store, zones: zones, identity: identity, folder: folder, now: clock(), strangers: strangers,
            progress: progress)
        try retrieval.run(listing)
        strangers = retrieval.strangers
        var report = retrieval.report
        report.isAwaitingAnnounced = try noteAwaiting(!report.waiting.isEmpty, sawTwin: retrieval.sawTwin)
        lastLook = Look(listing: listing, report: report)
        return report
    }

    /// - Parameter isAfterRetrieve: whether a retrieve has just looked at the folder.
    func sendAlone(isAfterRetrieve: Bool = false) async throws -> SyncReport {
        if isAfterRetrieve, let calm, try isCalm(calm.listing) { return SyncReport() }
        let identity = try checkedIdentity()
        var report = SyncReport()
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        let record = try outbox.fill()
        let lostOnes = try await lostFiles()
        if record.published == record.last.sequence, lostOnes.isEmpty {
            if !record.hasTwin { try tidy(outbox, identity, &report) }
            if isAfterRetrieve, report == SyncReport() { try noteCalm() }
            return report
        }
        if record.hasTwin { throw FolderSyncError.twin(folder.path, zones.lane) }
        do {
            // What is published must not be lost by a power cut here.
            try store.storage.sync()
            let writer = try laneWriter(outbox, identity)
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
            var next = published + 1
            let total = Int(record.last.sequence - published)
            while next <= record.last.sequence {
                progress(
                    SyncProgress(phase: .sending, done: total - Int(record.last.sequence - next + 1), total: total))
                try Task.checkCancellation()
                let last = try writer.writeEntries(from: next, to: record.last.sequence)
                report.sent += Int(last - next + 1)
                next = last + 1
            }
            if total > 0 { progress(SyncProgress(phase: .sending, done: total, total: total)) }
        } catch let error as FolderSyncError where error.code == .readOnly || error.code == .noSpace {
            throw try error.saying(waiting: unsent())
        }
        if lostOnes.isEmpty { try tidy(outbox, identity, &report) }
        return report
    }

    /// Nothing was to be sent: if nothing came either, and nothing is to go in time, this look at the folder was one in vain.
    private func noteCalm() throws {
        guard let look = lastLook, look.report.isIdle else { return }
        let isWaiting = try store.inspect { try !OwnFileRecords(zones: zones).replaced(in: $0.reader).isEmpty }
        if !isWaiting, try folder.list() == look.listing { calm = look }
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
}

extension FolderExchange {
    private func checkedIdentity() throws -> StoreIdentity {
        guard let identity = try Self.identity(of: store) else {
            throw FolderSyncError(
                .notAttached, "the store is not attached to any folder", remedy: "attach it with `foldersync attach`")
        }
        try FolderCard.check(folder, is: identity)
        return identity
    }

    private func laneWriter(_ outbox: Outbox, _ identity: StoreIdentity) throws -> LaneWriter {
        LaneWriter(
            store: store, zones: zones, outbox: outbox, identity: identity, folder: folder,
            workshop: try Workshop.open(beside: store.path, files: folder.files), now: clock())
    }

    /// Own files that are missing or wrong at two looks, two seconds apart.
    private func lostFiles() async throws -> [OwnFileCheck.Suspect] {
        let check = OwnFileCheck(store: store, zones: zones, folder: folder, now: clock())
        let first = Set(try check.suspects().map(\.path))
        if first.isEmpty { return [] }
        try await pause(.seconds(2))
        return try check.suspects().filter { first.contains($0.path) }
    }

    /// Whether versions on their way are to be awaited before decisions are published: for an hour of passes at most.
    private func noteAwaiting(_ isWaiting: Bool, sawTwin: Bool) throws -> Bool {
        let now = clock()
        let hour: Int64 = 3_600_000
        let before = try store.inspect { try zones.attachmentRecord(in: $0.reader) }
        var record = before
        if isWaiting {
            if record.lastPass != 0 { record.awaited += min(max(now - record.lastPass, 0), hour) }
            record.lastPass = now
        } else {
            record.awaited = 0
            record.lastPass = 0
        }
        if sawTwin { record.hasTwin = true }
        if isWaiting || before.lastPass != 0 || sawTwin {
            try store.exchange(now: now) { try zones.put(record, in: $0.writer) }
        }
        return isWaiting && record.awaited < hour
    }

    private func unsent() throws -> Int {
        try store.inspect { view in
            let record = try zones.attachmentRecord(in: view.reader)
            var count = Int(record.last.sequence - record.published)
            try view.forEachFirm(from: record.scanned + 1) { _, version in
                if try view.reader.value(zones.key(version.id.utf8), in: ExchangeZones.present) == nil { count += 1 }
                return true
            }
            return count
        }
    }

    private func unsentItems() throws -> [SyncReport.Item] {
        let count = try unsent()
        if count == 0 { return [] }
        return [
            SyncReport.Item(
                file: "", reason: count == 1 ? "1 version waits to be sent" : "\(count) versions wait to be sent")
        ]
    }
}

extension FolderSyncError {
    fileprivate func saying(waiting count: Int) -> FolderSyncError {
        let versions = count == 1 ? "1 version waits" : "\(count) versions wait"
        return FolderSyncError(code, "\(what); \(versions)", remedy: remedy, path: path, cause: cause)
    }
}
