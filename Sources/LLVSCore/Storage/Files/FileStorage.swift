import FileCoordination
import Synchronization

/// A storage in plain files, for places without SQLite and for stores of moderate size: a log to which each transaction is
/// appended, and an index of it in memory.
///
/// The design in short. A transaction is appended to one file, `log`, in frames that carry checksums; only its last frame
/// makes it count, so whatever a killed process or a power cut leaves behind is no part of it, and is cut off by the next
/// writer. A commit is one `write(2)`. Nothing in the log is ever changed, so a reader's snapshot is a copy of the index and
/// a length, and readers never wait. Values stay on the disk: the index has their offsets. Zones and keys never become file
/// names, so a disk's view of upper and lower case does not matter. When more than half of the log is out of date, what
/// counts is copied to a new one, which takes the old one's name; who still reads the old one keeps it open.
///
/// The price is opening, which reads the log once (its keys; values only from the last flush on), and memory of about
/// 40 bytes for each row and the length of each key. ``SQLiteStorage`` has neither, and is the default.
///
/// Writers of all processes take turns by a lock of its own file, `writer.lock`. A reader looks at the log's length each
/// time, so that it sees what others committed before. The files are private to the user.
public final class FileStorage: Storage {
    /// The storage's directory, absolute.
    public let path: String
    /// When commits survive a power cut.
    public let durability: Durability
    private let places: FilePlaces
    private let options: FileStorageOptions
    /// Nil where the place is read-only.
    private let lock: WriterLock?
    private let state = Mutex(State())

    private struct State {
        var isClosed = false
        /// Nil until the log was read.
        var snapshot: FileSnapshot?
        /// What is known to be flushed.
        var mark: FileMark?
        /// The kernel reports a failed flush once and forgets the bytes: no later one can be believed.
        var syncFailure: StoreError?
    }

    init(_ places: FilePlaces, _ options: FileStorageOptions, lock: WriterLock?) {
        self.places = places
        self.options = options
        self.lock = lock
        path = places.directory
        durability = options.durability
    }

    deinit {
        // Nobody is left to tell.
        do { try close() } catch {}
    }

    /// Whether the storage can be read but not written to.
    public var isReadOnly: Bool { lock == nil }

    /// Runs `body` on a snapshot of everything that any process committed before. Any number at once.
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        let transaction = FileReadTransaction(try snapshot())
        defer { transaction.end() }
        return try body(transaction)
    }

    /// The log, and its length.
    public func changeMark() throws -> StorageChangeMark? {
        let snapshot = try snapshot()
        let log = snapshot.log.id.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return StorageChangeMark(log, count: UInt64(clamping: snapshot.end))
    }

    /// Runs `body` as the only writer of all processes. More than 1 MiB goes to the disk before it returns, and counts when it
    /// has.
    /// - Throws: ``StoreError`` with `.locked` if another writer takes more than a minute, and what `body` throws. If the
    ///   flush of ``Durability/full`` fails, the commit is there and may not survive a power cut.
    public func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try writing {
            let base = try snapshot()
            // No writer is at work: what follows the last transaction was left by one that failed.
            if try base.log.size() > base.end { try base.log.truncate(to: base.end) }
            let transaction = FileWriteTransaction(base)
            defer { transaction.end() }
            let result = try body(transaction)
            let committed = try transaction.commit()
            state.withLock { $0.snapshot = committed }
            if durability == .full, committed.end > base.end { try flush(committed, marking: false) }
            compactIfDue(committed)
            return result
        }
    }

    /// Flushes everything committed before to the disk, by whatever process.
    public func sync() throws {
        try writing { try flushAll() }
    }

    /// Flushes, and closes all files when the transactions that run are done with them.
    public func close() throws {
        defer {
            state.withLock {
                $0.isClosed = true
                $0.snapshot = nil
            }
        }
        try lock?.close { isLocked in
            guard isLocked, state.withLock({ $0.snapshot != nil && $0.syncFailure == nil }) else { return }
            do { try flushAll() } catch let error as StoreError where [.noSpace, .damaged].contains(error.code) {
                // Nothing is lost by closing.
            }
        }
    }

    /// Reads the whole log anew, verifies everything in it, and looks for files that do not belong to the storage.
    public func checkIntegrity() throws -> [String] {
        try checkOpen()
        return try FileStorageCheck(places).run()
    }

    private func checkOpen() throws {
        if state.withLock({ $0.isClosed }) { throw StoreError.storageClosed(path: path) }
    }

    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        try checkOpen()
        guard let lock else { throw SQLiteFailure.readOnlyFile(path) }
        return try lock.withLock(body)
    }

    /// What is committed now.
    private func snapshot() throws -> FileSnapshot {
        try state.withLock { state in
            guard !state.isClosed else { throw StoreError.storageClosed(path: path) }
            let named = try storing("the store's log cannot be reached", places.log) { () throws(Errno) in
                try places.files.attributes(at: places.log, followLinks: false)
            }
            // A compacted log has the name, or something outside cut ours off: from the start.
            guard var known = state.snapshot, known.log.isSame(named), named.size >= known.end else {
                let loaded = try places.load(writable: lock != nil)
                state.snapshot = loaded
                return loaded
            }
            if named.size > known.end {
                state.snapshot = nil
                defer { state.snapshot = known }
                try known.advance(to: named.size)
            }
            return known
        }
    }

    private func flushAll() throws {
        let committed = try snapshot()
        let isFlushed = try state.withLock { state in
            if let failure = state.syncFailure { throw failure }
            return state.mark == FileMark(id: committed.log.id, length: committed.end)
        }
        if !isFlushed { try flush(committed, marking: true) }
    }

    /// Flushes the log, and its name, which may be new.
    private func flush(_ committed: FileSnapshot, marking: Bool) throws {
        if let failure = state.withLock({ $0.syncFailure }) { throw failure }
        do {
            try committed.log.sync()
            if marking { try places.files.flushNames(in: path) }
        } catch {
            state.withLock { $0.syncFailure = error as? StoreError }
            throw error
        }
        guard marking else { return }
        let mark = FileMark(id: committed.log.id, length: committed.end)
        do {
            try mark.write(to: places.mark, files: places.files)
            state.withLock { $0.mark = mark }
        } catch {
            // Everything is on the disk, as was asked for. An older mark is true as well, and tells less damage.
        }
    }

    /// Compacts a log of which more than half is out of date.
    private func compactIfDue(_ committed: FileSnapshot) {
        guard committed.end > options.smallestCompacted, committed.zones.liveBytes < committed.end / 2 else { return }
        do {
            let compacted = try committed.compacted(in: places)
            state.withLock { $0.snapshot = compacted }
            try flush(compacted, marking: true)
        } catch {
            // The transaction is committed, and this failure is none of its own. The old log stands, or the new one whole.
        }
    }
}
