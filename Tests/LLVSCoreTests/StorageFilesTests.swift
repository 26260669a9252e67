import FileCoordination
import Foundation
import LLVSCore
import StorageConformance
import TestSupport
import Testing

/// What the storage in plain files promises beyond the contract.
@Suite("File storage", .timeLimit(.minutes(20)))
struct StorageFilesTests {
    let keys = KeyedZone("keys")
    let rows = RowZone("rows")

    @Test("what was committed is there after reopening", arguments: [Durability.normal, .full])
    func reopens(_ durability: Durability) throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let first = try FileStorage.create(at: path, durability: durability)
            try first.write { try $0.put([1], for: [1], in: keys) }
            try first.close()
            for count in 1...3 {
                let again = try FileStorage.open(at: path, durability: durability)
                try #expect(again.rows(rows).count == count - 1)
                try #expect(again.keys(keys) == [[1]])
                try again.write { _ = try $0.append([], to: rows) }
                if count < 3 { try again.close() }
            }
        }
    }

    @Test("files and folder are private to the user, and no name comes from a key")
    func permissions() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let storage = try FileStorage.create(at: path)
            try storage.write { try $0.put([1], for: Array("../x".utf8), in: keys) }
            try storage.sync()
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            #expect(Set(names) == ["log", "flushed", "writer.lock"])
            for name in [""] + names {
                let mode = try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions]
                #expect(mode as? Int == (name.isEmpty ? 0o700 : 0o600), "\(name)")
            }
            try storage.close()
            try #expect(FileManager.default.contentsOfDirectory(atPath: directory) == ["store"])
        }
    }

    @Test("two that have it open see each other's commits at the next read, and lose none")
    func twoStorages() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let storages = [try FileStorage.create(at: path), try FileStorage.open(at: path)]
            for step in 0..<200 {
                let id = try storages[step % 2].write { try $0.append([UInt8(step)], to: rows) }
                #expect(id == Int64(step + 1))
                try #expect(storages[(step + 1) % 2].read { try $0.row(id, in: rows) } == [UInt8(step)])
            }
            for storage in storages { try storage.close() }
        }
    }

    @Test("a log that is mostly out of date is compacted, and who reads the old one goes on reading it")
    func compacts() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let options = FileStorageOptions(smallestCompacted: 50_000)
            let storage = try FileStorage.create(at: path, options: options)
            let other = try FileStorage.open(at: path, options: options)
            try storage.write { writer in
                for row in 0..<50 { _ = try writer.append([UInt8](repeating: UInt8(row), count: 100), to: rows) }
            }
            try other.read { reader in
                for step in 0..<300 {
                    let value = [UInt8](repeating: UInt8(step & 255), count: 1_000)
                    try storage.write { try $0.put(value, for: [1], in: keys) }
                }
                try #expect(reader.row(50, in: rows) == [UInt8](repeating: 49, count: 100))
                try #expect(reader.value([1], in: keys) == nil)
            }
            try #expect(FileManager.default.attributesOfItem(atPath: path + "/log")[.size] as? Int ?? .max < 110_000)
            for storage in [storage, other] {
                try #expect(storage.read { try $0.value([1], in: keys) } == [UInt8](repeating: 43, count: 1_000))
                try #expect(storage.rows(rows).count == 50)
                try #expect(storage.checkIntegrity() == [])
            }
            try other.write { _ = try $0.append([7], to: rows) }
            try #expect(storage.rows(rows).count == 51)
            for storage in [storage, other] { try storage.close() }
        }
    }

    @Test("a transaction of many megabytes goes to the disk in pieces and counts as one")
    func largeTransaction() throws {
        struct Stop: Error {}
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let storage = try FileStorage.create(at: path)
            let other = try FileStorage.open(at: path)
            func fill(_ writer: any StorageWriter, _ byte: UInt8) throws {
                for row in 1...12 {
                    try writer.setRow([UInt8](repeating: byte, count: 500_000), at: Int64(row), in: rows)
                }
                try #expect(writer.row(1, in: rows) == [UInt8](repeating: byte, count: 500_000))
                try #expect(writer.row(12, in: rows)?.first == byte)
                try #expect(other.rows(rows).allSatisfy { $0.bytes.first != byte })
            }
            #expect(throws: Stop.self) {
                try storage.write { writer in
                    try fill(writer, 1)
                    throw Stop()
                }
            }
            try #expect(storage.rows(rows).isEmpty)
            try storage.write { try fill($0, 2) }
            for storage in [storage, other] {
                try #expect(storage.rows(rows).allSatisfy { $0.bytes == [UInt8](repeating: 2, count: 500_000) })
                try #expect(storage.checkIntegrity() == [])
            }
            for storage in [storage, other] { try storage.close() }
        }
    }

    @Test("a store is not made over anything, and where none is, that is said")
    func creatingAndOpening() throws {
        try withStorageDirectory { directory in
            try FileStorage.create(at: directory + "/store").close()
            try SQLiteStorage.create(at: directory + "/sqlite").close()
            for name in ["store", "sqlite"] {
                try expect(.storeExists) { _ = try FileStorage.create(at: directory + "/" + name) }
            }
            try expect(.notAStore) { _ = try FileStorage.open(at: directory + "/none") }
            try expect(.notAStore) { _ = try FileStorage.open(at: directory) }
            try expect(.notAStore) { _ = try SQLiteStorage.open(at: directory + "/store") }
        }
    }
}
