import LLVSCore
import Synchronization
import TestSupport
import Testing

/// A storage that counts the rows it gives.
private final class CountingStorage: Storage {
    private let inner: any Storage
    fileprivate let rows = Mutex(0)

    init(_ inner: any Storage) { self.inner = inner }

    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try inner.read { try body(CountingReader(inner: $0, storage: self)) }
    }

    func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result { try inner.write(body) }
    func sync() throws { try inner.sync() }
    func checkIntegrity() throws -> [String] { try inner.checkIntegrity() }
    func close() throws { try inner.close() }
}

private struct CountingReader: StorageReader {
    let inner: any StorageReader
    let storage: CountingStorage

    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? { try inner.value(key, in: zone) }

    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        try inner.scan(zone, from: from, before: before, body)
    }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        storage.rows.withLock { $0 += 1 }
        return try inner.row(id, in: zone)
    }

    func lastRow(in zone: RowZone) throws -> Int64 { try inner.lastRow(in: zone) }

    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
        try inner.scanRows(zone, from: from, body)
    }
}

@Suite("History: what a question costs") struct HistoryCostTests {
    @Test("common ancestors of unequal branches cost the versions that differ, however long the history")
    func unequalBranches() throws {
        let builder = StoreBuilder()
        var tip = try builder.save(["0": "0"])
        var costs: [Int] = []
        for round in 0..<300 {
            let longer = try builder.save(["b": "\(round)"], on: try builder.save(["a": "\(round)"], on: tip))
            let shorter = try builder.save(["c": "\(round)"], on: tip)
            // A store that has read nothing yet.
            let storage = CountingStorage(builder.store.storage)
            let store = Store(storage: storage)
            #expect(try store.commonAncestors(longer, shorter).map(\.id) == [tip])
            costs.append(storage.rows.withLock(\.self))
            tip = try builder.save([:], on: longer, and: shorter)
        }
        // The three that differ, their fork, and at most the parents of that.
        #expect(costs.allSatisfy { $0 <= 6 }, "\(costs.max() ?? 0) rows")
        #expect(costs.suffix(100).max() == costs.prefix(100).max())
    }
}
