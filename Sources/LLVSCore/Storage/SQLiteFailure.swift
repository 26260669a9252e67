import CSQLite

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What SQLite's result codes (https://sqlite.org/rescode.html) mean for a store, and what a person can do.
package enum SQLiteFailure {
    /// The error for a result code that was just returned by a call on `connection`.
    static func error(_ code: CInt, on connection: OpaquePointer?, path: String) -> StoreError {
        let message = String(cString: connection.map { sqlite3_errmsg($0) } ?? sqlite3_errstr(code))
        let number = connection.map { sqlite3_system_errno($0) } ?? 0
        return error(code, systemError: number, message: message, path: path)
    }

    /// The error for a result code, the errno below it (0: none) and SQLite's message.
    package static func error(_ code: CInt, systemError: CInt, message: String, path: String) -> StoreError {
        var cause = "\(message), SQLite result \(code)"
        if systemError != 0 { cause += ", \(String(cString: strerror(systemError)))" }
        let (kind, what, remedy) = meaning(code, systemError)
        return StoreError(kind, what, remedy: remedy, path: path, cause: cause)
    }

    /// The error of writing where only reading is possible.
    static func readOnlyFile(_ path: String) -> StoreError {
        let (kind, what, remedy) = readOnly
        return StoreError(kind, what, remedy: remedy, path: path)
    }

    private static func meaning(_ code: CInt, _ systemError: CInt) -> (StoreError.Code, String, String) {
        switch code & 0xff {
        case SQLITE_FULL:
            return noSpace
        case SQLITE_IOERR:
            // A flush that failed may have lost bytes, whatever its reason: no freeing of space brings them back.
            if [flush, flushOfFolder].contains(code) { return inputOutput }
            // SQLite calls only ENOSPC "full"; a quota and the growth of the log's index arrive as other failures.
            if code == growthOfIndex || [ENOSPC, EDQUOT].contains(systemError) { return noSpace }
            if systemError == EROFS { return readOnly }
            return inputOutput
        case SQLITE_CANTOPEN:
            if [EROFS, EACCES, EPERM].contains(systemError) { return readOnly }
            if [ENOSPC, EDQUOT].contains(systemError) { return noSpace }
            return inputOutput
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return readOnly
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
            return (
                .locked, "another program holds the store's database",
                "close programs that have the database open, then try again"
            )
        case SQLITE_NOMEM:
            return (.inputOutput, "there is not enough memory", "free memory, then try again")
        case SQLITE_TOOBIG:
            return (.inputOutput, "a value is too large for one row", "pass large values as streams")
        case SQLITE_NOTADB:
            return (
                .notAStore, "the file is no database of a store, or its beginning is damaged",
                "check the path; if it was a store, restore it from a backup or get it again from the shared folder"
            )
        case SQLITE_CORRUPT, SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_CONSTRAINT, SQLITE_SCHEMA,
            SQLITE_FORMAT:
            return (
                .damaged, "the store's database is damaged",
                "copy the store's folder aside, then restore it from a backup or get it again from the shared folder"
            )
        default:
            return inputOutput
        }
    }

    // Extended codes are macros that Swift does not import.
    private static let flush = SQLITE_IOERR | (4 << 8)
    private static let flushOfFolder = SQLITE_IOERR | (5 << 8)
    private static let growthOfIndex = SQLITE_IOERR | (19 << 8)

    private static let noSpace: (StoreError.Code, String, String) = (
        .noSpace, "there is no space left for the store", "free space or raise the quota, then try again"
    )
    private static let readOnly: (StoreError.Code, String, String) = (
        .readOnly, "the store cannot be written to", "give the user write permission, or copy the store elsewhere"
    )
    private static let inputOutput: (StoreError.Code, String, String) = (
        .inputOutput, "reading or writing the store failed", "check the disk and its mount, then try again"
    )
}

extension StoreError {
    /// The error of every call on a closed storage.
    static func storageClosed(path: String?) -> StoreError {
        StoreError(.closed, "the store was closed", remedy: "open it again", path: path)
    }

    /// The error of a system call.
    static func systemCall(_ what: String, _ number: CInt, path: String) -> StoreError {
        let cause = String(cString: strerror(number))
        return switch number {
        case ENOSPC, EDQUOT:
            StoreError(
                .noSpace, what, remedy: "free space or raise the quota, then try again", path: path, cause: cause)
        case EROFS, EACCES, EPERM:
            StoreError(
                .readOnly, what, remedy: "give the user write permission, or choose another place", path: path,
                cause: cause)
        default:
            StoreError(.inputOutput, what, remedy: "check the path, the disk and its mount", path: path, cause: cause)
        }
    }
}
