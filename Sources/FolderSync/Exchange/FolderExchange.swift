public import FileCoordination
public import LLVSCore
import Synchronization

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
    /// The membership this exchange serves. Its lane changes where a twin is met.
    public nonisolated var attachment: FolderAttachment { membership.withLock { $0 } }
    private nonisolated let membership: Mutex<FolderAttachment>
    private nonisolated let executor: BlockingExecutor
    nonisolated let folder: SharedFolder
    private(set) var zones: ExchangeZones
    let snapshots: SnapshotPolicy
    let clock: @Sendable () -> Int64
    let pause: @Sendable (Duration) async throws -> Void
    private let onWaiting: @Sendable (String) -> Void
    let progress: @Sendable (SyncProgress) -> Void
    private nonisolated let steps = LatestValue<SyncProgress>()
    private let makeLane: @Sendable () -> LaneID
    /// Lanes whose lost files this device is to see to at its next send.
    var dueLosses: [LaneLoss] = []
    private var strangers: [String: SharedFolder.Signature] = [:]
    /// What the last retrieve saw and said.
    var lastLook: Look?
    /// What the last pass saw and said, if it found nothing to do at all: while all looks the same, there is nothing again.
    var calm: Look?
    /// The calm pass that can be told again while the store has not changed either.
    var rest: Rest?
    /// How the folder looked to the retrieve of this pass.
    var passListing: SharedFolder.Listing?
    /// Which snapshot of this attachment is the last, if none has to be looked after.
    var lastSnapshot: LastSnapshot?
    /// Passes of this process over one store, by whatever exchange: those of others are waited for with ``PassLock``.
    private static let passes = PathSerializer()
    private let line: String

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An exchange for an attachment of the store.
    /// - Parameters:
    ///   - files: where the folder's files are read and written.
    ///   - transform: seals every file with values that is written, and opens those that are read.
    ///   - snapshots: when sending also writes a snapshot of the store into the folder, for new devices to begin with.
    ///   - clock: milliseconds since 1970.
    ///   - pause: waits, for the two looks before a lost file is written again and for the lock.
    ///   - onWaiting: told once who else is exchanging with this store's folders, when that must be waited for.
    ///   - progress: told how far a long step is.
    ///   - makeLane: names a new lane, where a twin writes to the same: nobody else may ever get the name.
    public init(
        store: Store, attachment: FolderAttachment, files: any FileSystem = .local,
        transform: (any FolderTransform)? = nil, snapshots: SnapshotPolicy = .disabled,
        clock: @escaping @Sendable () -> Int64 = Store.wallClock,
        pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onWaiting: @escaping @Sendable (String) -> Void = { _ in },
        progress: @escaping @Sendable (SyncProgress) -> Void = { _ in },
        makeLane: @escaping @Sendable () -> LaneID = { LaneID.random() }
    ) {
        self.store = store
        membership = Mutex(attachment)
        self.snapshots = snapshots
        self.clock = clock
        self.pause = pause
        self.onWaiting = onWaiting
        self.progress = { [steps] step in
            steps.send(step)
            progress(step)
        }
        self.makeLane = makeLane
        folder = SharedFolder(path: attachment.folder, files: files, seal: transform.map(FolderSeal.init))
        zones = ExchangeZones(attachment)
        line = store.path ?? "\(ObjectIdentifier(store))"
        executor = BlockingExecutor(label: "FolderExchange.\(attachment.lane)")
    }

    /// How far a long step is, as it goes on; a slow consumer gets the newest.
    public nonisolated var progressSteps: AsyncStream<SyncProgress> { steps.stream() }

    /// Reads what is new in the folder and adds every version that can be added.
    ///
    /// Where another copy of this store is seen to have written to its lane, the store goes on in a lane of its own, and the
    /// report's notices say so once.
    /// - Throws: ``FolderSyncError`` if the folder is missing, empty, unmounted or another store's: nothing was changed.
    public func retrieve() async throws -> SyncReport {
        try await alone { try await $0.retrieveAlone() }
    }

    /// Writes every firm version that no lane of the folder holds, and writes own files again that were lost or damaged.
    ///
    /// An own file that is missing or wrong is looked at again after two seconds before it is replaced.
    /// - Throws: ``FolderSyncError``: as ``retrieve()``, and `.readOnly` or `.noSpace`; what was not sent goes out with a later
    ///   call.
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

    /// Whether what is decided here can reach the others: the folder can be written to, by the file system's word, and the
    /// store is not being set up.
    func canPublish() throws -> Bool { try folder.mayWrite && !isBootstrapping() }

    /// Runs `body` when no other pass over this store's folders is under way, in this process or another. It must use the
    /// calls that end in `Alone`: the others would wait for it.
    func alone<Result: Sendable>(
        _ body: @escaping @Sendable (isolated FolderExchange) async throws -> Result
    ) async throws -> Result {
        try await Self.passes.enqueueThrowing(inLine: line) { try await locked(body) }
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
    func retrieveAlone() async throws -> SyncReport {
        let picture = try look()
        let listing = picture.listing
        passListing = listing
        if let calm, try isCalm(listing) { return calm.report }
        calm = nil
        lastLook = nil
        let (identity, adopted) = try checkedIdentity()
        var retrieval = try look(identity, adopted, listing)
        try noteSeal(identity, retrieval)
        var report = retrieval.report
        if try retrieval.sawTwin || store.inspect({ try zones.attachmentRecord(in: $0.reader).hasTwin }) {
            let old = zones.lane
            try changeLane(identity)
            // What the old lane holds decides what goes into the new one.
            let listing = try folder.list()
            passListing = listing
            retrieval = try look(identity, adopted, listing)
            let imported = report.imported
            report = retrieval.report
            report.imported += imported
            report.notices.append(.twin(old, zones.lane))
        } else if retrieval.losses.isEmpty {
            // While a lane lacks files, passes count the time.
            lastLook = Look(picture: picture, report: report)
        }
        report.isAwaitingAnnounced = try noteAwaiting(retrieval.lacksAnnounced) && retrieval.holdsDecisions
        lastLook?.report.isAwaitingAnnounced = report.isAwaitingAnnounced
        dueLosses = try carrying(identity).note(retrieval.losses)
        return report
    }

    private func look(
        _ identity: StoreIdentity, _ adopted: Set<StoreIdentity>, _ listing: SharedFolder.Listing
    ) throws -> Retrieval {
        var retrieval = Retrieval(
            store: store, zones: zones, identity: identity, adopted: adopted, folder: folder, now: clock(),
            strangers: strangers, progress: progress)
        try retrieval.run(listing)
        strangers = retrieval.strangers
        return retrieval
    }

    private func changeLane(_ identity: StoreIdentity) throws {
        try LaneChange(store: store, zones: zones, identity: identity, now: clock()).take(makeLane())
        strangers = [:]
        try refreshMembership()
    }

    func snapshotPublisher(pieceLength: Int = SnapshotPublisher.pieceLength) throws -> SnapshotPublisher {
        let (identity, _) = try checkedIdentity()
        let outbox = Outbox(store: store, zones: zones, identity: identity, now: clock())
        return SnapshotPublisher(
            writer: try laneWriter(outbox, identity), now: clock(), pieceLength: pieceLength, progress: progress)
    }
}

extension FolderExchange {
    /// The store's identity, which the folder was seen to have, and the stores that it took the place of there.
    func checkedIdentity() throws -> (StoreIdentity, adopted: Set<StoreIdentity>) {
        guard let identity = try Self.identity(of: store) else {
            throw FolderSyncError(
                .notAttached, "the store is not attached to any folder", remedy: "attach it with `foldersync attach`")
        }
        try refreshMembership()
        try checkSeal(identity)
        let adopting = try store.inspect { try OwnNotes.adopted(zones: zones, in: $0.reader) }
        return (identity, try FolderCard.check(folder, is: identity, adopting: adopting).adopted)
    }

    /// Another process may have given the attachment another lane, or have attached the store anew, since the last pass.
    private func refreshMembership() throws {
        let known = try Self.attachments(of: store)
        let now = known.first { $0.id == zones.attachment } ?? known.first { $0.folder == folder.path }
        guard let now else { throw FolderSyncError.notAttached(folder.path) }
        if now.id == zones.attachment, now.lane == zones.lane { return }
        zones = ExchangeZones(now)
        membership.withLock { $0 = now }
    }

    func carrying(_ identity: StoreIdentity) -> Carrying {
        Carrying(store: store, zones: zones, identity: identity, folder: folder, now: clock())
    }

    func laneWriter(_ outbox: Outbox, _ identity: StoreIdentity) throws -> LaneWriter {
        LaneWriter(
            store: store, zones: zones, outbox: outbox, identity: identity, folder: folder,
            workshop: try Workshop.open(beside: store.path, files: folder.files), now: clock())
    }

    /// Counts the time that versions are awaited. Whether they still are: for an hour of passes at most.
    private func noteAwaiting(_ isWaiting: Bool) throws -> Bool {
        let now = clock()
        let before = try store.inspect { try zones.attachmentRecord(in: $0.reader) }
        var record = before
        if isWaiting {
            if record.lastPass != 0 { record.awaited += min(max(now - record.lastPass, 0), AttachmentRecord.patience) }
            record.lastPass = now
        } else {
            record.awaited = 0
            record.lastPass = 0
        }
        if isWaiting || before.lastPass != 0 {
            try store.exchange(now: now) { try zones.put(record, in: $0.writer) }
        }
        return isWaiting && !record.isOverdue
    }

    /// How many firm versions no lane of the folder has.
    func unsent() throws -> Int { try store.unsent(in: attachment) }

    private func unsentItems() throws -> [SyncReport.Item] {
        let count = try unsent()
        if count == 0 { return [] }
        return [
            SyncReport.Item(
                file: "", reason: count == 1 ? "1 version waits to be sent" : "\(count) versions wait to be sent")
        ]
    }
}

extension Store {
    /// How many firm versions no lane of the folder has.
    func unsent(in attachment: FolderAttachment) throws -> Int {
        let zones = ExchangeZones(attachment)
        return try inspect { view in
            let record = try zones.attachmentRecord(in: view.reader)
            var count = Int(record.last.sequence - record.published)
            try view.forEachFirm(from: record.scanned + 1) { _, version in
                if try view.reader.value(zones.key(version.id.utf8), in: ExchangeZones.present) == nil { count += 1 }
                return true
            }
            return count
        }
    }
}

extension SyncReport.Item {
    fileprivate static func twin(_ old: LaneID, _ new: LaneID) -> Self {
        Self(
            file: old.description,
            reason:
                "another copy of this store, cloned or restored from a backup, has to do with its lane; this one goes on "
                + "in the lane \(new), and nothing is lost")
    }
}
