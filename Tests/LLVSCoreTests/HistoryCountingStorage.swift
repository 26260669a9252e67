import LLVSCore
import Synchronization

/// A storage that counts the rows and keys it is asked for.
final class CountingStorage: Storage {
    private let inner: any Storage
    private let count = Mutex(0)
    private let rowCount = Mutex(0)

    init(_ inner: any Storage = MemoryStorage()) { self.inner = inner }

    /// Everything it was asked for.
    var reads: Int { count.withLock(\.self) }
    /// Rows that were asked for one by one.
    var rows: Int { rowCount.withLock(\.self) }

    func reset() { count.withLock { $0 = 0 } }

    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try inner.read { try body(Reader(inner: $0, storage: self)) }
    }

    func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result { try inner.write(body) }
    func sync() throws { try inner.sync() }
    func checkIntegrity() throws -> [String] { try inner.checkIntegrity() }
    func close() throws { try inner.close() }

    private func add() { count.withLock { $0 += 1 } }

    private struct Reader: StorageReader {
        let inner: any StorageReader
        let storage: CountingStorage

        func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? {
            storage.add()
            return try inner.value(key, in: zone)
        }

        func scan(
            _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
        ) throws {
            try inner.scan(zone, from: from, before: before) {
                storage.add()
                return try body($0, $1)
            }
        }

        func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
            storage.add()
            storage.rowCount.withLock { $0 += 1 }
            return try inner.row(id, in: zone)
        }

        func lastRow(in zone: RowZone) throws -> Int64 {
            storage.add()
            return try inner.lastRow(in: zone)
        }

        func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
            try inner.scanRows(zone, from: from) {
                storage.add()
                return try body($0, $1)
            }
        }
    }
}
