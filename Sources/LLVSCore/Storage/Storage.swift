/// A zone of ordered keys: a name of 1 to 40 characters of `[a-z0-9_]`.
public struct KeyedZone: Hashable, Sendable {
    /// The zone's name.
    public let name: String
    /// A zone of this name. A zone comes into being with its first key.
    public init(_ name: String) {
        precondition(isZoneName(name), "A zone's name is 1 to 40 characters of [a-z0-9_], got \(name).")
        self.name = name
    }
}

/// A zone of numbered rows: a name of 1 to 40 characters of `[a-z0-9_]`.
public struct RowZone: Hashable, Sendable {
    /// The zone's name.
    public let name: String
    /// A zone of this name. A zone comes into being with its first row.
    public init(_ name: String) {
        precondition(isZoneName(name), "A zone's name is 1 to 40 characters of [a-z0-9_], got \(name).")
        self.name = name
    }
}

/// Whether a zone can have this name.
func isZoneName(_ name: String) -> Bool {
    (1...40).contains(name.utf8.count)
        && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == 95 }
}

/// Where a store keeps its bytes: keyed and numbered zones under one transaction.
///
/// Everything else (versions, the map, what a folder exchange remembers) is built on these few calls, so that a new kind of
/// storage is these calls and nothing more. An implementation is accepted when it passes the storage contract suite.
///
/// All calls block; none may be made on Swift's cooperative pool.
public protocol Storage: Sendable {
    /// Runs `body` on one consistent snapshot of what was committed before. Any number run at once, also beside a writer.
    func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
    /// As ``read(_:)``, on a snapshot that may be of a later moment: of any until `body` first asks for something. May cost
    /// less, and is the same unless it is implemented.
    func readLatest<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result
    /// A mark that differs from every earlier one once anything was committed since, by whatever process; nil if that costs as
    /// much as reading. Unless it is implemented, it is nil.
    func changeMark() throws -> StorageChangeMark?
    /// The bytes of one row of a snapshot as of ``readLatest(_:)``, or nil. May cost less, and is the same unless it is
    /// implemented.
    func latestRow(_ id: Int64, in zone: RowZone) throws -> [UInt8]?
    /// Runs `body` as the only writer, of all processes, and commits what it wrote wholly when it returns. If it throws,
    /// nothing of it remains. Calls must not be nested.
    func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result
    /// As ``write(_:)``, for thousands of changes at places all over the storage: may take more memory meanwhile, and is the
    /// same unless it is implemented.
    func writeMuch<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result
    /// Returns when everything committed before survives a power cut.
    func sync() throws
    /// What is wrong with the storage itself, a sentence each; empty when sound.
    func checkIntegrity() throws -> [String]
    /// Releases files and locks. Every later call throws ``StoreError/Code/closed``. Closing twice is not an error.
    func close() throws
}

/// Stands for what was committed to a storage at a moment; means something to the object that gave it, as long as it lives.
public struct StorageChangeMark: Hashable, Sendable {
    private let part: UInt64
    private let count: UInt64

    /// A mark of two numbers, whatever they count.
    public init(_ part: UInt64 = 0, count: UInt64) {
        self.part = part
        self.count = count
    }
}

extension Storage {
    /// Nil: not known without reading.
    public func changeMark() throws -> StorageChangeMark? { nil }

    /// Does what ``read(_:)`` does.
    public func readLatest<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result { try read(body) }

    /// Does what ``write(_:)`` does.
    public func writeMuch<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result { try write(body) }

    /// Asks ``readLatest(_:)``.
    public func latestRow(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        try readLatest { try $0.row(id, in: zone) }
    }
}

/// The reading half of a transaction. It must not be used after the closure it was handed to has returned.
public protocol StorageReader {
    /// The bytes under `key`, or nil.
    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]?
    /// Calls `body` with each key from `from` on, up to but not including `before` (nil: to the end), ascending by bytes,
    /// until it returns false. `body` may use the same transaction, but not change the zone that is scanned.
    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool) throws
    /// The bytes of row `id`, or nil.
    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]?
    /// Calls `body` with the bytes of each of these rows, nil where there is none, in the order of `ids`, until it returns
    /// false. Costs less than asking for one after the other where the storage implements it, most if they ascend. `body` may
    /// use the same transaction, but not change the zone.
    func rows(_ ids: [Int64], in zone: RowZone, _ body: (Int64, [UInt8]?) throws -> Bool) throws
    /// The greatest id in the zone, or 0.
    func lastRow(in zone: RowZone) throws -> Int64
    /// Calls `body` with each row from `from` on, ascending, until it returns false. `body` may use the same transaction,
    /// but not change the zone that is scanned.
    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws
}

extension StorageReader {
    /// Asks for one row after the other.
    public func rows(_ ids: [Int64], in zone: RowZone, _ body: (Int64, [UInt8]?) throws -> Bool) throws {
        for id in ids {
            guard try body(id, try row(id, in: zone)) else { return }
        }
    }

    /// Every key of the zone, ascending: for zones that hold few, or before they are changed.
    func keys(of zone: KeyedZone) throws -> [[UInt8]] {
        var keys: [[UInt8]] = []
        try scan(zone, from: [], before: nil) { key, _ in
            keys.append(key)
            return true
        }
        return keys
    }
}

/// A writing transaction; it sees what it wrote.
public protocol StorageWriter: StorageReader {
    /// Sets the bytes under `key`.
    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws
    /// Removes `key`; an absent key is not an error.
    func remove(_ key: [UInt8], in zone: KeyedZone) throws
    /// Adds a row after the last and returns its id, 1 for the first.
    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64
    /// Sets row `id`, which may be new.
    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws
    /// Sets these rows, which may be new, in that order. Costs less than setting one after the other where the storage implements
    /// it.
    func setRows(_ rows: [(id: Int64, bytes: ArraySlice<UInt8>)], in zone: RowZone) throws
    /// Removes row `id`; an absent row is not an error.
    func removeRow(_ id: Int64, in zone: RowZone) throws
}

extension StorageWriter {
    /// Sets one row after the other.
    public func setRows(_ rows: [(id: Int64, bytes: ArraySlice<UInt8>)], in zone: RowZone) throws {
        for (id, bytes) in rows { try setRow([UInt8](bytes), at: id, in: zone) }
    }
}
