import CSQLite

/// One connection to a store's database with its prepared statements.
///
/// Unchecked because a connection is used by one thread at a time: the writing one by the thread in the writer lock, a
/// reading one by the thread that took it from the pool.
final class SQLiteConnection: @unchecked Sendable {
    enum Access {
        case reading
        case writing(Durability)
    }

    /// The database file, for error messages.
    let path: String
    private let handle: OpaquePointer
    private let faults: StorageFaults
    private var keyed = SQLiteZoneCache(.keyed)
    private var rows = SQLiteZoneCache(.rows)
    /// What the running transaction created: after a rollback it is not there.
    private var created: (keyed: [String], rows: [String]) = ([], [])
    private var kept = [SQLiteStatement?](repeating: nil, count: SQLiteKeptStatement.allCases.count)
    /// Whether it keeps more pages in memory than usual.
    private(set) var hasLargeCache = false
    /// Frames in the write-ahead log after the last commit here; SQLite writes it from within a commit.
    private let frames = UnsafeMutablePointer<CInt>.allocate(capacity: 1)

    /// Opens the database, which must exist. SQLite takes only the database's own files from the path's folder.
    init(_ path: String, _ access: Access, patience: Duration, faults: StorageFaults) throws {
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE
        if case .writing = access { flags |= SQLITE_OPEN_READWRITE } else { flags |= SQLITE_OPEN_READONLY }
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            defer { sqlite3_close_v2(opened) }
            throw SQLiteFailure.error(code, on: opened, path: path)
        }
        self.path = path
        handle = opened
        self.faults = faults
        frames.initialize(to: 0)
        // From here on a throw runs deinit, which closes.
        csqlite_keep_log_on_close(handle)
        csqlite_defend(handle)
        sqlite3_busy_timeout(handle, CInt(clamping: patience.components.seconds * 1_000))
        sqlite3_wal_autocheckpoint(handle, 0)
        try execute("PRAGMA trusted_schema = OFF")
        try execute("PRAGMA mmap_size = 0")
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA cell_size_check = ON")
        try execute("PRAGMA cache_size = -8000")
        guard case .writing(let durability) = access else { return }
        try setDurability(durability)
        // A log that is started over keeps so much of its file: writing over pages costs half of adding some.
        try execute("PRAGMA journal_size_limit = \(16 << 20)")
        sqlite3_wal_hook(
            handle,
            { frames, _, _, count in
                frames?.assumingMemoryBound(to: CInt.self).pointee = count
                return SQLITE_OK
            }, frames)
    }

    deinit {
        // Statements first: a connection closes only when none is left.
        keyed.forgetAll()
        rows.forgetAll()
        kept = []
        sqlite3_close_v2(handle)
        frames.deallocate()
    }

    /// Frames in the write-ahead log after the last commit on this connection.
    var logFrames: Int { Int(frames.pointee) }

    /// Whether SQLite could open the file for reading only.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") != 0 }

    /// Whether a transaction is running.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// The id of the last row inserted.
    var lastInsertedRow: Int64 { sqlite3_last_insert_rowid(handle) }

    func prepare(_ sql: String) throws -> SQLiteStatement {
        try SQLiteStatement(sql, on: handle, path: path, faults: faults)
    }

    /// Runs SQL once, without keeping it; faults do not apply.
    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLiteFailure.error(code, on: handle, path: path) }
    }

    /// Runs a statement that is kept.
    func run(_ statement: SQLiteKeptStatement) throws {
        try kept(statement).run()
    }

    /// The number a pragma or query answers with.
    func number(_ query: SQLiteKeptStatement) throws -> Int64 {
        let statement = try kept(query)
        return try statement.first { statement.number(0) } ?? 0
    }

    /// The first column of all rows.
    func texts(_ sql: String) throws -> [String] {
        let statement = try prepare(sql)
        var texts: [String] = []
        try statement.forEachRow {
            texts.append(try statement.text(0))
            return true
        }
        return texts
    }

    /// Makes sure that the database is in write-ahead mode, which is a property of the file. Call only in the writer lock.
    func useLog() throws {
        guard try texts("PRAGMA journal_mode = WAL") == ["wal"] else {
            throw StoreError(
                .unsupportedFileSystem, "the file system cannot share memory between processes",
                remedy: "put the store on a local disk", path: path)
        }
    }

    func setDurability(_ durability: Durability) throws {
        try execute("PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL")")
    }

    /// Keeps up to 24 MB of pages in memory, or the usual 8 MB again.
    func useLargeCache(_ isLarge: Bool) throws {
        try execute("PRAGMA cache_size = \(isLarge ? -24_000 : -8_000)")
        if !isLarge { try execute("PRAGMA shrink_memory") }
        hasLargeCache = isLarge
    }

    enum Checkpoint {
        /// As far as readers allow.
        case passive
        /// Also waits for readers, so that the next commit starts the log over.
        case restarting
        /// Also empties the log's file.
        case truncating

        fileprivate var mode: CInt {
            switch self {
            case .passive: SQLITE_CHECKPOINT_PASSIVE
            case .restarting: SQLITE_CHECKPOINT_RESTART
            case .truncating: SQLITE_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// Copies the log into the database, waiting for readers at most `wait` milliseconds. Call only in the writer lock. Readers in
    /// the way are no error.
    func checkpoint(_ kind: Checkpoint, waitingMilliseconds wait: CInt = 0, patience: Duration) throws {
        sqlite3_busy_timeout(handle, wait)
        defer { sqlite3_busy_timeout(handle, CInt(clamping: patience.components.seconds * 1_000)) }
        let code = sqlite3_wal_checkpoint_v2(handle, "main", kind.mode, nil, nil)
        guard [SQLITE_OK, SQLITE_BUSY].contains(code & 0xff) else {
            throw SQLiteFailure.error(code, on: handle, path: path)
        }
    }

    private func kept(_ statement: SQLiteKeptStatement) throws -> SQLiteStatement {
        if let prepared = kept[statement.rawValue] { return prepared }
        let prepared = try prepare(statement.sql)
        kept[statement.rawValue] = prepared
        return prepared
    }
}

extension SQLiteConnection {
    /// A statement on a keyed zone; nil if the zone is not there and not to be made.
    func statement(
        _ operation: SQLiteZoneOperation, on zone: KeyedZone, creating: Bool = false
    ) throws -> SQLiteStatement? {
        if let known = keyed.find(zone.name) { return try known.statement(operation, on: self) }
        guard try ensure(zone.name, .keyed, creating) else { return nil }
        return try keyed.add(zone.name).statement(operation, on: self)
    }

    /// A statement on a row zone; nil if the zone is not there and not to be made.
    func statement(
        _ operation: SQLiteZoneOperation, on zone: RowZone, creating: Bool = false
    ) throws -> SQLiteStatement? {
        try statements(of: zone, creating)?.statement(operation, on: self)
    }

    /// A statement that sets so many rows of a zone, which is made if it is not there.
    func statement(setting count: Int, in zone: RowZone) throws -> SQLiteStatement? {
        try statements(of: zone, true)?.statement(setting: count, on: self)
    }

    private func statements(of zone: RowZone, _ creating: Bool) throws -> SQLiteZoneStatements? {
        if let known = rows.find(zone.name) { return known }
        return try ensure(zone.name, .rows, creating) ? rows.add(zone.name) : nil
    }

    private func ensure(_ name: String, _ kind: SQLiteZoneKind, _ creating: Bool) throws -> Bool {
        let table = Array(kind.table(name).utf8)
        let query = try kept(.table)
        if try query.binding(table, at: 1, { try query.first { true } }) != nil { return true }
        guard creating else { return false }
        try prepare(kind.creation(name)).run()
        switch kind {
        case .keyed: created.keyed.append(name)
        case .rows: created.rows.append(name)
        }
        return true
    }

    private var hasCreated: Bool { !created.keyed.isEmpty || !created.rows.isEmpty }

    /// Ends a transaction that failed. False if that cannot be done: the connection is of no more use.
    func rollBack() -> Bool {
        if hasCreated {
            keyed.forget(created.keyed)
            rows.forget(created.rows)
            created = ([], [])
        }
        guard isInTransaction else { return true }
        return sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) == SQLITE_OK
    }

    /// Commits; the zones made are there to stay.
    func commit() throws {
        try run(.commit)
        if hasCreated { created = ([], []) }
    }
}
