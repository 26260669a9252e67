#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The files of a store's directory, and how its database says what it is.
struct SQLitePlace: Sendable {
    /// "LLVS" in ASCII, in the header of the database.
    static let applicationID: Int64 = 0x4c4c_5653
    /// The format of the database, its `user_version`; see ``SQLiteMigration`` for what each one added.
    static let format: Int64 = 3

    /// The directory, absolute and free of links, so that neither `chdir` nor a moved link changes what is meant.
    let directory: String

    var database: String { directory + "/store.sqlite" }
    var lock: String { "\(directory)/\(StorageCreation.lockName)" }

    /// Every file that SQLite keeps in the directory.
    static let names = ["", "-wal", "-shm", "-journal"].map { "store.sqlite" + $0 }

    /// Opens a connection to a database that says that it is a store of a format we know.
    func connect(_ mode: SQLiteConnection.Access, _ options: SQLiteOptions) throws -> SQLiteConnection {
        do {
            return try connectKnown(mode, options)
        } catch let error as StoreError where error.code == .notAStore && access(lock, F_OK) == 0 {
            // A store's lock lies beside it: this was one.
            throw StoreError(
                .damaged, "the store's database is damaged or was replaced by another file",
                remedy: "restore the store from a backup, or make a new one and attach it to the shared folder",
                path: database, cause: error.what)
        }
    }

    private func connectKnown(_ mode: SQLiteConnection.Access, _ options: SQLiteOptions) throws -> SQLiteConnection {
        let connection = try SQLiteConnection(database, mode, patience: options.patience, faults: options.faults)
        guard try connection.number(.applicationID) == Self.applicationID else { throw notAStore() }
        let format = try connection.number(.format)
        guard format <= Self.format else {
            throw StoreError(
                .fromNewerVersion,
                "the store has format \(format), and this software knows formats up to \(Self.format)",
                remedy: "update this software", path: directory)
        }
        guard format >= 1 else { throw notAStore() }
        return connection
    }

    private func notAStore() -> StoreError {
        StoreError(
            .notAStore, "the database is not one of a store",
            remedy: "choose a store, or make one elsewhere with `init`", path: database)
    }
}

extension SQLitePlace {
    /// The place of an existing store.
    init(existing path: String) throws {
        directory = try StoragePath.existing(path)
        var status = stat()
        guard stat(database, &status) != 0 else {
            guard status.st_mode & S_IFMT == S_IFREG else { throw notAStore() }
            return
        }
        guard errno == ENOENT || errno == ENOTDIR else {
            throw StoreError.systemCall("the store's database cannot be reached", errno, path: database)
        }
        throw StoreError(
            .notAStore, "this is not a store's folder",
            remedy: "check the path, or make a store at a new path with `init`", path: path)
    }
}

extension SQLitePlace {
    /// Makes the file of a database, which must not be there, in the folder.
    func makeFile() throws {
        // SQLite would make it readable for others; its log and index take over the mode. No connection has it open yet, so
        // that closing the descriptor drops no lock.
        let descriptor = open(database, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw StoreError.systemCall("the store's database cannot be made", errno, path: database)
        }
        close(descriptor)
    }

    /// Makes the file a database of ours with the zones that `fill` writes, and flushes it. If that fails, the file is of no use.
    ///
    /// Nobody sees it before it is whole: it is written without a log, and on the disk at the end, not before.
    func makeDatabase(_ options: SQLiteOptions, filling fill: ((any StorageWriter) throws -> Void)? = nil) throws {
        let descriptor = open(database, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError.systemCall("the store's database cannot be opened", errno, path: database)
        }
        // The connection is closed by then: nobody has locks that closing this descriptor would drop.
        defer { close(descriptor) }
        if fill == nil {
            try writeDatabase(options, nil)
        } else {
            try EarlyWriting.during(descriptor) { try writeDatabase(options, fill) }
        }
        guard fsync(descriptor) == 0 else {
            throw StoreError.systemCall("the store's database cannot be flushed to the disk", errno, path: database)
        }
    }

    private func writeDatabase(_ options: SQLiteOptions, _ fill: ((any StorageWriter) throws -> Void)?) throws {
        let connection = try SQLiteConnection(
            database, .writing(.normal), patience: options.patience, faults: options.faults)
        try connection.execute("PRAGMA page_size = 4096")
        // It would hold what pages were before, and there were none.
        try connection.execute("PRAGMA journal_mode = MEMORY")
        try connection.execute("PRAGMA synchronous = OFF")
        try connection.run(.beginWriting)
        try connection.execute("PRAGMA application_id = \(Self.applicationID)")
        try connection.run(.setFormat)
        if let fill {
            let transaction = SQLiteWriteTransaction(connection)
            defer { transaction.end() }
            try fill(transaction)
            if let failure = transaction.failure { throw failure }
        }
        try connection.commit()
        try connection.useLog()
        // Makes the log and its index, which not every file system can have.
        _ = try connection.number(.format)
    }
}

/// How a store's database is opened.
package struct SQLiteOptions: Sendable {
    /// When commits survive a power cut.
    package var durability: Durability
    /// How long a writer waits for others.
    package var patience: Duration
    /// Failures for tests.
    package var faults: StorageFaults

    /// The usual options, or others.
    package init(
        durability: Durability = .normal, patience: Duration = .seconds(60), faults: StorageFaults = StorageFaults()
    ) {
        self.durability = durability
        self.patience = patience
        self.faults = faults
    }
}
