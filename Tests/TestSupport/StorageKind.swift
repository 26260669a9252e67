public import LLVSCore

/// The storages that come with the package, for suites that every one of them must pass.
public enum StorageKind: String, CaseIterable, Sendable {
    /// ``MemoryStorage``.
    case memory
    /// ``SQLiteStorage``.
    case sqlite
    /// ``FileStorage``.
    case file

    /// An empty storage of this kind, whose files go into `directory`.
    public func make(in directory: String) throws -> any Storage {
        switch self {
        case .memory: MemoryStorage()
        case .sqlite: try SQLiteStorage.create(at: directory + "/store")
        case .file: try FileStorage.create(at: directory + "/store")
        }
    }

    /// Runs `body` with an empty storage of this kind, which is closed and removed afterwards.
    public func withStorage<Result>(_ body: (any Storage) throws -> Result) throws -> Result {
        try withStorageDirectory { directory in
            let storage = try make(in: directory)
            let result = try body(storage)
            try storage.close()
            return result
        }
    }
}
