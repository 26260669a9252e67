/// The writing side of a store's database: its lock, its one connection, and the checkpoints.
///
/// Unchecked because everything that changes is touched only within the writer lock.
final class SQLiteWriter: @unchecked Sendable {
    /// Frames after which the log is copied into the database: 16 MB.
    private static let checkpointFrames = 4_000
    /// Frames from which on readers are waited for, as a log is only started over at a moment when none reads from it: 64 MB.
    private static let patientCheckpointFrames = 16_000

    private let lock: WriterLock
    private let place: SQLitePlace
    private let options: SQLiteOptions
    private var connection: SQLiteConnection?
    private var nextCheckpoint = checkpointFrames
    private var latestFrames = 0
    /// Commits here, and SQLite's mark of the commits of others, at the last sync.
    private var commits = 0
    private var synced: (commits: Int, others: Int64)?
    /// The kernel reports a failed flush once and forgets the bytes: no later one can be believed.
    private var syncFailure: (any Error)?

    init(_ place: SQLitePlace, _ options: SQLiteOptions, lock: WriterLock) throws {
        self.place = place
        self.options = options
        self.lock = lock
        try lock.withLock { _ = try openConnection() }
    }

    func write<Result>(isLarge: Bool = false, _ body: (any StorageWriter) throws -> Result) throws -> Result {
        try lock.withLock {
            let connection = try openConnection()
            if isLarge != connection.hasLargeCache { try connection.useLargeCache(isLarge) }
            let result = try transact(on: connection) {
                let transaction = SQLiteWriteTransaction(connection)
                defer { transaction.end() }
                let result = try body(transaction)
                if let failure = transaction.failure { throw failure }
                try options.faults.beforeCommit?()
                return result
            }
            checkpointIfDue(on: connection)
            return result
        }
    }

    /// Flushes the log with everything committed so far, by commits of other connections too.
    ///
    /// A commit with `synchronous = FULL` flushes the whole log file, and with it all earlier frames; frames that have left the
    /// log were flushed into the database before it was started over. So one small commit, which changes nothing, is the
    /// flush. A checkpoint is none: readers of older snapshots can keep it from reaching the flush at all. A descriptor of
    /// our own is none either: closing it would drop the locks that SQLite holds on the file.
    func sync() throws {
        try lock.withLock {
            let connection = try openConnection()
            if let syncFailure { throw syncFailure }
            let others = try connection.number(.dataVersion)
            if let synced, synced == (commits, others) { return }
            do {
                try connection.setDurability(.full)
                try transact(on: connection) {
                    try connection.run(.setFormat)
                }
                try connection.setDurability(options.durability)
            } catch {
                // The next one starts with the durability asked for.
                self.connection = nil
                if let error = error as? StoreError, error.code == .inputOutput { syncFailure = error }
                throw error
            }
            synced = (commits, others)
        }
    }

    /// Copies the log into the database and empties it if no other process writes, then lets go of everything.
    func close() throws {
        try lock.close { isLocked in
            defer { connection = nil }
            guard isLocked, let connection else { return }
            do {
                try connection.checkpoint(.truncating, patience: options.patience)
            } catch let error as StoreError where error.code == .noSpace {
                // Nothing is lost: the log stays for the next one to copy.
            }
        }
    }

    private func openConnection() throws -> SQLiteConnection {
        if let connection { return connection }
        let opened = try place.connect(.writing(options.durability), options)
        guard !opened.isReadOnly else {
            throw SQLiteFailure.readOnlyFile(place.database)
        }
        try opened.useLog()
        try SQLiteMigration.run(on: opened)
        connection = opened
        synced = nil
        return opened
    }

    private func transact<Result>(on connection: SQLiteConnection, _ body: () throws -> Result) throws -> Result {
        do {
            try connection.run(.beginWriting)
            let result = try body()
            try connection.commit()
            commits += 1
            return result
        } catch {
            if !connection.rollBack() { self.connection = nil }
            throw error
        }
    }

    private func checkpointIfDue(on connection: SQLiteConnection) {
        let frames = connection.logFrames
        // The log was started over.
        if frames < latestFrames { nextCheckpoint = Self.checkpointFrames }
        latestFrames = frames
        guard frames >= nextCheckpoint else { return }
        // Readers may keep the log from being started over although it is copied: then not again at each commit.
        nextCheckpoint = frames + Self.checkpointFrames
        do {
            let isPatient = frames >= Self.patientCheckpointFrames
            try connection.checkpoint(
                isPatient ? .restarting : .passive, waitingMilliseconds: 100, patience: options.patience)
        } catch {
            // The transaction is committed, and this failure is none of its own: the frames stay in the log for the next
            // attempt, and a disk that is really ill shows at the next write.
        }
    }
}
