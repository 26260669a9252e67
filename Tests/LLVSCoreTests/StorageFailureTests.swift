import CSQLite
import Foundation
import LLVSCore
import Testing

/// What SQLite's result codes become.
@Suite("SQLite storage: failures")
struct StorageFailureTests {
    private static func extended(_ code: CInt, _ detail: CInt) -> CInt { code | detail << 8 }
    private static let cases: [(CInt, CInt, StoreError.Code)] = [
        (SQLITE_FULL, 0, .noSpace),
        (extended(SQLITE_IOERR, 3), EDQUOT, .noSpace),
        (extended(SQLITE_IOERR, 19), 0, .noSpace),
        (extended(SQLITE_IOERR, 3), EIO, .inputOutput),
        // A flush that failed for want of space has lost bytes all the same.
        (extended(SQLITE_IOERR, 4), ENOSPC, .inputOutput),
        (extended(SQLITE_IOERR, 3), EROFS, .readOnly),
        (SQLITE_READONLY, 0, .readOnly),
        (SQLITE_CANTOPEN, EROFS, .readOnly),
        (SQLITE_CANTOPEN, EMFILE, .inputOutput),
        (SQLITE_BUSY, 0, .locked),
        (extended(SQLITE_BUSY, 2), 0, .locked),
        (SQLITE_CORRUPT, 0, .damaged),
        (extended(SQLITE_CORRUPT, 1), 0, .damaged),
        (SQLITE_ERROR, 0, .damaged),
        (SQLITE_NOTADB, 0, .notAStore),
        (SQLITE_NOMEM, 0, .inputOutput),
        (SQLITE_TOOBIG, 0, .inputOutput),
    ]

    @Test(
        "each result code is the failure that a person can act on",
        arguments: cases)
    func codes(_ code: CInt, _ systemError: CInt, _ expected: StoreError.Code) {
        let error = SQLiteFailure.error(code, systemError: systemError, message: "m", path: "/store")
        #expect(error.code == expected, "\(error)")
        #expect(!error.remedy.isEmpty && error.path == "/store")
    }

    @Test("an error says what happened, where, why and what to do")
    func wording() {
        let error = SQLiteFailure.error(
            SQLITE_FULL, systemError: ENOSPC, message: "database or disk is full", path: "/a/store.sqlite")
        #expect(
            error.description == """
                there is no space left for the store (/a/store.sqlite: database or disk is full, SQLite result 13, \
                No space left on device); free space or raise the quota, then try again
                """)
    }
}
