#ifndef CSQLITE_SHIM_H
#define CSQLITE_SHIM_H

#include <sqlite3.h>

/* SQLITE_TRANSIENT is a cast macro, which Swift cannot import: SQLite copies the bytes before the call returns. */
static inline int csqlite_bind_blob_copied(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_TRANSIENT);
}

/* The caller keeps the bytes alive until the statement is reset. */
static inline int csqlite_bind_blob_borrowed(sqlite3_stmt *statement, int index, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, index, bytes, count, SQLITE_STATIC);
}

#endif
