public import FileCoordination
import Synchronization

/// A call of the file-system seam, as a test sees it before it is made.
public struct SimulatedFolderCall: Hashable, Sendable {
    /// What is called.
    public enum Kind: String, Hashable, Sendable {
        /// Opening a file for reading.
        case open
        /// Opening so that the file may be made or changed.
        case openForWriting
        /// Any read of bytes.
        case read
        /// Writing bytes.
        case write
        /// Syncing a file or directory.
        case sync
        /// Asking for attributes, or what a link says.
        case attributes
        /// Asking whether something may be written to.
        case checkWritable
        /// Opening or listing a directory.
        case list
        /// Renaming.
        case rename
        /// Removing a file or directory.
        case remove
        /// Making a directory.
        case makeDirectory
        /// Setting mode, owner or extended attributes.
        case setAttributes
        /// Locking or unlocking.
        case lock
        /// Closing a file.
        case close

        /// Whether it changes what is on the disk.
        public var changes: Bool {
            switch self {
            case .openForWriting, .write, .rename, .remove, .makeDirectory, .setAttributes: true
            case .open, .read, .sync, .attributes, .checkWritable, .list, .lock, .close: false
            }
        }
    }

    /// What is called.
    public let kind: Kind
    /// The file; for a rename its new name. Empty if it is not known.
    public let path: String
}

/// A file system with a say before every call: to count it, to refuse it, to die.
///
/// A closing is never refused, so that no test leaks descriptors.
public struct SimulatedFolderFaults: FileSystem {
    private let base: any FileSystem
    private let before: @Sendable (SimulatedFolderCall) throws(Errno) -> Void
    private let paths = SharedPaths()

    /// Calls `before` ahead of every call; what it throws is thrown instead of making the call.
    public init(
        _ base: any FileSystem = .local, before: @escaping @Sendable (SimulatedFolderCall) throws(Errno) -> Void
    ) {
        self.base = base
        self.before = before
    }

    private final class SharedPaths: Sendable {
        let byDescriptor = Mutex<[Int32: String]>([:])
    }

    private func path(of file: OpenFile) -> String {
        paths.byDescriptor.withLock { $0[file.descriptor] ?? "" }
    }

    private func say(_ kind: SimulatedFolderCall.Kind, _ path: String) throws(Errno) {
        try before(SimulatedFolderCall(kind: kind, path: path))
    }

    /// `open(2)`.
    public func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        let writes = !options.isDisjoint(with: [.write, .append, .create, .truncate])
        try say(options.contains(.directory) ? .list : writes ? .openForWriting : .open, path)
        let file = try base.open(path, options, permissions: permissions)
        paths.byDescriptor.withLock { $0[file.descriptor] = path }
        return file
    }

    /// `close(2)`.
    public func close(_ file: OpenFile) throws(Errno) {
        let path = path(of: file)
        paths.byDescriptor.withLock { $0[file.descriptor] = nil }
        try base.close(file)
        try say(.close, path)
    }

    /// `read(2)`.
    public func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try say(.read, path(of: file))
        return try base.read(file, into: buffer)
    }

    /// `pread(2)`.
    public func read(
        _ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try say(.read, path(of: file))
        return try base.read(file, from: offset, into: buffer)
    }

    /// `write(2)`.
    public func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int {
        try say(.write, path(of: file))
        return try base.write(bytes, to: file)
    }

    /// Says it is done: nothing here outlives the machine.
    public func sync(_ file: OpenFile) throws(Errno) { try say(.sync, path(of: file)) }

    /// `fstat(2)`.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        try say(.attributes, path(of: file))
        return try base.attributes(of: file)
    }

    /// `stat(2)`.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        try say(.attributes, path)
        return try base.attributes(at: path, followLinks: followLinks)
    }

    /// `fstatat(2)`.
    public func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes {
        try say(.attributes, path(of: directory))
        return try base.attributes(ofEntry: name, in: directory)
    }

    /// `readdir(3)`.
    public func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        try say(.list, path(of: directory))
        return try base.list(directory)
    }

    /// `rename(2)`.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        try say(.rename, newPath)
        try base.rename(path, to: newPath)
    }

    /// `renameat2(2)`.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        try say(.rename, newPath)
        try base.renameWithoutReplacing(path, to: newPath)
    }

    /// `unlink(2)`.
    public func removeFile(_ path: String) throws(Errno) {
        try say(.remove, path)
        try base.removeFile(path)
    }

    /// `faccessat(2)`.
    public func checkWritable(_ path: String) throws(Errno) {
        try say(.checkWritable, path)
        try base.checkWritable(path)
    }

    /// `mkdir(2)`.
    public func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno) {
        try say(.makeDirectory, path)
        try base.makeDirectory(path, permissions: permissions)
    }

    /// `rmdir(2)`.
    public func removeDirectory(_ path: String) throws(Errno) {
        try say(.remove, path)
        try base.removeDirectory(path)
    }

    /// Says it is done.
    public func syncDirectory(_ path: String) throws(Errno) { try say(.sync, path) }

    /// `readlink(2)`.
    public func readLink(_ path: String) throws(Errno) -> String {
        try say(.attributes, path)
        return try base.readLink(path)
    }

    /// `fchmod(2)`.
    public func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno) {
        try say(.setAttributes, path(of: file))
        try base.setPermissions(permissions, of: file)
    }

    /// `fchown(2)`.
    public func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno) {
        try say(.setAttributes, path(of: file))
        try base.setOwner(owner, group: group, of: file)
    }

    /// `llistxattr(2)`.
    public func hasExtendedAttributes(at path: String) throws(Errno) -> Bool {
        try say(.attributes, path)
        return try base.hasExtendedAttributes(at: path)
    }

    /// `fremovexattr(2)`.
    public func removeAccessList(of file: OpenFile) throws(Errno) -> Bool {
        try say(.setAttributes, path(of: file))
        return try base.removeAccessList(of: file)
    }

    /// `fsetxattr(2)`.
    public func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool {
        try say(.setAttributes, self.path(of: file))
        return try base.copyExtendedAttributes(ofFileAt: path, to: file)
    }

    /// `linkat(2)`.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        try say(.rename, newPath)
        try base.makeHardLink(path, to: newPath)
    }

    /// A lock of the file.
    public func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno) {
        try say(.lock, path(of: file))
        try base.lock(file, exclusive: exclusive, wait: wait)
    }

    /// Gives the lock back.
    public func unlock(_ file: OpenFile) throws(Errno) {
        try say(.lock, path(of: file))
        try base.unlock(file)
    }
}
