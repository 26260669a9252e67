import LLVSCore
import Synchronization

/// A storage whose n-th writing call fails: a put, append, removal or commit.
final class FailingStorage: Storage {
    /// What the call that fails throws: a disk that is full.
    static let failure = StoreError(.noSpace, "the test's disk is full", remedy: "go on with the test")

    private struct State {
        var writes = 0
        var failing: Int?
    }

    private let inner: any Storage
    private let state = Mutex(State())

    init(_ inner: any Storage) {
        self.inner = inner
    }

    /// The writing calls since ``fail(atWrite:)``.
    var writes: Int { state.withLock(\.writes) }

    /// Counts writing calls from here, and fails at the n-th; nil: at none.
    func fail(atWrite number: Int?) {
        state.withLock { $0 = State(writes: 0, failing: number) }
    }

    fileprivate func countWrite() throws {
        try state.withLock { state in
            state.writes += 1
            if state.writes == state.failing { throw Self.failure }
        }
    }

    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        try inner.read(body)
    }

    func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        try inner.write { writer in
            let result = try body(FailingWriter(inner: writer, storage: self))
            // Stands for the commit.
            try countWrite()
            return result
        }
    }

    func sync() throws { try inner.sync() }
    func checkIntegrity() throws -> [String] { try inner.checkIntegrity() }
    func close() throws { try inner.close() }
}

private struct FailingWriter: StorageWriter {
    let inner: any StorageWriter
    let storage: FailingStorage

    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? { try inner.value(key, in: zone) }

    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        try inner.scan(zone, from: from, before: before, body)
    }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? { try inner.row(id, in: zone) }
    func lastRow(in zone: RowZone) throws -> Int64 { try inner.lastRow(in: zone) }

    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
        try inner.scanRows(zone, from: from, body)
    }

    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws {
        try storage.countWrite()
        try inner.put(value, for: key, in: zone)
    }

    func remove(_ key: [UInt8], in zone: KeyedZone) throws {
        try storage.countWrite()
        try inner.remove(key, in: zone)
    }

    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64 {
        try storage.countWrite()
        return try inner.append(bytes, to: zone)
    }

    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws {
        try storage.countWrite()
        try inner.setRow(bytes, at: id, in: zone)
    }

    func removeRow(_ id: Int64, in zone: RowZone) throws {
        try storage.countWrite()
        try inner.removeRow(id, in: zone)
    }
}
