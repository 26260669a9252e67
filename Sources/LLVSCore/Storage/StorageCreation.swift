import CPlatform

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Makes a store under a temporary name beside its path, `.NAME.creating`, and renames it into place when it is whole.
///
/// Whoever makes one holds its writer lock. One that is there unlocked was left behind by a creator that died, and is used
/// up by the next.
struct StorageCreation {
    private let path: String
    private let parent: String
    private let temporary: String
    /// Every name a storage of this kind may have left in a folder.
    private let names: [String]
    private let patience: Duration
    private let fill: (_ directory: String) throws -> Void

    static let lockName = "writer.lock"

    /// - Parameter fill: makes the storage's files in the folder it is given.
    init(at path: String, names: [String], patience: Duration, fill: @escaping (_ directory: String) throws -> Void)
        throws
    {
        try StoragePath.check(path)
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        let slash = path.utf8.lastIndex(of: 47)
        let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
        self.path = path
        parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        temporary = "\(parent)/.\(name).creating"
        self.names = names
        self.patience = patience
        self.fill = fill
    }

    func run() throws {
        while true {
            try refuseExisting()
            // Another creator may finish, or give up, between any two of these calls: then from the start.
            guard try makeTemporaryDirectory(), let lock = try makeLock() else { continue }
            let isMade = try lock.withLock {
                guard lock.isFileInPlace() else { return false }
                try make()
                return true
            }
            if isMade { return }
        }
    }

    /// False if it vanished meanwhile.
    private func makeTemporaryDirectory() throws -> Bool {
        if mkdir(temporary, 0o700) == 0 { return true }
        guard errno == EEXIST else {
            throw StoreError.systemCall("the store's folder cannot be made", errno, path: path)
        }
        // In a folder of others, the name may be a trap: only our own private directory will do.
        var status = stat()
        guard lstat(temporary, &status) == 0 else { return false }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw StoreError(
                .inputOutput, "something is in the way of making the store", remedy: "move it away, then try again",
                path: temporary)
        }
        return true
    }

    /// Nil if the directory vanished meanwhile.
    private func makeLock() throws -> WriterLock? {
        do {
            return try WriterLock("\(temporary)/\(Self.lockName)", patience: patience)
        } catch {
            var status = stat()
            guard lstat(temporary, &status) != 0 else { throw error }
            return nil
        }
    }

    private func refuseExisting() throws {
        var status = stat()
        guard lstat(path, &status) != 0 else { throw exists() }
        guard errno == ENOENT else {
            throw StoreError.systemCall("the store's path cannot be reached", errno, path: path)
        }
    }

    private func make() throws {
        do {
            for file in names.map({ "\(temporary)/\($0)" }) {
                guard unlink(file) == 0 || errno == ENOENT else {
                    throw StoreError.systemCall("an unfinished store cannot be removed", errno, path: file)
                }
            }
            try fill(temporary)
            try flushDirectory(temporary)
            try publish()
        } catch {
            // Best effort: what stays is used up by the next creation.
            for name in names + [Self.lockName] { unlink("\(temporary)/\(name)") }
            rmdir(temporary)
            throw error
        }
        try flushDirectory(parent)
    }

    private func publish() throws {
        switch cplatform_rename_no_replace(temporary, path) {
        case 0: return
        case EEXIST, ENOTEMPTY: throw exists()
        case ENOSYS, EINVAL, ENOTSUP:
            // Without that call: a folder made exclusively, which is empty, is replaced in one step.
            guard mkdir(path, 0o700) == 0 else {
                throw errno == EEXIST ? exists() : .systemCall("the store's folder cannot be made", errno, path: path)
            }
            guard rename(temporary, path) == 0 else {
                let number = errno
                rmdir(path)
                throw StoreError.systemCall("the store cannot be moved into place", number, path: path)
            }
        case let number: throw StoreError.systemCall("the store cannot be moved into place", number, path: path)
        }
    }

    private func flushDirectory(_ directory: String) throws {
        let descriptor = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError.systemCall("a folder cannot be flushed to the disk", errno, path: directory)
        }
        defer { close(descriptor) }
        // Some file systems have no such call, and need none.
        guard fsync(descriptor) == 0 || [EINVAL, ENOTSUP].contains(errno) else {
            throw StoreError.systemCall("a folder cannot be flushed to the disk", errno, path: directory)
        }
    }

    private func exists() -> StoreError {
        StoreError(
            .storeExists, "something is there already", remedy: "open it, or choose a path where nothing is", path: path
        )
    }
}
