import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

/// What a storage in plain files makes of files that something else has spoilt, and of what a power cut leaves.
@Suite("File storage: damage and power cuts", .timeLimit(.minutes(20)))
struct StorageFilesDamageTests {
    let keys = KeyedZone("keys")
    let rows = RowZone("rows")

    private let options = FileStorageOptions(files: StorageUnflushedFileSystem())

    private func open(_ path: String) throws -> FileStorage { try FileStorage.open(at: path, options: options) }

    private func transaction(_ number: Int, _ writer: any StorageWriter) throws {
        try writer.put([UInt8](repeating: UInt8(number), count: 30), for: [1], in: keys)
        try writer.put([UInt8(number)], for: [2, UInt8(number)], in: keys)
        _ = try writer.append([UInt8](repeating: UInt8(number), count: 20 + number), to: rows)
        if number > 1 { try writer.remove([2, UInt8(number - 1)], in: keys) }
    }

    /// The state after so many transactions.
    private func state(_ count: Int) -> [[UInt8]] {
        if count == 0 { return [] }
        let n = UInt8(count)
        return [[1] + [UInt8](repeating: n, count: 30), [2, n, n]]
            + (1...count).map { [UInt8](repeating: UInt8($0), count: 20 + $0) }
    }

    private func state(of storage: any Storage) throws -> [[UInt8]] {
        try storage.read { reader in
            var found: [[UInt8]] = []
            try reader.scan(keys, from: [], before: nil) {
                found.append($0 + $1)
                return true
            }
            try reader.scanRows(rows, from: 1) {
                found.append($1)
                return true
            }
            return found
        }
    }

    /// A log with `flushed` transactions that were flushed and `unflushed` that were not, and where each ends.
    private func makeLog(_ path: String, flushed: Int, unflushed: Int) throws -> (ends: [Int], mark: Data) {
        let storage = try FileStorage.create(at: path, options: options)
        var ends = [try size(path)]
        var mark = Data()
        for number in 1...(flushed + unflushed) {
            try storage.write { try transaction(number, $0) }
            ends.append(try size(path))
            if number == flushed {
                try storage.sync()
                mark = try Data(contentsOf: URL(fileURLWithPath: path + "/flushed"))
            }
        }
        try storage.close()
        return (ends, mark)
    }

    private func size(_ path: String) throws -> Int {
        try Data(contentsOf: URL(fileURLWithPath: path + "/log")).count
    }

    @Test("wherever a power cut ends the log, or leaves a hole, the transactions before are there and all goes on")
    func powerCut() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let (ends, mark) = try makeLog(path, flushed: 3, unflushed: 3)
            let log = URL(fileURLWithPath: path + "/log")
            let whole = try Data(contentsOf: log)
            for byte in stride(from: ends[3], to: whole.count, by: 3) {
                let before = ends.lastIndex { $0 <= byte } ?? 0
                var hole = whole
                hole[byte] ^= 0x40
                for (content, kind) in [(whole[..<byte], "cut"), (hole, "hole")] {
                    try content.write(to: log)
                    try mark.write(to: URL(fileURLWithPath: path + "/flushed"))
                    let storage = try open(path)
                    try #expect(state(of: storage) == state(before), "\(kind) at \(byte)")
                    try storage.write { try transaction(before + 1, $0) }
                    try #expect(state(of: storage) == state(before + 1), "\(kind) at \(byte)")
                    try storage.close()
                    let again = try open(path)
                    try #expect(state(of: again) == state(before + 1), "\(kind) at \(byte)")
                    try again.close()
                }
            }
        }
    }

    @Test("a bit flipped in what was flushed gives an error that names the log, or the right bytes, and is told")
    func flipped() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let (ends, _) = try makeLog(path, flushed: 3, unflushed: 0)
            let log = URL(fileURLWithPath: path + "/log")
            let whole = try Data(contentsOf: log)
            #expect(ends[3] == whole.count)
            var told = 0
            for byte in 0..<whole.count {
                var spoilt = whole
                spoilt[byte] ^= byte % 2 == 0 ? 0x01 : 0x80
                try spoilt.write(to: log)
                do {
                    let storage = try open(path)
                    defer { #expect(throws: Never.self) { try storage.close() } }
                    if try !storage.checkIntegrity().isEmpty { told += 1 }
                    try #expect(state(of: storage) == state(3), "byte \(byte)")
                } catch let error as StoreError {
                    #expect([.damaged, .fromNewerVersion].contains(error.code), "byte \(byte): \(error)")
                    #expect(error.path == path + "/log")
                }
            }
            // What is out of date may be spoilt unseen.
            #expect(told > whole.count * 2 / 3)
        }
    }

    @Test("half a log, an empty one, none, a stray file and a lost mark are told, and the rest reads")
    func files() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            let (ends, mark) = try makeLog(path, flushed: 6, unflushed: 0)
            let log = URL(fileURLWithPath: path + "/log")
            let whole = try Data(contentsOf: log)
            for length in [0, 20, ends[2], ends[3] + 7] {
                try whole[..<length].write(to: log)
                let storage = try open(path)
                let error = try expect(.damaged) { try storage.read { _ in } }
                #expect(error.path == path + "/log")
                try expect(.damaged) { try storage.write { _ in } }
                try #expect(storage.checkIntegrity().contains { $0.contains(path + "/log") }, "\(length)")
                try storage.close()
            }
            try FileManager.default.removeItem(at: log)
            try expect(.damaged) { _ = try open(path) }
            try whole.write(to: log)
            for (name, content) in [("stray", Data("x".utf8)), ("flushed", Data()), ("log.new", whole[..<50])] {
                let file = URL(fileURLWithPath: path + "/" + name)
                try content.write(to: file)
                let storage = try open(path)
                try #expect(state(of: storage) == state(6))
                let told = try storage.checkIntegrity()
                // An unfinished new log is what a process that died leaves, and is no damage.
                #expect(
                    told.count == (name == "log.new" ? 0 : 1) && told.allSatisfy { $0.contains(file.path) }, "\(told)")
                try storage.close()
                if name == "flushed" { try mark.write(to: file) } else { try FileManager.default.removeItem(at: file) }
            }
        }
    }
}
