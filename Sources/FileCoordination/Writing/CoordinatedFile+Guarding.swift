extension CoordinatedFile {
    /// Writes the file if it still holds what it held when it was read, so that nobody's change in between is lost.
    ///
    /// The new content is written beside the file first. Then, under the lock of ``update(at:permissions:waiting:_:)``, the
    /// file is read once more and renamed over: of several guarded writers and updates, in any number of processes, only
    /// one finds it unchanged. Programs that do not take the lock can still come between that read and the rename, a window
    /// of microseconds; where the file is to be absent there is no such window on file systems that can create without
    /// replacing (``ExistingFile/fail``).
    ///
    /// - Parameters:
    ///   - bytes: The new content.
    ///   - path: The file.
    ///   - state: What ``readWithState(at:limit:)`` or ``state(at:)`` said, or ``FileState/absent``.
    ///   - permissions: For a file that is new, less the umask.
    /// - Returns: The state of the new content, for the next write.
    /// - Throws: `.changed` if the bytes differ, or the file vanished or appeared; it is untouched then. A file that was
    ///   only touched, or replaced by the same bytes, is not changed; see ``FileState``.
    @discardableResult
    public func writeIfUnchanged(
        _ bytes: [UInt8], to path: String, since state: FileState, permissions: FilePermissions = .file
    ) throws(FileCoordinationError) -> FileState {
        try refuseEarly(path, unless: state)
        let prepared = try Replacement(of: path, permissions: permissions, by: self).filled(with: bytes).prepared()
        try publish(prepared, ifStill: state)
        return FileState(of: bytes)
    }

    /// Writes what `body` writes if the file still holds what it held when it was read; see
    /// ``writeIfUnchanged(_:to:since:permissions:)``.
    public func writeIfUnchanged(
        to path: String, since state: FileState, permissions: FilePermissions = .file,
        _ body: (borrowing FileWriter) throws -> Void
    ) throws {
        try refuseEarly(path, unless: state)
        let prepared = try Replacement(of: path, permissions: permissions, by: self).filled(by: body).prepared()
        try publish(prepared, ifStill: state)
    }

    /// Deletes the file if it still holds what it held when it was read, with the promise and the window of
    /// ``writeIfUnchanged(_:to:since:permissions:)``. A link's target is meant, or a link is refused.
    ///
    /// - Throws: `.changed` if the bytes differ or there is no file any more.
    public func deleteIfUnchanged(at path: String, since state: FileState) throws(FileCoordinationError) {
        let (place, found) = try FilePlace.resolving(path, followLinks: followLinks, in: files, for: .delete)
        let lock = try UpdateLock(of: place, found, by: self, waiting: true)
        defer { lock.release() }
        try check(path, at: place, isStill: state)
        guard try delete(at: place.path) else { throw .changed(path, .vanished) }
    }

    /// What can be seen without reading, before anything is written.
    private func refuseEarly(_ path: String, unless state: FileState) throws(FileCoordinationError) {
        let (_, existing) = try FilePlace.resolving(path, followLinks: followLinks, in: files, for: .write)
        guard let existing else {
            if state == .absent { return }
            throw .changed(path, .vanished)
        }
        if state == .absent { throw .changed(path, .appeared) }
        if existing.kind == .file, existing.size != state.size { throw .changed(path, .content) }
    }

    private func publish(_ prepared: PreparedFile, ifStill state: FileState) throws(FileCoordinationError) {
        let lock: UpdateLock
        do { lock = try UpdateLock(of: prepared.place, prepared.old, by: self, waiting: true) } catch {
            prepared.abandon()
            throw error
        }
        do { try checkAndRename(prepared, state) } catch {
            lock.release()
            throw error
        }
        lock.release()
        try finish(prepared)
    }

    private func checkAndRename(_ prepared: PreparedFile, _ state: FileState) throws(FileCoordinationError) {
        do { try check(prepared.path, at: prepared.place, isStill: state) } catch {
            prepared.abandon()
            throw error
        }
        guard state == .absent else { return try prepared.publish() }
        do { try prepared.publish(replacing: false) } catch {
            throw error.code == .fileExists ? .changed(prepared.path, .appeared) : error
        }
    }

    private func check(
        _ path: String, at place: FilePlace, isStill state: FileState
    ) throws(FileCoordinationError) {
        var plain = self
        // The place was resolved: a link there now is a change.
        plain.followLinks = false
        let now: FileState
        do { now = try plain.state(at: place.path) } catch {
            if error.code == .link { throw .changed(path, .content) }
            throw error
        }
        if now == state { return }
        throw .changed(path, now == .absent ? .vanished : state == .absent ? .appeared : .content)
    }
}
