import Synchronization

/// A storage that lives as long as the object: for tests, previews and stores that are rebuilt each time.
///
/// A transaction works on a copy of the zones, which shares what does not change; a commit puts the copy in place.
public final class MemoryStorage: Storage {
    /// Nil once closed.
    private let committed: Mutex<MemoryZones?>
    private let gate = ThreadGate()
    private let commits = Atomic<UInt64>(0)

    /// An empty storage.
    public init() { committed = Mutex(MemoryZones()) }

    /// A storage that begins with all that another one has committed, and goes its own way from there. O(1).
    /// - Throws: ``StoreError/Code/closed`` if the other one is closed.
    public init(copying other: MemoryStorage) throws { committed = Mutex(try other.snapshot()) }

    /// Runs `body` on a copy of what was committed before.
    public func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
        let transaction = MemoryReadTransaction(try snapshot())
        defer { transaction.end() }
        return try body(transaction)
    }

    /// Runs `body` as the only writer and commits what it wrote wholly when it returns.
    public func write<Result>(_ body: (any StorageWriter) throws -> Result) throws -> Result {
        _ = gate.enter()
        defer { gate.leave() }
        let transaction = MemoryWriteTransaction(try snapshot())
        defer { transaction.end() }
        let result = try body(transaction)
        let zones = transaction.zones
        committed.withLock { $0 = zones }
        commits.add(1, ordering: .releasing)
        return result
    }

    /// The number of commits.
    public func changeMark() throws -> StorageChangeMark? {
        let count = commits.load(ordering: .acquiring)
        _ = try snapshot()
        return StorageChangeMark(count: count)
    }

    /// Does nothing: memory survives no power cut.
    public func sync() throws {
        _ = try snapshot()
    }

    /// Always sound.
    public func checkIntegrity() throws -> [String] {
        _ = try snapshot()
        return []
    }

    /// Forgets everything.
    public func close() throws {
        _ = gate.enter()
        defer { gate.leave() }
        committed.withLock { $0 = nil }
    }

    private func snapshot() throws -> MemoryZones {
        guard let zones = committed.withLock({ $0 }) else { throw StoreError.storageClosed(path: nil) }
        return zones
    }
}
