import FileCoordination

/// The right to write a snapshot into a folder, or to restore a store to a path: one at a time, by a lock file that goes with
/// the lock.
struct SnapshotLock {
    private let files: any FileSystem
    private let path: String
    private let file: OpenFile

    /// - Parameter what: what somebody else is doing if the lock is taken: "another snapshot is being written".
    /// - Throws: ``StoreError`` with `.locked` if it is.
    init(_ path: String, _ files: any FileSystem, what: String) throws(StoreError) {
        let locked = StoreError(.locked, what, remedy: "wait until it is done, then try again", path: path)
        let file = try StoreError.ofCall(path, FileCoordinationError.locking) { () throws(Errno) in
            try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile)
        }
        do throws(Errno) {
            try Self.lock(file, files)
            let held = try files.attributes(of: file)
            // Whoever had it before may have removed the file that is locked now.
            let named = try files.attributes(at: path, followLinks: false)
            guard held.inode == named.inode, held.device == named.device else { throw .wouldBlock }
        } catch {
            Self.giveBack(file, files)
            if [.wouldBlock, .accessDenied, .noSuchFile].contains(error) { throw locked }
            throw StoreError(FileCoordinationError.locking(path, error))
        }
        self.files = files
        self.path = path
        self.file = file
    }

    /// A file system without locks has nobody who could hold one: there it goes without.
    private static func lock(_ file: OpenFile, _ files: any FileSystem) throws(Errno) {
        do { try files.lock(file, exclusive: true, wait: false) } catch {
            guard [.invalidArgument, .notSupported, .notImplemented, .noLocks].contains(error) else { throw error }
        }
    }

    /// Gives it back. A failure keeps neither the lock nor the next one who wants it.
    func release() {
        do { try files.removeFile(path) } catch {}
        Self.giveBack(file, files)
    }

    /// Closing is not enough: a child that this process is just starting has the file too, until it runs its program.
    private static func giveBack(_ file: OpenFile, _ files: any FileSystem) {
        do { try files.unlock(file) } catch {}
        do { try files.close(file) } catch {}
    }
}
