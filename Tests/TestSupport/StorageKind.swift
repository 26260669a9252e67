public import LLVSCore

/// The storages that come with the package, for suites that every one of them must pass.
public enum StorageKind: String, CaseIterable, Sendable {
    /// ``MemoryStorage``.
    case memory
    /// ``SQLiteStorage``.
    case sqlite

    /// Runs `body` with an empty storage of this kind, which is closed and removed afterwards.
    public func withStorage<Result>(_ body: (any Storage) throws -> Result) throws -> Result {
        switch self {
        case .memory:
            return try body(MemoryStorage())
        case .sqlite:
            return try withStorageDirectory { directory in
                let storage = try SQLiteStorage.create(at: directory + "/store")
                let result = try body(storage)
                try storage.close()
                return result
            }
        }
    }
}
