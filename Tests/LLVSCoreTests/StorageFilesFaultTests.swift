import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

/// Every call of the seam fails once, or is the one before which the process dies: what is there afterwards is the state
/// before the transaction or the one after it.
@Suite("File storage: every call fails and kills", .timeLimit(.minutes(20)))
struct StorageFilesFaultTests {
    let keys = KeyedZone("keys")
    let rows = RowZone("rows")

    private struct Model: Equatable {
        var keys: [[UInt8]: [UInt8]] = [:]
        var rows: [Int64: [UInt8]] = [:]
    }

    private func model(_ storage: any Storage) throws -> Model {
        try storage.read { reader in
            var model = Model()
            try reader.scan(keys, from: [], before: nil) {
                model.keys[$0] = $1
                return true
            }
            try reader.scanRows(rows, from: 1) {
                model.rows[$0] = $1
                return true
            }
            return model
        }
    }

    /// The n-th transaction: some small ones, one that goes to the disk in pieces, and enough out of date to compact.
    private func step(_ number: Int, _ writer: any StorageWriter) throws {
        let size = number == 3 ? 400_000 : 3_000
        for row in 0..<4 {
            try writer.setRow([UInt8](repeating: UInt8(number), count: size), at: Int64(row + 1), in: rows)
        }
        try writer.put([UInt8(number)], for: [UInt8(number)], in: keys)
        try writer.remove([UInt8(number - 1)], in: keys)
    }

    private func expected(_ number: Int) -> Model {
        if number == 0 { return Model() }
        let row = [UInt8](repeating: UInt8(number), count: number == 3 ? 400_000 : 3_000)
        return Model(keys: [[UInt8(number)]: [UInt8(number)]], rows: [1: row, 2: row, 3: row, 4: row])
    }

    private static let steps = 6
    private static let unflushed = FileStorageOptions(files: StorageUnflushedFileSystem())

    /// Opens, saves, flushes and closes; how many transactions were acknowledged.
    private func run(_ path: String, _ files: any FileSystem, _ durability: Durability) -> (
        done: Int, error: (any Error)?
    ) {
        var done = 0
        do {
            let options = FileStorageOptions(durability: durability, files: files, smallestCompacted: 20_000)
            let storage = try FileStorage.open(at: path, options: options)
            for number in 1...Self.steps {
                try storage.write { try step(number, $0) }
                done = number
                if number.isMultiple(of: 2) { try storage.sync() }
            }
            try storage.close()
        } catch { return (done, error) }
        return (done, nil)
    }

    @Test("old state or new state", arguments: [Durability.normal, .full], [true, false])
    func everyCall(_ durability: Durability, _ dies: Bool) throws {
        try withStorageDirectory { directory in
            try FileStorage.create(at: directory + "/counted").close()
            let counting = FaultyFileSystem(StorageUnflushedFileSystem())
            #expect(run(directory + "/counted", counting, durability).error == nil)
            #expect(counting.calls.contains { $0.name == "rename" && $0.path.hasSuffix("/log") })
            #expect(counting.openFiles == 0)
            // The same calls but for the flushes: some of them are enough.
            for call in stride(from: 1, through: counting.callCount, by: durability == .full ? 1 : 7) {
                let path = directory + "/store-\(call)"
                try FileStorage.create(at: path, options: Self.unflushed).close()
                let files = FaultyFileSystem(
                    StorageUnflushedFileSystem(),
                    fault: dies ? .death(call: call) : .once(call: call, errno: call % 2 == 0 ? .noSpace : .inputOutput)
                )
                let (done, error) = run(path, files, durability)
                if let error { #expect(error is StoreError, "call \(call): \(error)") }
                // A failed close, compaction or mark costs nothing that was asked for.
                #expect(error != nil || done == Self.steps, "call \(call)")
                let storage = try FileStorage.open(at: path, options: Self.unflushed)
                let found = try model(storage)
                let context: Comment =
                    "call \(call) \(counting.calls[call - 1]): \(done) acknowledged, then \(error as Any)"
                #expect(found == expected(done) || done < Self.steps && found == expected(done + 1), context)
                try #expect(storage.checkIntegrity() == [], context)
                try storage.write { try step(Self.steps + 1, $0) }
                try #expect(storage.read { try $0.row(1, in: rows)?.first } == UInt8(Self.steps + 1))
                try storage.close()
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    @Test("a failed transaction is gone, and the next one goes on from what was committed")
    func goesOn() throws {
        try withStorageDirectory { directory in
            let files = FaultyFileSystem(StorageUnflushedFileSystem())
            let options = FileStorageOptions(files: files)
            let storage = try FileStorage.create(at: directory + "/store", options: options)
            for number in 1...2 { try storage.write { try step(number, $0) } }
            // Half of the bytes reach the disk before it is full.
            files.writeAtMost(900_000)
            for faults in 1...2 {
                // The first write of all, then the one after the first: asking the log's name and size come before.
                files.set(.once(call: files.calls.count + 2 + faults, errno: .noSpace))
                try expect(.noSpace) { try storage.write { try step(3, $0) } }
                #expect(files.calls.last?.name == "write")
                try #expect(model(storage) == expected(2))
            }
            try storage.write { try step(3, $0) }
            try #expect(model(storage) == expected(3))
            try storage.write { try step(4, $0) }
            try #expect(model(storage).rows[1]?.first == 4)
            try #expect(storage.checkIntegrity() == [])
            try storage.close()
            #expect(files.openFiles == 0)
        }
    }
}
