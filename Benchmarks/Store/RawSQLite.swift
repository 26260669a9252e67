import CSQLite

/// The floor: a plain SQLite table with the same bytes, key type, synchronous mode and checkpoints as a store has.
final class RawSQLite {
    private var database: OpaquePointer?
    private var insert: OpaquePointer?
    private var select: OpaquePointer?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// A new database.
    convenience init(at path: String) throws {
        do {
            let made = try RawSQLite(reading: path)
            try made.execute("PRAGMA journal_mode=WAL")
            try made.execute("CREATE TABLE value(id BLOB PRIMARY KEY, body BLOB) WITHOUT ROWID")
            try made.execute("CREATE TABLE version(row INTEGER PRIMARY KEY, record BLOB)")
        }
        try self.init(existing: path)
    }

    /// A database that was made by this class.
    convenience init(existing path: String) throws {
        try self.init(reading: path)
        try execute("PRAGMA synchronous=NORMAL")
        try execute("PRAGMA wal_autocheckpoint=4000")
        try check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO value VALUES(?,?)", -1, &insert, nil))
        try check(sqlite3_prepare_v2(database, "SELECT body FROM value WHERE id=?", -1, &select, nil))
    }

    /// Any database.
    private init(reading path: String) throws { try check(sqlite3_open(path, &database)) }

    deinit {
        sqlite3_finalize(insert)
        sqlite3_finalize(select)
        sqlite3_close(database)
    }

    func execute(_ sql: String) throws { try check(sqlite3_exec(database, sql, nil, nil, nil)) }

    func put(_ id: [UInt8], _ body: [UInt8]) throws {
        try bind(insert, 1, id)
        try bind(insert, 2, body)
        guard sqlite3_step(insert) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(insert)
    }

    func get(_ id: [UInt8]) throws -> Int {
        try bind(select, 1, id)
        guard sqlite3_step(select) == SQLITE_ROW else { throw failure() }
        let count = Int(sqlite3_column_bytes(select, 0))
        sqlite3_reset(select)
        return count
    }

    /// The first column of the only row that a query has.
    fileprivate func number(_ sql: String) throws -> Int {
        var total = 0
        try forEachRow(sql) { total = Int(sqlite3_column_int64($0, 0)) }
        return total
    }

    fileprivate func forEachRow(_ sql: String, _ body: (OpaquePointer?) -> Void) throws {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try check(sqlite3_prepare_v2(database, sql, -1, &statement, nil))
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: body(statement)
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: [UInt8]) throws {
        try check(
            bytes.withUnsafeBytes { csqlite_bind_blob_copied(statement, index, $0.baseAddress, UInt64($0.count)) })
    }

    private func check(_ code: CInt) throws {
        if code != SQLITE_OK { throw failure() }
    }

    private func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(database))) }
}

extension RawSQLite {
    /// The bytes of all values, in the order of their keys.
    func sizeOfAll() throws -> Int {
        var size = 0
        try forEachRow("SELECT id, body FROM value ORDER BY id") {
            let start = sqlite3_column_blob($0, 1)
            size += [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes($0, 1)))).count
        }
        return size
    }

    /// Two lines of versions on top of number 1: one has the even numbers, one the odd.
    func makeForks(of length: Int) throws {
        try execute("CREATE TABLE parent(child INTEGER PRIMARY KEY, parent INTEGER)")
        try execute("BEGIN")
        for child in 2...2 * length + 1 {
            try execute("INSERT INTO parent VALUES(\(child), \(max(1, child - 2)))")
        }
        try execute("COMMIT")
    }

    /// The greatest number that both descend from.
    func lastCommonAncestor(_ first: Int, _ second: Int) throws -> Int {
        try number(
            """
            WITH RECURSIVE a(n) AS (VALUES(\(first)) UNION SELECT parent FROM parent, a WHERE child = n),
              b(n) AS (VALUES(\(second)) UNION SELECT parent FROM parent, b WHERE child = n)
            SELECT max(n) FROM (SELECT n FROM a INTERSECT SELECT n FROM b)
            """)
    }

    /// The bytes of a database's pages that are in use.
    static func usedBytes(ofDatabase path: String) throws -> Int {
        let database = try RawSQLite(reading: path)
        return try (database.number("PRAGMA page_count") - database.number("PRAGMA freelist_count"))
            * database.number("PRAGMA page_size")
    }
}
