import CSQLite
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

/// Stores of the formats before. `Fixtures/store-format-N.sql` is what `sqlite3 store.sqlite .dump` printed of a store that
/// that format's last software had made.
@Suite("SQLite storage: formats") struct StorageMigrationTests {
    private static let newest = "\(SQLitePlace.format)"

    private func makeFirst(in directory: String) throws -> String { try make(1, in: directory) }

    /// Makes the store of a fixture; its path.
    private func make(_ format: Int, in directory: String) throws -> String {
        let path = directory + "/store"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let fixture = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/store-format-\(format).sql")
        try execute(String(contentsOf: fixture, encoding: .utf8), at: path)
        return path
    }

    private func execute(_ sql: String, at path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open(path + "/store.sqlite", &connection) == SQLITE_OK)
        try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
    }

    private func format(_ path: String) throws -> String? {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open_v2(path + "/store.sqlite", &connection, SQLITE_OPEN_READONLY, nil) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try #require(sqlite3_prepare_v2(connection, "PRAGMA user_version", -1, &statement, nil) == SQLITE_OK)
        return sqlite3_step(statement) == SQLITE_ROW ? "\(sqlite3_column_int(statement, 0))" : nil
    }

    private func expectContent(_ store: Store) throws {
        let head = try #require(try store.heads().first).id
        let builder = StoreBuilder(store.storage)
        #expect(try builder.text("note/2", at: head) == "text 2 of the first format")
        #expect(try builder.text("long", at: head)?.hasPrefix("a line that repeats itself, a line") == true)
        #expect(try store.versionCount() == 4)
        #expect(try store.verify() == [])
    }

    @Test("a store of the first format opens, reads, is brought up to date and goes on")
    func migrates() throws {
        try withStorageDirectory { directory in
            let path = try makeFirst(in: directory)
            #expect(try format(path) == "1")
            let store = try Store.open(at: path)
            #expect(try format(path) == Self.newest)
            try expectContent(store)
            let head = try #require(try store.heads().first).id
            let long = String(repeating: "said again, ", count: 200)
            let next = try StoreBuilder(store.storage).save(["long": long], on: head)
            #expect(try StoreBuilder(store.storage).text("long", at: next) == long)
            #expect(try store.verify() == [])
            try store.close()
            let again = try Store.open(at: path)
            try again.storage.sync()
            #expect(try format(path) == Self.newest)
            #expect(try StoreBuilder(again.storage).text("long", at: next) == long)
            try again.close()
        }
    }

    @Test("a store of the second format opens, reads, goes on with rows of both kinds, and can be repaired and cleaned")
    func migratesSecond() throws {
        try withStorageDirectory { directory in
            let path = try make(2, in: directory)
            let store = try Store.open(at: path)
            #expect(try format(path) == Self.newest)
            #expect(try store.verify() == [])
            #expect(try store.versionCount() == 8)
            let builder = StoreBuilder(store.storage)
            let heads = try store.heads().map(\.id)
            #expect(heads.count == 2)
            let work = try #require(try store.heads(of: "work").first).id
            #expect(heads.contains(work))
            #expect(try builder.text("note/3", at: work) == "on a branch")
            let other = try #require(heads.first { $0 != work })
            #expect(try builder.text("n07", at: other) == "changed")
            #expect(try builder.text("n20", at: other) == "text 20 of the second format")
            #expect(try store.changes(of: other).entries.map(\.id) == ["n05"])
            // The new head stands on an old one, and the other old one stays.
            let next = try builder.save(["n06": "new", "a": "more"], on: other)
            #expect(try Set(store.heads().map(\.id)) == [work, next])
            let merge = try builder.save(["both": "1"], on: next)
            #expect(try store.changes(of: next).entries.map(\.id) == ["a", "n06"])
            #expect(try Set(store.heads().map(\.id)) == [work, merge])
            #expect(try store.verify() == [])
            #expect(try store.rebuildLists() == [] && store.rebuildMaps() == [])
            try store.collectGarbage(keepingDropped: .zero, now: 0)
            try store.close()
            let again = try Store.open(at: path)
            #expect(try Set(again.heads().map(\.id)) == [work, merge])
            #expect(try again.versions(of: "n05").collected().count == 2)
            #expect(try again.verify() == [])
            try again.close()
        }
    }

    @Test("a migration that fails leaves the old format, and the next one does it")
    func failingMigration() throws {
        struct Fault: Error {}
        try withStorageDirectory { directory in
            let path = try makeFirst(in: directory)
            for statement in ["BEGIN IMMEDIATE", "PRAGMA user_version = ", "COMMIT"] {
                let faults = StorageFaults(beforeStatement: { if $0.hasPrefix(statement) { throw Fault() } })
                #expect(throws: Fault.self) {
                    _ = try SQLiteStorage.open(at: path, options: SQLiteOptions(faults: faults))
                }
                #expect(try format(path) == "1", "\(statement)")
            }
            let store = try Store.open(at: path)
            try expectContent(store)
            #expect(try format(path) == Self.newest)
            try store.close()
        }
    }

    @Test("a newer format is refused by name, and nothing is changed")
    func newer() throws {
        try withStorageDirectory { directory in
            let path = try makeFirst(in: directory)
            try execute("PRAGMA user_version = \(SQLitePlace.format + 1)", at: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite"))
            let error = try expect(.fromNewerVersion) { _ = try SQLiteStorage.open(at: path) }
            #expect(error.remedy == "update this software" && error.what.contains("\(SQLitePlace.format + 1)"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: path + "/store.sqlite")) == before)
        }
    }
}
