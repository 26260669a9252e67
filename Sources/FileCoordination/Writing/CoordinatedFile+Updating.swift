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
    /// inode and the file's name, so that two paths to one file share it. It excludes other updates and guarded writes
    /// only: plain writes, readers and other programs go on. It ends with the process, whatever ends it.
    ///
    /// - Parameters:
    ///   - path: The file; it may be absent.
    ///   - permissions: For a file that is new, less the umask.
    ///   - waiting: Whether to block the thread until another update is done, however long that takes, or to throw
    ///     `.locked`. In tasks use ``update(at:permissions:timeout:_:)``.
    ///   - body: Gets the content, nil if there is no file. What it throws passes through and nothing is changed.
    /// - Throws: `.reentrant` if this thread is inside an update of the file already: it would wait for itself.
    public func update(
        at path: String, permissions: FilePermissions = .file, waiting: Bool = true,
        _ body: ([UInt8]?) throws -> Decision
    ) throws {
        let (place, lock) = try lockedPlace(of: path, waiting: waiting)
        defer { lock.release() }
        try carryOut(at: place, permissions, body)
    }

    /// ``update(at:permissions:waiting:_:)`` for tasks: never blocks a thread of Swift's pool, and waits for other updates
    /// at most for a time.
    ///
    /// The lock is asked for again after 1, 2, 4 … 64 ms; those who wait are not served in order. Everything is done on a
    /// thread of its own.
    ///
    /// - Parameters:
    ///   - path: The file; it may be absent.
    ///   - permissions: For a file that is new, less the umask.
    ///   - timeout: How long to wait for other updates; `.locked` is thrown then.
    ///   - body: Gets the content, nil if there is no file. What it throws passes through and nothing is changed.
    /// - Throws: `CancellationError` if the task is cancelled while it waits; once `body` runs, it runs to the end.
    public func update(
        at path: String, permissions: FilePermissions = .file, timeout: Duration,
        _ body: @escaping @Sendable ([UInt8]?) throws -> Decision
    ) async throws {
        let deadline = ContinuousClock.now + timeout
        var pause = Duration.milliseconds(1)
        while true {
            try Task.checkCancellation()
            let refusal = try await onBlockingThread { try updateUnlessLocked(path, permissions, body) }
            guard let refusal else { return }
            let left = deadline - ContinuousClock.now
            guard left > .zero else { throw refusal }
            try await Task.sleep(for: min(pause, left))
            pause = min(pause * 2, .milliseconds(64))
        }
    }

    /// What stood in the way, or nil if it is done.
    private func updateUnlessLocked(
        _ path: String, _ permissions: FilePermissions, _ body: ([UInt8]?) throws -> Decision
    ) throws -> FileCoordinationError? {
        let (place, lock): (FilePlace, UpdateLock)
        do { (place, lock) = try lockedPlace(of: path, waiting: false) } catch {
            guard error.code == .locked else { throw error }
            return error
        }
        defer { lock.release() }
        try carryOut(at: place, permissions, body)
        return nil
    }

    private func lockedPlace(
        of path: String, waiting: Bool
    ) throws(FileCoordinationError) -> (FilePlace, UpdateLock) {
        let (place, found) = try FilePlace.resolving(path, followLinks: followLinks, in: files, for: .write)
        return (place, try UpdateLock(of: place, found, by: self, waiting: waiting))
    }

    private func carryOut(
        at place: FilePlace, _ permissions: FilePermissions, _ body: ([UInt8]?) throws -> Decision
    ) throws {
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
