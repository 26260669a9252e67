import CSQLite

/// The floor: a plain SQLite table with the same bytes, key type, synchronous mode and checkpoints as a store has.
final class RawSQLite {
    private var database: OpaquePointer?
    private var insert: OpaquePointer?
    private var select: OpaquePointer?

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(at path: String) throws {
        try check(sqlite3_open(path, &database))
        try execute("PRAGMA journal_mode=WAL")
        try execute("PRAGMA synchronous=NORMAL")
        try execute("PRAGMA wal_autocheckpoint=4000")
        try execute("CREATE TABLE value(id BLOB PRIMARY KEY, body BLOB) WITHOUT ROWID")
        try execute("CREATE TABLE version(row INTEGER PRIMARY KEY, record BLOB)")
        try check(sqlite3_prepare_v2(database, "INSERT OR REPLACE INTO value VALUES(?,?)", -1, &insert, nil))
        try check(sqlite3_prepare_v2(database, "SELECT body FROM value WHERE id=?", -1, &select, nil))
    }

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

    private func bind(_ statement: OpaquePointer?, _ index: Int32, _ bytes: [UInt8]) throws {
        try check(
            bytes.withUnsafeBytes { csqlite_bind_blob_copied(statement, index, $0.baseAddress, UInt64($0.count)) })
    }

    private func check(_ code: CInt) throws {
        if code != SQLITE_OK { throw failure() }
    }

    private func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(database))) }
}
