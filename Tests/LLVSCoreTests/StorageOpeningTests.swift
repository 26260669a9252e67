import CSQLite
import Dispatch
import Foundation
import LLVSCore
import StorageConformance
import Synchronization
import TestSupport
import Testing

/// Making and opening stores, and what is said when that cannot be.
@Suite("SQLite storage: creating and opening")
struct StorageOpeningTests {
    let keys = KeyedZone("keys")

    @Test("a store is not made over anything")
    func createsExclusively() throws {
        try withStorageDirectory { directory in
            try SQLiteStorage.create(at: directory + "/store").close()
            try FileManager.default.createDirectory(atPath: directory + "/folder", withIntermediateDirectories: false)
            try Data().write(to: URL(fileURLWithPath: directory + "/file"))
            try FileManager.default.createSymbolicLink(
                atPath: directory + "/link", withDestinationPath: directory + "/nowhere")
            for name in ["store", "store/", "folder", "file", "link"] {
                try expect(.storeExists) { _ = try SQLiteStorage.create(at: directory + "/" + name) }
            }
            try expectOnly(["store", "folder", "file", "link"], in: directory)
        }
    }

    @Test("of many that make one store at once, one does")
    func createsOnce() async throws {
        try await onOwnThread {
            try withStorageDirectory { directory in
                let made = DispatchQueue.concurrentMap(8) { _ in
                    do {
                        try SQLiteStorage.create(at: directory + "/store").close()
                        return "made"
                    } catch let error as StoreError {
                        return error.code.rawValue
                    } catch {
                        return "\(error)"
                    }
                }
                #expect(made.sorted() == ["made"] + Array(repeating: "storeExists", count: 7))
                try expectOnly(["store"], in: directory)
            }
        }
    }

    @Test("what a creator that died has left is used up by the next")
    func finishesCreation() throws {
        try withStorageDirectory { directory in
            let left = directory + "/.store.creating"
            try FileManager.default.createDirectory(
                atPath: left, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "writer.lock"] {
                try Data("left".utf8).write(to: URL(fileURLWithPath: left + "/" + name))
            }
            let storage = try SQLiteStorage.create(at: directory + "/store")
            try storage.write { try $0.put([1], for: [1], in: keys) }
            try #expect(storage.checkIntegrity() == [])
            try storage.close()
            try expectOnly(["store"], in: directory)
        }
    }

    @Test("a folder of others in the way is not used")
    func refusesForeignTemporary() throws {
        try withStorageDirectory { directory in
            let trap = directory + "/.store.creating"
            try FileManager.default.createDirectory(
                atPath: trap, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o777])
            try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: trap)
            try expect(.inputOutput) { _ = try SQLiteStorage.create(at: directory + "/store") }
            try expectOnly([".store.creating"], in: directory)
        }
    }

    @Test("a creation that fails leaves nothing")
    func leavesNothing() throws {
        struct Fault: Error {}
        try withStorageDirectory { directory in
            let options = SQLiteOptions(faults: StorageFaults(beforeStatement: { _ in throw Fault() }))
            #expect(throws: Fault.self) { try SQLiteStorage.create(at: directory + "/store", options: options) }
            try expectOnly([], in: directory)
            try expect(.inputOutput) { _ = try SQLiteStorage.create(at: directory + "/no/store") }
            try expectOnly([], in: directory)
        }
    }

    @Test("where no store is, the way to make one is named")
    func notAStore() throws {
        try withStorageDirectory { directory in
            try Data("text".utf8).write(to: URL(fileURLWithPath: directory + "/file"))
            try FileManager.default.createDirectory(
                atPath: directory + "/folder/store.sqlite", withIntermediateDirectories: true)
            for name in ["absent", "", "file", "folder", "file/store"] {
                let error = try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory + "/" + name) }
                #expect(error.remedy.contains("`init`"), "\(error)")
            }
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: "") }
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory + "\0/store") }
            try expectOnly(["file", "folder"], in: directory)
        }
    }

    @Test("databases of others are refused and left as they are")
    func foreignDatabase() throws {
        try withStorageDirectory { directory in
            let file = directory + "/store.sqlite"
            try execute("CREATE TABLE t (x); PRAGMA user_version = 1", at: file)
            let before = try Data(contentsOf: URL(fileURLWithPath: file))
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory) }
            try #expect(Data(contentsOf: URL(fileURLWithPath: file)) == before)
            try Data("this is no database at all".utf8).write(to: URL(fileURLWithPath: file))
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory) }
            try Data().write(to: URL(fileURLWithPath: file))
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory) }
            try expectOnly(["store.sqlite"], in: directory)
        }
    }

    @Test("a store of a later format is named as such")
    func fromNewerVersion() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            try SQLiteStorage.create(at: path).close()
            try execute("PRAGMA user_version = 1000", at: path + "/store.sqlite")
            let error = try expect(.fromNewerVersion) { _ = try SQLiteStorage.open(at: path) }
            #expect(error.remedy == "update this software")
        }
    }

    @Test("a store that another program took out of write-ahead mode is put back")
    func restoresLog() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            try SQLiteStorage.create(at: path).close()
            try execute("PRAGMA journal_mode = DELETE", at: path + "/store.sqlite")
            let storage = try SQLiteStorage.open(at: path)
            try storage.write { try $0.put([1], for: [1], in: keys) }
            try #expect(storage.keys(keys) == [[1]])
            #expect(FileManager.default.fileExists(atPath: path + "/store.sqlite-wal"))
            try storage.close()
        }
    }

    @Test("a path through a link keeps meaning the store it meant")
    func followsLinksOnce() throws {
        try withStorageDirectory { directory in
            for name in ["one", "two"] { try SQLiteStorage.create(at: directory + "/" + name).close() }
            let link = directory + "/link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory + "/one")
            let storage = try SQLiteStorage.open(at: link)
            try FileManager.default.removeItem(atPath: link)
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: directory + "/two")
            try storage.write { try $0.put([1], for: [1], in: keys) }
            try #expect(storage.keys(keys) == [[1]])
            #expect(storage.path == directory + "/one")
            try storage.close()
        }
    }

    private func expectOnly(_ names: Set<String>, in directory: String) throws {
        try #expect(Set(FileManager.default.contentsOfDirectory(atPath: directory)) == names)
    }
}

extension StorageOpeningTests {
    /// Runs SQL as another program would.
    private func execute(_ sql: String, at path: String) throws {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        try #require(sqlite3_open(path, &connection) == SQLITE_OK)
        try #require(sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK)
    }
}

/// The store error of this code that `body` has to throw.
@discardableResult
func expect(_ code: StoreError.Code, _ body: () throws -> Void) throws -> StoreError {
    let error = try #require(throws: StoreError.self) { try body() }
    #expect(error.code == code, "\(error)")
    return error
}

extension DispatchQueue {
    /// What `body` makes of 0, 1, … at once, in that order.
    static func concurrentMap<Result: Sendable>(
        _ count: Int, _ body: @Sendable (Int) -> Result
    ) -> [Result] {
        let results = Mutex<[Int: Result]>([:])
        concurrentPerform(iterations: count) { index in
            let result = body(index)
            results.withLock { $0[index] = result }
        }
        return results.withLock { results in (0..<count).compactMap { results[$0] } }
    }
}
