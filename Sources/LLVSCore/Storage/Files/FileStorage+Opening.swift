extension FileStorage {
    /// Makes a storage at a path where nothing is, and opens it. Whether it succeeds, fails or is killed, there is a whole
    /// storage at the path or nothing.
    /// - Throws: ``StoreError`` with `.storeExists` if anything is at the path.
    public static func create(at directory: String, durability: Durability = .normal) throws -> FileStorage {
        try create(at: directory, options: FileStorageOptions(durability: durability))
    }

    /// Opens the storage at the path, for reading only where it cannot be written to. Reads the log once. A damaged one opens
    /// too; then every transaction throws `.damaged`, and ``checkIntegrity()`` says what is wrong.
    /// - Throws: ``StoreError`` with `.notAStore` if there is none, `.fromNewerVersion` if its format is not known yet.
    public static func open(at directory: String, durability: Durability = .normal) throws -> FileStorage {
        try open(at: directory, options: FileStorageOptions(durability: durability))
    }

    /// As ``create(at:durability:)``, with a test's options.
    package static func create(at directory: String, options: FileStorageOptions) throws -> FileStorage {
        let creation = try StorageCreation(at: directory, names: FilePlaces.names, patience: options.patience) {
            try FilePlaces(directory: $0, files: options.files).makeLog()
        }
        try creation.run()
        return try open(at: directory, options: options)
    }

    /// As ``open(at:durability:)``, with a test's options.
    package static func open(at directory: String, options: FileStorageOptions) throws -> FileStorage {
        let places = FilePlaces(directory: try StoragePath.existing(directory), files: options.files)
        try places.checkIsStorage()
        let storage: FileStorage
        do {
            let lock = try WriterLock(places.lock, patience: options.patience)
            storage = FileStorage(places, options, lock: lock)
        } catch let error as StoreError where error.code == .readOnly {
            storage = FileStorage(places, options, lock: nil)
        }
        do { try storage.read { _ in } } catch let error as StoreError where error.code == .damaged {
            // It is told by whoever reads.
        }
        return storage
    }
}
