/// Reads, writes, deletes and updates whole files so that every reader sees the old bytes or the new ones.
///
/// A write goes to a temporary file, is synced, and is renamed over the target: never a mixture, never a moment without a
/// file. After any error but `.durabilityUnknown` the old file is untouched, and no temporary file is left, unless the
/// process dies; what dead writers left is swept later.
///
/// - The mode, owner, extended attributes and access control list of the replaced file are kept. If the system refuses the
///   owner or group, the file becomes the writer's: set-id bits go, and the new group gets no more than everybody had.
///   Attributes that cannot be read or may not be set (`EPERM`, `EACCES`, `ENOTSUP`) are left out, and a mode that the file
///   system refuses too. The new content is the writer's alone until it has the old file's mode; where everybody may read
///   the old file, everybody may from the start.
/// - A link is followed, also through a chain, and its target replaced in the target's folder; a dangling link's target is
///   made. With `followLinks: false` a link is refused. Links among the parents are always followed.
/// - Another hard link of the replaced file keeps the old content: one name is replaced, not the inode.
/// - A file that is a mount point cannot be replaced (`.busy`), nor one that is immutable or append-only, or another's in a
///   folder with the sticky bit (`.notPermitted`).
/// - Beside the file there must be room for a temporary name of 39 bytes: a path of more than 4,056 bytes whose last part is
///   shorter than that is too long on Linux (`.invalidName`), unless there is a ``temporaryFolder`` with a shorter path.
///
/// What this costs: on a disk nothing that can be measured; in memory (tmpfs) about a quarter of a bare open, write, rename,
/// and a fifth with durability. For a new file that is the look at the name, which may be a link, a folder or a file with a mode of
/// its own. For a replaced one it is also the questions whether the old file has extended attributes, whose the new one is, and
/// whether it inherited an access control list from its folder; without them rights would be lost, or given. A file that needs
/// more kept than its mode costs more.
///
/// Calls are synchronous and block on the disk; see ``update(at:permissions:timeout:_:)`` for the one that does not.
public struct CoordinatedFile: Sendable {
    /// Where everything is done.
    public var files: any FileSystem
    /// What a write waits for.
    public var durability: FileDurability
    /// Whether a link's target is meant, or the link is refused.
    public var followLinks: Bool
    /// A folder for temporary files, or nil for the target's own. One on another file system costs a copy at most.
    public var temporaryFolder: String?
    /// A folder for the lock files of ``update(at:permissions:waiting:_:)`` and
    /// ``writeIfUnchanged(_:to:since:permissions:)``, or nil for the user's own; see ``LockFolder``.
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

    /// Makes or replaces the file.
    ///
    /// - Parameters:
    ///   - bytes: The new content, of any length.
    ///   - path: Where; the folder must exist.
    ///   - permissions: For a file that is new, less the umask. A replaced file keeps its own.
    ///   - existing: Whether a file that is there is replaced.
    public func write(
        _ bytes: [UInt8], to path: String, permissions: FilePermissions = .file,
        ifExists existing: ExistingFile = .replace
    ) throws(FileCoordinationError) {
        if existing == .replace, bytes.count <= Self.mostQuickBytes, try replacesPlainly(path, with: bytes, permissions)
        {
            return
        }
        let prepared = try Replacement(
            of: path, permissions: permissions, ifExists: existing, isQuick: bytes.count <= Self.mostQuickBytes,
            by: self
        ).filled(with: bytes).prepared()
        try prepared.publish()
        try finish(prepared)
    }

    /// What is written in some milliseconds.
    private static let mostQuickBytes = 1 << 20

    /// Makes or replaces the file with what `body` writes, piece by piece; what is in memory is `body`'s affair.
    ///
    /// If `body` throws, the old file stays and the error passes through.
    public func write(
        to path: String, permissions: FilePermissions = .file, ifExists existing: ExistingFile = .replace,
        _ body: (borrowing FileWriter) throws -> Void
    ) throws {
        let prepared = try Replacement(of: path, permissions: permissions, ifExists: existing, by: self)
            .filled(by: body).prepared()
        try prepared.publish()
        try finish(prepared)
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
        if durability == .full { try syncFolder(place.folder, of: path) }
        return true
    }

    /// What is left to do when the new name stands.
    func finish(_ prepared: PreparedFile) throws(FileCoordinationError) {
        if durability == .full { try syncFolder(prepared.place.folder, of: prepared.path) }
        sweepIfDue(prepared.place.folder.utf8[...])
        if let temporaryFolder { sweepIfDue(temporaryFolder.utf8[...]) }
    }

    /// Syncs the folder; a file system that cannot do that for folders is not at fault.
    func syncFolder(_ folder: String, of path: String) throws(FileCoordinationError) {
        do { try files.syncDirectory(folder) } catch {
            // EACCES: a folder that may be written but not read.
            let harmless: Set<Errno> = [
                .invalidArgument, .notSupported, .badDescriptor, .notPermitted, .accessDenied, .notImplemented,
            ]
            if !harmless.contains(error) { throw .durabilityUnknown(path, error) }
        }
    }
}
