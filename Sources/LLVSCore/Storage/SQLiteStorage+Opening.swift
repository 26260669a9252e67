extension SQLiteStorage {
    /// Makes a store at a path where nothing is, and opens it. Whether it succeeds, fails or is killed, there is a whole store
    /// at the path or nothing.
    /// - Throws: ``StoreError`` with `.storeExists` if anything is at the path.
    public static func create(at directory: String, durability: Durability = .normal) throws -> SQLiteStorage {
        try create(at: directory, options: SQLiteOptions(durability: durability))
    }

    /// Opens the store at the path, for reading only where it cannot be written to.
    /// - Throws: ``StoreError`` with `.notAStore` if there is none, `.fromNewerVersion` if its format is not known yet.
    public static func open(at directory: String, durability: Durability = .normal) throws -> SQLiteStorage {
        try open(at: directory, options: SQLiteOptions(durability: durability))
    }

    /// As ``create(at:durability:)``, with a test's options, and with what `fill` writes, all of it or nothing.
    package static func create(
        at directory: String, options: SQLiteOptions, filling fill: ((any StorageWriter) throws -> Void)? = nil
    ) throws -> SQLiteStorage {
        let creation = try StorageCreation(at: directory, names: SQLitePlace.names, patience: options.patience) {
            let place = SQLitePlace(directory: $0)
            try place.makeFile()
            try place.makeDatabase(options, filling: fill)
        }
        try creation.run()
        return try open(at: directory, options: options)
    }

    /// As ``open(at:durability:)``, with a test's options.
    package static func open(at directory: String, options: SQLiteOptions) throws -> SQLiteStorage {
        let place = try SQLitePlace(existing: directory)
        // First, as it changes nothing in a folder of something else.
        let reader = try place.connect(.reading, options)
        do {
            let lock = try WriterLock(place.lock, patience: options.patience)
            let writer = try SQLiteWriter(place, options, lock: lock)
            return SQLiteStorage(place, options, reader: reader, writer: writer)
        } catch let error as StoreError where error.code == .readOnly {
            return SQLiteStorage(place, options, reader: reader, writer: nil)
        }
    }
}
