import CSQLite

/// One prepared statement. It is reset before a call on it returns, so that it can be used again at once.
final class SQLiteStatement {
    private let handle: OpaquePointer
    private let path: String
    private let faults: StorageFaults

    /// Prepares `sql` to be kept.
    init(_ sql: String, on connection: OpaquePointer, path: String, faults: StorageFaults) throws {
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else {
            throw SQLiteFailure.error(code, on: connection, path: path)
        }
        handle = prepared
        self.path = path
        self.faults = faults
    }

    deinit {
        sqlite3_finalize(handle)
    }

    /// Runs to the end, whatever rows come.
    func run() throws {
        defer { sqlite3_reset(handle) }
        while try step() {}
    }

    /// What `body` makes of the first row, or nil if there is none.
    func first<Result>(_ body: () throws -> Result) throws -> Result? {
        defer { sqlite3_reset(handle) }
        return try step() ? body() : nil
    }

    /// Calls `body` at each row until it returns false. It must not use this statement.
    func forEachRow(_ body: () throws -> Bool) throws {
        defer { sqlite3_reset(handle) }
        while try step() {
            guard try body() else { return }
        }
    }

    private func step() throws -> Bool {
        if let hook = faults.beforeStatement { try hook(String(cString: sqlite3_sql(handle))) }
        let code = sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw failure(code)
        }
    }
}

extension SQLiteStatement {
    /// Binds a number.
    func bind(_ value: Int64, at index: CInt) throws {
        try check(sqlite3_bind_int64(handle, index, value))
    }

    /// Binds bytes without copying them, for the time of `body`, which runs the statement. The statement keeps a dangling
    /// pointer afterwards, which nothing looks at: each use binds every parameter first.
    func binding<Result>(_ bytes: [UInt8], at index: CInt, _ body: () throws -> Result) throws -> Result {
        try bytes.withUnsafeBytes { buffer in
            // An empty array may have no address, and SQLite takes a null pointer for NULL.
            try check(
                buffer.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : csqlite_bind_blob_borrowed(handle, index, buffer.baseAddress, UInt64(buffer.count)))
            return try body()
        }
    }

    /// Binds a copy of bytes.
    func bind(copying bytes: ArraySlice<UInt8>, at index: CInt) throws {
        try bytes.withUnsafeBytes { buffer in
            try check(
                buffer.isEmpty
                    ? sqlite3_bind_zeroblob(handle, index, 0)
                    : csqlite_bind_blob_copied(handle, index, buffer.baseAddress, UInt64(buffer.count)))
        }
    }

    /// A number of the current row; 0 if the column holds none.
    func number(_ column: CInt) -> Int64 {
        sqlite3_column_int64(handle, column)
    }

    /// The bytes of a column of the current row, copied once.
    func bytes(_ column: CInt) throws -> [UInt8] {
        // In this order: the pointer call may convert, after which the count holds.
        let start = sqlite3_column_blob(handle, column)
        let count = Int(sqlite3_column_bytes(handle, column))
        guard let start else {
            // Null for an empty blob, and when memory for reading a long one could not be had or a page not be read.
            let code = sqlite3_errcode(sqlite3_db_handle(handle))
            guard code == SQLITE_ROW || code == SQLITE_OK else { throw failure(code) }
            return []
        }
        return [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    /// The text of a column of the current row.
    func text(_ column: CInt) throws -> String {
        String(decoding: try bytes(column), as: UTF8.self)
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private func failure(_ code: CInt) -> StoreError {
        SQLiteFailure.error(code, on: sqlite3_db_handle(handle), path: path)
    }
}
