/// A file that is open, as its file system knows it.
///
/// A plain value: it is not closed when it goes away. Whoever opened it closes it, once.
public struct OpenFile: Hashable, Sendable {
    /// The descriptor, or whatever number a file system that is not the local one uses.
    public let descriptor: Int32

    /// The open file of this number.
    public init(descriptor: Int32) { self.descriptor = descriptor }
}

/// How a file is opened. `O_CLOEXEC` is always set and `O_NOCTTY` too.
public struct OpenOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    public let rawValue: UInt32

    /// The options of these bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// For reading.
    public static let read = OpenOptions(rawValue: 1 << 0)
    /// For writing; with ``read`` for both.
    public static let write = OpenOptions(rawValue: 1 << 1)
    /// Every write goes to the end.
    public static let append = OpenOptions(rawValue: 1 << 2)
    /// The file comes into being if it is absent.
    public static let create = OpenOptions(rawValue: 1 << 3)
    /// With ``create``: fails with `EEXIST` if anything is there, a dangling link included.
    public static let exclusive = OpenOptions(rawValue: 1 << 4)
    /// Empties the file.
    public static let truncate = OpenOptions(rawValue: 1 << 5)
    /// Fails with `ELOOP` if the last component is a link.
    public static let noFollow = OpenOptions(rawValue: 1 << 6)
    /// Does not wait for the other end of a FIFO.
    public static let nonBlocking = OpenOptions(rawValue: 1 << 7)
    /// Fails with `ENOTDIR` if it is not a directory.
    public static let directory = OpenOptions(rawValue: 1 << 8)
}

/// The one seam through which this package touches a disk.
///
/// Calls are synchronous, mean what the system call of the same name means, and throw its error number; an interrupted call
/// is made again and never seen. Paths are absolute or relative to the working directory, in UTF-8 and without NUL
/// (`EINVAL`). Implementations may be called from any thread.
///
/// Tests put a double here that fails the first, second, third … call; see ``LocalFileSystem`` for the real one.
public protocol FileSystem: Sendable {
    /// `open(2)`. The permissions count only if the file is created, less the process's umask.
    func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile
    /// `close(2)`. The file is closed whatever is thrown; never call it again.
    func close(_ file: OpenFile) throws(Errno)
    /// `read(2)`: up to the buffer's length, from where the last read ended; 0 at the end.
    func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// `pread(2)`: up to the buffer's length from `offset` on; 0 at the end.
    func read(_ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int
    /// `write(2)`: may write less than asked.
    func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int
    /// `ftruncate(2)`: what follows the first `size` bytes is gone. By default `ENOTSUP`.
    func truncate(_ file: OpenFile, to size: Int64) throws(Errno)
    /// `fsync(2)` (`F_FULLFSYNC` on Apple platforms): content and attributes are on the disk.
    func sync(_ file: OpenFile) throws(Errno)
    /// `fstat(2)`.
    func attributes(of file: OpenFile) throws(Errno) -> FileAttributes
    /// `stat(2)`, or `lstat(2)` if links are not followed.
    func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes
    /// `fstatat(2)` of a name in an open directory, links not followed.
    func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes
    /// `readdir(3)`: every name but `.` and `..`, in the order of the directory.
    func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry]
    /// `readdir(3)` without keeping anything: the bytes of each name but `.` and `..`, and what the directory says it is. The
    /// bytes are valid during the call only; false ends the walk.
    ///
    /// By default ``list(_:)``, from memory.
    func visitEntries(
        of directory: OpenFile, _ body: (UnsafeRawBufferPointer, FileKind?) throws(Errno) -> Bool
    ) throws(Errno)
    /// ``attributes(ofEntry:in:)-([UInt8],_)`` for a name that is only borrowed, by default a copy of it.
    func attributes(ofEntry name: UnsafeRawBufferPointer, in directory: OpenFile) throws(Errno) -> FileAttributes
    /// `rename(2)`: replaces what is there.
    func rename(_ path: String, to newPath: String) throws(Errno)
    /// `renameat2(2)` with `RENAME_NOREPLACE`: `EEXIST` if anything is there. `EINVAL`, `ENOSYS` or `ENOTSUP` where the
    /// system or the file system cannot.
    func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno)
    /// `unlink(2)`.
    func removeFile(_ path: String) throws(Errno)
    /// `faccessat(2)` with `W_OK`: whether this user may write there, by the file system's word. Throws why not; writes
    /// nothing, and proves nothing about the next write.
    func checkWritable(_ path: String) throws(Errno)
    /// `mkdir(2)`, less the process's umask.
    func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno)
    /// `rmdir(2)`: only an empty one.
    func removeDirectory(_ path: String) throws(Errno)
    /// `fsync(2)` of the directory: the names in it are on the disk. Throws what the system says; not every file system
    /// can do it.
    func syncDirectory(_ path: String) throws(Errno)
    /// `readlink(2)`: what the link says; `EILSEQ` if that is not UTF-8, `EINVAL` if it is no link.
    func readLink(_ path: String) throws(Errno) -> String
    /// `fchmod(2)`.
    func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno)
    /// `fchown(2)`.
    func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno)
    /// `llistxattr(2)`: whether the file has extended attributes, an access control list among them. A link is not followed.
    func hasExtendedAttributes(at path: String) throws(Errno) -> Bool
    /// `fremovexattr(2)`: takes away the access control list that the file inherited from its folder.
    ///
    /// - Returns: Whether there was one, whose removal may have changed the permission bits.
    func removeAccessList(of file: OpenFile) throws(Errno) -> Bool
    /// Gives the open file the extended attributes of the file at `path`, access control list included; an inherited list
    /// that the other does not have goes. What can be copied is, and then the last one that could not is thrown. A link is
    /// not followed.
    ///
    /// - Returns: Whether anything was changed, which may have changed the permission bits too.
    func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool
    /// `linkat(2)`: a second name of the file, `EEXIST` if the name is taken. By default `ENOTSUP`.
    func makeHardLink(_ path: String, to newPath: String) throws(Errno)
    /// Which spellings of a name the folder takes for the same, by the word of the file system; nothing if it does not say.
    /// By default nothing.
    func nameFolding(inFolder path: String) -> NameFolding
    /// An open-file-description lock over the whole file, which ends with ``unlock(_:)``, ``close(_:)`` or the process.
    /// If it is held elsewhere: `EAGAIN`, or with `wait` it blocks the thread until it is free.
    func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno)
    /// Gives the lock back.
    func unlock(_ file: OpenFile) throws(Errno)
    /// `statfs(2)`: the kind of file system the path leads to; `.unknown` if that cannot be said, as by default.
    func fileSystemType(at path: String) -> FileSystemType
}

extension FileSystem {
    /// Opens a file that is there, or with `.create` makes one with ordinary permissions.
    public func open(_ path: String, _ options: OpenOptions) throws(Errno) -> OpenFile {
        try open(path, options, permissions: .file)
    }

    /// A file system whose files only grow.
    public func truncate(_ file: OpenFile, to size: Int64) throws(Errno) { throw .notSupported }

    /// A file system without links.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) { throw .notSupported }

    /// A file system that tells all spellings apart.
    public func nameFolding(inFolder path: String) -> NameFolding { [] }

    /// From memory, by ``list(_:)``.
    public func visitEntries(
        of directory: OpenFile, _ body: (UnsafeRawBufferPointer, FileKind?) throws(Errno) -> Bool
    ) throws(Errno) {
        for entry in try list(directory) {
            var failure: Errno?
            let goesOn = entry.nameBytes.withUnsafeBytes { name in
                do throws(Errno) { return try body(name, entry.kind) } catch {
                    failure = error
                    return false
                }
            }
            if let failure { throw failure }
            if !goesOn { return }
        }
    }

    /// Not known.
    public func fileSystemType(at path: String) -> FileSystemType { .unknown }

    /// By a copy of the name.
    public func attributes(
        ofEntry name: UnsafeRawBufferPointer, in directory: OpenFile
    ) throws(Errno) -> FileAttributes {
        try attributes(ofEntry: Array(name), in: directory)
    }

    /// Every name in the directory but `.` and `..`, in no particular order.
    public func list(_ path: String, followLinks: Bool = true) throws(Errno) -> [DirectoryEntry] {
        let directory = try open(path, followLinks ? [.read, .directory] : [.read, .directory, .noFollow])
        return try closing(directory) { () throws(Errno) in try list(directory) }
    }

    /// Runs `body`, then closes the file. What `body` throws wins over what closing throws.
    public func closing<R>(_ file: OpenFile, after body: () throws(Errno) -> R) throws(Errno) -> R {
        let result: R
        do { result = try body() } catch {
            // The file is closed whatever close says, and the error of the work is the one to tell.
            do { try close(file) } catch {}
            throw error
        }
        try close(file)
        return result
    }
}
