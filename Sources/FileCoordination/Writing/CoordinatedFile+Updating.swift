extension CoordinatedFile {
    /// What an update does with the file.
    public enum Decision: Hashable, Sendable {
        /// Replaces the content, or makes the file.
        case write([UInt8])
        /// Leaves everything as it is.
        case keep
        /// Deletes the file.
        case delete
    }

    /// Reads the file, asks `body`, and does what it decides, while no other update of the file runs in any process.
    ///
    /// The lock is an open-file-description lock on a file in ``lockFolder`` that is named by the folder's device and
    /// inode and the file's name, so that two paths to one file share it. It excludes other updates only: plain writes,
    /// readers and other programs go on. It ends with the process, whatever ends it.
    ///
    /// - Parameters:
    ///   - path: The file; it may be absent.
    ///   - permissions: For a file that is new, less the umask.
    ///   - waiting: Whether to block the thread until another update is done, or to throw `.locked`.
    ///   - body: Gets the content, nil if there is no file. What it throws passes through and nothing is changed.
    public func update(
        at path: String, permissions: FilePermissions = .file, waiting: Bool = true,
        _ body: ([UInt8]?) throws -> Decision
    ) throws {
        let (place, _) = try FilePlace.resolving(path, followLinks: followLinks, in: files, for: .write)
        let locks = try lockFolder ?? LockFolder.ofUser(in: files)
        let lock = try UpdateLock(of: place, in: locks, files, waiting: waiting)
        defer { lock.release() }
        let old: [UInt8]?
        do { old = try read(at: place.path) } catch {
            guard error.code == .noSuchFile else { throw error }
            old = nil
        }
        switch try body(old) {
        case .write(let bytes): try write(bytes, to: place.path, permissions: permissions)
        case .keep: break
        case .delete: try delete(at: place.path)
        }
    }
}

/// A lock file that is held. It goes when the lock is given back, so that the folder stays empty.
private struct UpdateLock {
    let files: any FileSystem
    let path: String
    let file: OpenFile

    init(
        of place: FilePlace, in folder: String, _ files: any FileSystem, waiting: Bool
    ) throws(FileCoordinationError) {
        let parent = try naming(place.folder, FileCoordinationError.locking) { () throws(Errno) in
            try files.attributes(at: place.folder, followLinks: true)
        }
        let parts = [parent.device, parent.inode, shortHash(Array(place.name.utf8))].map { String($0, radix: 16) }
        let path = FilePlace.join(folder, parts.joined(separator: "-") + ".lock")
        file = try naming(place.path, FileCoordinationError.locking) { () throws(Errno) in
            try Self.acquire(path, files, waiting: waiting)
        }
        self.path = path
        self.files = files
    }

    private static func acquire(_ path: String, _ files: any FileSystem, waiting: Bool) throws(Errno) -> OpenFile {
        while true {
            let file = try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile)
            do throws(Errno) {
                try files.lock(file, exclusive: true, wait: waiting)
                let held = try files.attributes(of: file)
                do throws(Errno) {
                    let named = try files.attributes(at: path, followLinks: false)
                    if named.inode == held.inode, named.device == held.device { return file }
                } catch {
                    if error != .noSuchFile { throw error }
                }
            } catch {
                do { try files.close(file) } catch {}
                throw error
            }
            // The one who had it before removed the file that is locked now: nobody else will meet this lock.
            try files.close(file)
        }
    }

    func release() {
        // The name goes while the lock is held; closing ends the lock. Neither can fail in a way that keeps it.
        do { try files.removeFile(path) } catch {}
        do { try files.close(file) } catch {}
    }
}
