/// What a write waits for before it returns.
public enum FileDurability: Hashable, Sendable {
    /// The file and its folder are synced: a power cut after the call loses nothing. The default.
    case full
    /// The content is synced before its name is: after a power cut the old file or the new one is there, whole.
    case content
    /// Nothing is synced: for what can be made again. A power cut may leave an empty file.
    case none
}

/// Reads, writes, deletes and updates whole files so that every reader sees the old bytes or the new ones.
///
/// A write goes to a temporary file, is synced, and is renamed over the target: never a mixture, never a moment without a
/// file. After any error but `.durabilityUnknown` the old file is untouched, and no temporary file is left, unless the
/// process dies; what dead writers left is swept later.
///
/// - The mode, owner and extended attributes of the replaced file are kept. If the system refuses the owner or group, the
///   file becomes the writer's: set-id bits go, and the new group gets no more than everybody had. Attributes that cannot
///   be read or may not be set (`EPERM`, `EACCES`, `ENOTSUP`) are left out, and a mode that the file system refuses too.
/// - A link is followed, also through a chain, and its target replaced in the target's folder; a dangling link's target is
///   made. With `followLinks: false` a link is refused. Links among the parents are always followed.
/// - Another hard link of the replaced file keeps the old content: one name is replaced, not the inode.
/// - A file that is a mount point cannot be replaced (`.busy`).
///
/// Calls are synchronous and block on the disk.
public struct CoordinatedFile: Sendable {
    /// Where everything is done.
    public var files: any FileSystem
    /// What a write waits for.
    public var durability: FileDurability
    /// Whether a link's target is meant, or the link is refused.
    public var followLinks: Bool
    /// A folder for temporary files, or nil for the target's own. One on another file system costs a copy at most.
    public var temporaryFolder: String?
    /// A folder for the lock files of ``update(at:permissions:waiting:_:)``, or nil for the user's own; see ``LockFolder``.
    public var lockFolder: String?

    /// Files of this machine, durable and with links followed unless told otherwise.
    public init(
        files: any FileSystem = .local, durability: FileDurability = .full, followLinks: Bool = true,
        temporaryFolder: String? = nil, lockFolder: String? = nil
    ) {
        self.files = files
        self.durability = durability
        self.followLinks = followLinks
        self.temporaryFolder = temporaryFolder
        self.lockFolder = lockFolder
    }

    /// The whole content of a regular file; see ``FileSystem/readFile(at:limit:followLinks:)``.
    public func read(at path: String, limit: Int = .max) throws(FileCoordinationError) -> [UInt8] {
        try files.readFile(at: path, limit: limit, followLinks: followLinks)
    }

    /// Makes or replaces the file.
    ///
    /// - Parameters:
    ///   - bytes: The new content, of any length.
    ///   - path: Where; the folder must exist.
    ///   - permissions: For a file that is new, less the umask. A replaced file keeps its own.
    public func write(
        _ bytes: [UInt8], to path: String, permissions: FilePermissions = .file
    ) throws(FileCoordinationError) {
        let replacement = try Replacement(of: path, permissions: permissions, by: self)
        do { try replacement.writer.write(bytes) } catch {
            replacement.abandon()
            throw error
        }
        try replacement.commit()
    }

    /// Makes or replaces the file with what `body` writes, piece by piece; what is in memory is `body`'s affair.
    ///
    /// If `body` throws, the old file stays and the error passes through.
    public func write(
        to path: String, permissions: FilePermissions = .file, _ body: (borrowing FileWriter) throws -> Void
    ) throws {
        let replacement = try Replacement(of: path, permissions: permissions, by: self)
        do { try body(replacement.writer) } catch {
            replacement.abandon()
            throw error
        }
        try replacement.commit()
    }

    /// Deletes the file, or the link itself.
    ///
    /// - Returns: Whether there was one. An absent file is not an error.
    @discardableResult
    public func delete(at path: String) throws(FileCoordinationError) -> Bool {
        guard let place = FilePlace(path) else { throw .deleting(path, .isDirectory) }
        do { try files.removeFile(path) } catch {
            if error == .noSuchFile { return false }
            throw .deleting(path, error)
        }
        if durability == .full { try syncFolder(of: place, path) }
        return true
    }

    /// Syncs the folder; a file system that cannot do that for folders is not at fault.
    func syncFolder(of place: FilePlace, _ path: String) throws(FileCoordinationError) {
        do { try files.syncDirectory(place.folder) } catch {
            // EACCES: a folder that may be written but not read.
            let harmless: Set<Errno> = [
                .invalidArgument, .notSupported, .badDescriptor, .notPermitted, .accessDenied, .notImplemented,
            ]
            if !harmless.contains(error) { throw .durabilityUnknown(path, error) }
        }
    }
}
