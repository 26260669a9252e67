import Dispatch
import Foundation
import LLVSCore
import StorageConformance
import Synchronization
import TestSupport
import Testing

/// What the default storage promises beyond the contract.
@Suite("SQLite storage", .timeLimit(.minutes(20)))
struct StorageSQLiteTests {
    let keys = KeyedZone("keys")
    let rows = RowZone("rows")

    @Test("what was committed is there after reopening", arguments: [Durability.normal, .full])
    func reopens(_ durability: Durability) throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let first = try SQLiteStorage.create(at: path, durability: durability)
            try first.write { try $0.put([1], for: [1], in: keys) }
            try first.close()
            for count in 1...3 {
                let again = try SQLiteStorage.open(at: path)
                try #expect(again.rows(rows).count == count - 1)
                try #expect(again.keys(keys) == [[1]])
                try again.write { _ = try $0.append([], to: rows) }
                if count < 3 { try again.close() }
            }
        }
    }

    @Test("files and folder are private to the user")
    func permissions() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let storage = try SQLiteStorage.create(at: path)
            try storage.write { try $0.put([1], for: [1], in: keys) }
            try #expect(mode(path) == 0o700)
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(Set(names) == ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "writer.lock"])
            for name in names { try #expect(mode(path + "/" + name) == 0o600, "\(name)") }
            try storage.close()
            try #expect(FileManager.default.contentsOfDirectory(atPath: directory) == ["store"])
        }
    }

    @Test("threads of two storages on one folder lose nothing, and readers never fail")
    func twoStorages() async throws {
        try await onOwnThread {
            try withStorageDirectory { directory in
                let path = directory + "/store"
                let storages = [try SQLiteStorage.create(at: path), try SQLiteStorage.open(at: path)]
                let failures = Mutex<[String]>([])
                DispatchQueue.concurrentPerform(iterations: 8) { thread in
                    let storage = storages[thread % 2]
                    do {
                        for step in 0..<200 {
                            try storage.write { _ = try $0.append([UInt8(thread), UInt8(step)], to: rows) }
                            try storage.read { reader in
                                let last = try reader.lastRow(in: rows)
                                if try reader.row(last, in: rows) == nil || reader.row(last + 1, in: rows) != nil {
                                    failures.withLock { $0.append("a snapshot changed at \(last)") }
                                }
                            }
                        }
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                #expect(failures.withLock { $0 } == [])
                let all = try storages[0].rows(rows)
                #expect(all.count == 1_600)
                for thread in 0..<8 {
                    // Each thread's rows are in the order it wrote them.
                    let steps = all.filter { $0.bytes[0] == UInt8(thread) }.map(\.bytes[1])
                    #expect(steps == (0..<200).map(UInt8.init))
                }
                for storage in storages { try storage.close() }
            }
        }
    }

    @Test("more readers than connections all get their turn")
    func manyReaders() async throws {
        try await onOwnThread {
            try withStorageDirectory { directory in
                let storage = try SQLiteStorage.create(at: directory + "/store")
                try storage.write { try $0.put([1], for: [1], in: keys) }
                let seen = Mutex(0)
                let done = DispatchSemaphore(value: 0)
                for _ in 0..<12 {
                    Thread.detachNewThread {
                        defer { done.signal() }
                        do {
                            for _ in 0..<20 {
                                let value = try storage.read { try $0.value([1], in: keys) }
                                if value == [1] { seen.withLock { $0 += 1 } }
                            }
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
                for _ in 0..<12 { done.wait() }
                #expect(seen.withLock { $0 } == 240)
                try storage.close()
            }
        }
    }

    @Test("a writer that waits in vain is told the holder's process")
    func lockedByOther() async throws {
        try await onOwnThread {
            try withStorageDirectory { directory in
                let path = directory + "/store"
                let holder = try SQLiteStorage.create(at: path)
                let waiting = try SQLiteStorage.open(at: path, options: SQLiteOptions(patience: .milliseconds(50)))
                try holder.write { _ in
                    try waitForOwnThread {
                        let error = #expect(throws: StoreError.self) { try waiting.write { _ in } }
                        #expect(error?.code == .locked)
                        #expect(error?.what.contains("process \(ProcessInfo.processInfo.processIdentifier) ") == true)
                        try #expect(waiting.read { try $0.lastRow(in: rows) } == 0)
                    }
                }
                try waiting.write { _ = try $0.append([], to: rows) }
                try holder.close()
                try waiting.close()
            }
        }
    }

    @Test("the log is copied into the database as it grows, and emptied on closing")
    func checkpoints() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let storage = try SQLiteStorage.create(at: path)
            let body = [UInt8](repeating: 1, count: 1 << 20)
            try storage.write { for _ in 0..<66 { _ = try $0.append(body, to: rows) } }
            try #expect(size(path + "/store.sqlite") > 64 << 20)
            for _ in 0..<20 {
                try storage.write { _ = try $0.append(body, to: rows) }
                try #expect(size(path + "/store.sqlite-wal") < 24 << 20)
            }
            try #expect(size(path + "/store.sqlite") > 80 << 20)
            try storage.close()
            try #expect(size(path + "/store.sqlite-wal") == 0)
            let again = try SQLiteStorage.open(at: path)
            try #expect(again.rows(rows).count == 86)
            try again.close()
        }
    }

    @Test("a body that swallows the failure of a write does not commit the rest")
    func swallowedFailure() throws {
        struct Fault: Error {}
        try withStorageDirectory { directory in
            let faults = StorageFaults(beforeStatement: { sql in
                if sql.hasPrefix("INSERT INTO r_rows") { throw Fault() }
            })
            let storage = try SQLiteStorage.create(at: directory + "/store", options: SQLiteOptions(faults: faults))
            #expect(throws: Fault.self) {
                try storage.write { writer in
                    try writer.put([1], for: [1], in: keys)
                    do { _ = try writer.append([], to: rows) } catch is Fault {}
                }
            }
            try #expect(storage.keys(keys) == [])
            try storage.close()
        }
    }

    @Test("whichever statement fails, the transaction is wholly there or not at all")
    func failsAtEachStatement() throws {
        struct Fault: Error {}
        try withStorageDirectory { directory in
            let countdown = Mutex(Int.max)
            let step: @Sendable () throws -> Void = {
                let isDue = countdown.withLock { count in
                    count -= 1
                    return count == 0
                }
                if isDue { throw Fault() }
            }
            let faults = StorageFaults(beforeStatement: { _ in try step() }, beforeCommit: step)
            let storage = try SQLiteStorage.create(at: directory + "/store", options: SQLiteOptions(faults: faults))
            var failures = 0
            for call in 1...100 {
                countdown.withLock { $0 = call }
                do {
                    try storage.write { writer in
                        try writer.put([1], for: [1], in: keys)
                        _ = try writer.append([1], to: rows)
                        try writer.scan(keys, from: [], before: nil) { _, _ in true }
                        try writer.remove([9], in: keys)
                    }
                } catch is Fault {
                    failures += 1
                }
                let hasFailed = countdown.withLock { count in
                    defer { count = Int.max }
                    return count <= 0
                }
                try #expect(storage.keys(keys) == (hasFailed ? [] : [[1]]))
                try #expect(storage.rows(rows).count == (hasFailed ? 0 : 1))
                if !hasFailed { break }
            }
            #expect(failures > 8)
            try storage.close()
        }
    }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    private func size(_ path: String) throws -> Int {
        try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
