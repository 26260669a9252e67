package import FileCoordination
import Foundation

/// A versioned key-value store: every save is a version that is kept, like a commit; histories branch and merge.
///
/// Calls are synchronous, safe from any thread and any number of processes, and they block on the disk: use
/// ``StoreCoordinator`` from async code. Each version is written wholly or not at all, whatever happens.
public final class Store: Sendable {
    /// Where the store keeps its bytes.
    public let storage: any Storage
    /// The store's directory, if it is one on disk.
    public let path: String?
    let caches = StoreCaches()
    /// Counts the commits made through this object, and changes of connections: what may be news to a follower.
    package let news = Milestones()

    /// A store over a storage, new or used before. Starts nothing.
    public init(storage: any Storage, path: String? = nil) {
        self.storage = storage
        self.path = path
    }

    /// Makes a new store, a directory private to the user.
    /// - Throws: ``StoreError`` with `.storeExists` if there is one, and whatever the file system says.
    public static func create(at path: String, durability: Durability = .normal) throws -> Store {
        Store(storage: try SQLiteStorage.create(at: path, durability: durability), path: path)
    }

    /// Opens a store. Its cost does not grow with the history.
    /// - Throws: ``StoreError`` with `.notAStore` if there is none.
    public static func open(at path: String, durability: Durability = .normal) throws -> Store {
        Store(storage: try SQLiteStorage.open(at: path, durability: durability), path: path)
    }

    /// Opens the store at `path`, or makes it if there is nothing.
    public static func openOrCreate(at path: String, durability: Durability = .normal) throws -> Store {
        do {
            return try create(at: path, durability: durability)
        } catch let error as StoreError where error.code == .storeExists {
            return try open(at: path, durability: durability)
        }
    }

    /// Releases the store's files. Later calls throw.
    public func close() throws { try storage.close() }

    /// Milliseconds since 1970 by the wall clock: the default of every `now`.
    public static func wallClock() -> Int64 {
        // Far-off clocks are data, not a reason to trap.
        let milliseconds = Date().timeIntervalSince1970 * 1000
        return Int64(exactly: milliseconds.rounded(.down)) ?? 0
    }

    func read<Result>(_ body: (StoreSnapshot) throws -> Result) throws -> Result {
        try storage.read { try body(StoreSnapshot($0, caches)) }
    }

    /// As ``read(_:)``, with a version that must be there.
    func read<Result>(
        at id: Version.ID, _ body: (StoreSnapshot, StoredVersion) throws -> Result
    ) throws -> Result {
        // Asked before the snapshot is taken, which therefore has it.
        guard let known = caches.firmVersion(id) else { return try read { try body($0, try $0.get(id)) } }
        return try storage.readLatest { try body(StoreSnapshot($0, caches), known) }
    }

    func write<Result>(now: Int64 = Store.wallClock(), _ body: (StoreTransaction) throws -> Result) throws -> Result {
        let stage = TransactionStage()
        let result = try storage.write { try body(StoreTransaction($0, caches, stage: stage, now: now)) }
        caches.adopt(stage)
        news.advance()
        return result
    }

    /// As ``write(now:_:)``, for thousands of versions.
    func writeMuch<Result>(now: Int64, _ body: (StoreTransaction) throws -> Result) throws -> Result {
        let stage = TransactionStage()
        let result = try storage.writeMuch { try body(StoreTransaction($0, caches, stage: stage, now: now)) }
        caches.adopt(stage)
        return result
    }
}
