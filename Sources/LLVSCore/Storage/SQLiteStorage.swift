/// The default storage: a SQLite database in a directory of its own, for many threads and processes.
///
/// Readers work on a snapshot and never wait for the writer; writers of all processes take turns. The files are private to
/// the user. Nothing but SQLite may open the database file, and a copy is made while no process has it open.
public final class SQLiteStorage: Storage {
    /// The store's directory, absolute.
    public let path: String
    /// When commits survive a power cut.
    public let durability: Durability
    /// Nil where the place is read-only.
    private let writer: SQLiteWriter?
    private let readers: ReaderPool
    private let place: SQLitePlace
    private let probe: SQLiteChangeProbe

    init(_ place: SQLitePlace, _ options: SQLiteOptions, reader: SQLiteConnection, writer: SQLiteWriter?) {
        self.place = place
        self.writer = writer
        path = place.directory
        durability = options.durability
        probe = SQLiteChangeProbe(path: place.directory) { try place.connect(.reading, options) }
        readers = ReaderPool(reader, path: place.directory) { try place.connect(.reading, options) }
    }

    deinit {
        // So that what was written is in the database file and not in a log beside it. Nobody is left to tell.
        do { try close() } catch {}
    }

    /// Whether the store can be read but not written to.
    public var isReadOnly: Bool { writer == nil }

    /// Runs `body` on a snapshot. At most four threads read at once, each as deep as it likes; more wait for one.
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try readers.withConnection { connection in
            try connection.run(.begin)
            // SQLite takes the snapshot at the first read and not at BEGIN.
            _ = try connection.number(.format)
            return try finish(body, on: connection)
        }
    }

    /// As ``read(_:)``, with a snapshot that may be of a later moment.
    public func readLatest<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try readers.withConnection { connection in
            try connection.run(.begin)
            return try finish(body, on: connection)
        }
    }

    /// By `PRAGMA data_version` of a connection that does nothing else.
    public func changeMark() throws -> StorageChangeMark? { try probe.mark() }

    /// One statement, which is a transaction by itself.
    public func latestRow(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        try readers.withConnection { connection in
            let transaction = SQLiteReadTransaction(connection)
            defer { transaction.end() }
            return try transaction.row(id, in: zone)
        }
    }

    private func finish<Result>(
        _ body: (any StorageReader) throws -> Result, on connection: SQLiteConnection
    ) throws -> Result {
        let transaction = SQLiteReadTransaction(connection)
        defer { transaction.end() }
        let result = try body(transaction)
        try connection.commit()
        return result
    }

    /// Runs `body` as the only writer of all processes.
    /// - Throws: ``StoreError`` with `.locked` if another writer takes more than a minute, and what `body` throws.
    public func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try requireWriter().write(body)
    }

    /// As ``write(_:)``, with up to 24 MB of pages in memory, which are let go of afterwards.
    public func writeMuch<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try requireWriter().write(isLarge: true, body)
    }

    /// Flushes everything committed before to the disk.
    public func sync() throws {
        try requireWriter().sync()
    }

    /// Lets SQLite check the whole database file.
    public func checkIntegrity() throws -> [String] {
        do {
            return try readers.withConnection { connection in
                let found = try connection.texts("PRAGMA integrity_check(100)")
                return found == ["ok"] ? [] : found
            }
        } catch let error as StoreError where [.damaged, .notAStore].contains(error.code) {
            return [error.description]
        }
    }

    /// Waits for the transactions that run, copies the log into the database if no other process writes, and closes all
    /// files.
    public func close() throws {
        probe.close()
        readers.close()
        try writer?.close()
    }

    private func requireWriter() throws -> SQLiteWriter {
        if let writer { return writer }
        try readers.checkOpen()
        throw SQLiteFailure.readOnlyFile(place.directory)
    }
}
