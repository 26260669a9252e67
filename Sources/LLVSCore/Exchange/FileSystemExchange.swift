public import FileCoordination

/// Exchanges a store's versions with devices that run LLVS, through a folder in the format of LLVS's own
/// `FileSystemExchange`: JSON in `versions/<id>` and `changes/<id>`.
///
/// Versions made by this package carry their bytes along in a metadata key that LLVS keeps, so that their ids are verified
/// wherever they come from. Versions made by LLVS count as authored, and of their ids the first content seen is kept. Files
/// that are late, cut off, strange or conflict copies stop nothing else and are in the report. A file is read once. A pass
/// costs a listing, and a look at each version of the store.
///
/// Several stores, and several processes, may exchange with one folder at once. Devices that all run this package should share
/// a folder of its own format instead. Runs on a queue of its own, never on Swift's cooperative pool. `init` starts nothing.
public actor FileSystemExchange: Exchange {
    /// The store.
    public nonisolated let store: Store
    private let folder: LLVSFolder
    private let records: LLVSFolderRecords
    private let clock: @Sendable () -> Int64
    private let progress: @Sendable (_ done: Int, _ total: Int) -> Void
    private nonisolated let executor: BlockingExecutor

    /// The queue it runs on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// An exchange of the store with a folder.
    /// - Parameters:
    ///   - folder: the folder's path. What was read of it is remembered under this spelling.
    ///   - files: where the folder's files are read and written.
    ///   - clock: milliseconds since 1970.
    ///   - progress: told how many versions of how many are done.
    public init(
        store: Store, folder: String, files: any FileSystem = .local,
        clock: @escaping @Sendable () -> Int64 = Store.wallClock,
        progress: @escaping @Sendable (_ done: Int, _ total: Int) -> Void = { _, _ in }
    ) {
        self.store = store
        self.folder = LLVSFolder(path: folder, files: files)
        self.clock = clock
        self.progress = progress
        records = LLVSFolderRecords(folder: folder)
        executor = BlockingExecutor(label: "FileSystemExchange")
    }

    /// Reads what is new in the folder and adds every version that can be added. Writes nothing in it.
    ///
    /// - Throws: ``StoreError``: `.folderUnavailable` if the folder is missing, or empty and was not before; what the disk
    ///   says. Versions added before the error stay.
    public func retrieve() throws -> LLVSReport {
        var retrieval = LLVSFolderRetrieval(
            store: store, folder: folder, records: records, now: clock(), progress: progress)
        try retrieval.run()
        var report = retrieval.report
        report.isAwaitingAnnounced = try noteAwaiting(!report.waiting.isEmpty)
        return report
    }

    /// Writes every firm version that the folder lacks, and files of this store's again that were lost or changed.
    ///
    /// - Throws: ``StoreError``: as ``retrieve()``, and `.readOnly` and `.noSpace`. What was written before stays and is
    ///   usable; the next call goes on.
    public func send() throws -> LLVSReport {
        var sender = LLVSFolderSender(
            store: store, folder: folder, records: records, now: clock(), progress: progress)
        try sender.run()
        return sender.report
    }

    /// Whether versions on their way are to be awaited before decisions are published: for an hour of passes at most.
    private func noteAwaiting(_ isWaiting: Bool) throws -> Bool {
        let hour: Int64 = 3_600_000
        let now = clock()
        let before = try store.inspect { try records.awaited(in: $0.reader) }
        if !isWaiting, before.lastPass == 0 { return false }
        var milliseconds: Int64 = 0
        if isWaiting {
            milliseconds = before.milliseconds
            if before.lastPass != 0 {
                milliseconds += min(max(now.subtractingReportingOverflow(before.lastPass).0, 0), hour)
            }
        }
        try store.exchange(now: now) {
            try records.setAwaited(milliseconds, lastPass: isWaiting ? now : 0, in: $0.writer)
        }
        return isWaiting && milliseconds < hour
    }
}
