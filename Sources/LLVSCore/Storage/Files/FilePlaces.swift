package import FileCoordination

/// The files of a ``FileStorage``'s directory, and how it is opened.
struct FilePlaces: Sendable {
    static let logName = "log"
    /// A log that takes the other's name when it is whole.
    static let newLogName = "log.new"
    static let markName = "flushed"
    static let names = [logName, newLogName, markName]

    /// The directory, absolute and free of links.
    let directory: String
    let files: any FileSystem

    var log: String { "\(directory)/\(Self.logName)" }
    var newLog: String { "\(directory)/\(Self.newLogName)" }
    var mark: String { "\(directory)/\(Self.markName)" }
    var lock: String { "\(directory)/\(StorageCreation.lockName)" }

    /// Makes an empty log, on the disk.
    func makeLog() throws {
        let log = try FileLog(making: log, files: files)
        try log.sync()
        try FileMark(id: log.id, length: FileLog.headerSize).write(to: mark, files: files)
    }

    /// Throws if this is no directory of a storage.
    func checkIsStorage() throws {
        let attributes: FileAttributes
        do throws(Errno) { attributes = try files.attributes(at: log, followLinks: false) } catch {
            guard error == .noSuchFile || error == .notDirectory else {
                throw StoreError.systemCall("the store's log cannot be reached", error.rawValue, path: log)
            }
            throw notAStore()
        }
        guard attributes.kind == .file else { throw notAStore() }
    }

    private func notAStore() -> StoreError {
        // A store's lock lies beside it: this was one.
        do throws(Errno) { _ = try files.attributes(at: lock, followLinks: false) } catch {
            return StoreError(
                .notAStore, "this is not a folder of a store in plain files",
                remedy: "check the path, or make a store at a new path with `init`", path: directory)
        }
        return StoreError(
            .damaged, "the store's log is gone",
            remedy: "restore the store from a backup or get it again from the shared folder", path: log)
    }

    /// Everything committed, read from the log. The mark is read first: it may lag behind the log, never the reverse.
    func load(writable: Bool) throws -> FileSnapshot {
        let mark = try FileMark(at: mark, files: files)
        var snapshot = FileSnapshot(log: try FileLog(opening: log, writable: writable, files: files))
        let flushed = mark.flatMap { $0.id == snapshot.log.id ? $0.length : nil } ?? 0
        try snapshot.advance(to: try snapshot.log.size(), flushed: flushed)
        try snapshot.checkHolds(flushed)
        return snapshot
    }
}

/// How a ``FileStorage`` is opened.
package struct FileStorageOptions: Sendable {
    /// When commits survive a power cut.
    package var durability: Durability
    /// How long a writer waits for others.
    package var patience: Duration
    /// Where everything but the lock is done.
    package var files: any FileSystem
    /// A log is not compacted below this length.
    package var smallestCompacted: Int64

    /// The usual options, or others.
    package init(
        durability: Durability = .normal, patience: Duration = .seconds(60), files: any FileSystem = .local,
        smallestCompacted: Int64 = 4 << 20
    ) {
        self.durability = durability
        self.patience = patience
        self.files = files
        self.smallestCompacted = smallestCompacted
    }
}
