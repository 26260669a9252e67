import CPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The file system of this machine, by system calls.
public struct LocalFileSystem: FileSystem {
    /// There is only one; see ``FileSystem/local``.
    public init() {}

    /// By `openat(2)`.
    public func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        let flags = systemFlags(options)
        let mode = mode_t(permissions.rawValue)
        return OpenFile(descriptor: try retrying(at: path) { openat(AT_FDCWD, $0, flags, mode) })
    }

    /// By `close(2)`; never made again.
    public func close(_ file: OpenFile) throws(Errno) {
        // Not made again when interrupted: on Linux the descriptor is gone by then and may be someone else's.
        guard systemClose(file.descriptor) != 0 else { return }
        let failure = Errno.current
        if failure != .interrupted { throw failure }
    }

    /// By `read(2)`.
    public func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        return try retrying { systemRead(file.descriptor, start, buffer.count) }
    }

    /// By `pread(2)`.
    public func read(
        _ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        guard let start = buffer.baseAddress else { return 0 }
        return try retrying { pread(file.descriptor, start, buffer.count, off_t(offset)) }
    }

    /// By `write(2)`.
    public func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int {
        guard let start = bytes.baseAddress else { return 0 }
        return try retrying { systemWrite(file.descriptor, start, bytes.count) }
    }

    /// By `ftruncate(2)`.
    public func truncate(_ file: OpenFile, to size: Int64) throws(Errno) {
        _ = try retrying { ftruncate(file.descriptor, off_t(size)) }
    }

    /// By `fsync(2)`, on Apple platforms by `F_FULLFSYNC` where the disk knows it.
    public func sync(_ file: OpenFile) throws(Errno) {
        #if canImport(Darwin)
            // fsync(2) there leaves the data in the drive's cache.
            if fcntl(file.descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        _ = try retrying { fsync(file.descriptor) }
    }

    /// By `fstat(2)`.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        var info = stat()
        _ = try retrying { fstat(file.descriptor, &info) }
        return FileAttributes(info)
    }

    /// By `fstatat(2)`.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        var info = stat()
        _ = try retrying(at: path) { fstatat(AT_FDCWD, $0, &info, followLinks ? 0 : AT_SYMLINK_NOFOLLOW) }
        return FileAttributes(info)
    }

    /// By `fstatat(2)`.
    public func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes {
        var info = stat()
        let failure = name.withUnsafeBytes { Self.status(of: $0, in: directory, into: &info) }
        if let failure { throw failure }
        return FileAttributes(info)
    }

    /// By `fstatat(2)`, without allocating.
    public func attributes(
        ofEntry name: UnsafeRawBufferPointer, in directory: OpenFile
    ) throws(Errno) -> FileAttributes {
        var info = stat()
        if let failure = Self.status(of: name, in: directory, into: &info) { throw failure }
        return FileAttributes(info)
    }

    private static func status(
        of name: UnsafeRawBufferPointer, in directory: OpenFile, into info: inout stat
    ) -> Errno? {
        withUnsafeTemporaryAllocation(byteCount: name.count + 1, alignment: 1) { terminated in
            terminated.copyMemory(from: name)
            terminated[name.count] = 0
            guard let bytes = terminated.baseAddress else { return .invalidArgument }
            let start = bytes.assumingMemoryBound(to: CChar.self)
            return captured { () throws(Errno) in
                _ = try retrying { fstatat(directory.descriptor, start, &info, AT_SYMLINK_NOFOLLOW) }
            }
        }
    }

    /// By `readdir(3)`, from the first entry on each time.
    public func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        try visitEntries(of: directory) { (name, kind) throws(Errno) in
            entries.append(DirectoryEntry(nameBytes: Array(name), kind: kind))
            return true
        }
        return entries
    }

    /// By `readdir(3)`, from the first entry on each time, without allocating.
    public func visitEntries(
        of directory: OpenFile, _ body: (UnsafeRawBufferPointer, FileKind?) throws(Errno) -> Bool
    ) throws(Errno) {
        // A second description of the same directory, because the first may already have been read to its end.
        let copy = try retrying { openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        guard let stream = fdopendir(copy) else {
            let failure = Errno.current
            try close(OpenFile(descriptor: copy))
            throw failure
        }
        defer { closedir(stream) }
        while true {
            errno = 0
            guard let record = readdir(stream) else {
                let failure = Errno.current
                if failure.rawValue == 0 { return }
                throw failure
            }
            guard let name = entryName(record) else { continue }
            if try !body(name, FileKind(entryType: record.pointee.d_type)) { return }
        }
    }

    /// By `faccessat(2)`, for the effective user.
    public func checkWritable(_ path: String) throws(Errno) {
        try checkPath(path)
        _ = try retrying { faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) }
    }

    /// By `renameat(2)`.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        let failure = try withPath(path) { old in
            captured { () throws(Errno) in _ = try retrying(at: newPath) { renameat(AT_FDCWD, old, AT_FDCWD, $0) } }
        }
        if let failure { throw failure }
    }

    /// By `renameat2(2)`, on Apple platforms `renamex_np(2)`.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        try checkPath(path)
        try checkPath(newPath)
        try check(cplatform_rename_no_replace(path, newPath))
    }

    /// By `unlink(2)`.
    public func removeFile(_ path: String) throws(Errno) {
        _ = try retrying(at: path) { unlink($0) }
    }

    /// By `mkdir(2)`.
    public func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno) {
        try checkPath(path)
        _ = try retrying { mkdir(path, mode_t(permissions.rawValue)) }
    }

    /// By `rmdir(2)`.
    public func removeDirectory(_ path: String) throws(Errno) {
        try checkPath(path)
        _ = try retrying { rmdir(path) }
    }

    /// By `open(2)`, `fsync(2)` and `close(2)`.
    public func syncDirectory(_ path: String) throws(Errno) {
        let directory = try open(path, [.read, .directory])
        try closing(directory) { () throws(Errno) in _ = try retrying { fsync(directory.descriptor) } }
    }

    /// By `readlink(2)`.
    public func readLink(_ path: String) throws(Errno) -> String {
        try checkPath(path)
        var capacity = 256
        while true {
            var text = [CChar](repeating: 0, count: capacity)
            let length = try retrying { readlink(path, &text, capacity) }
            if length == capacity {
                capacity *= 4
                continue
            }
            let bytes = text[..<length].map { UInt8(bitPattern: $0) }
            guard let target = String(validating: bytes, as: UTF8.self) else { throw .illegalName }
            return target
        }
    }

    /// By `fchmod(2)`.
    public func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno) {
        _ = try retrying { fchmod(file.descriptor, mode_t(permissions.rawValue)) }
    }

    /// By `fchown(2)`.
    public func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno) {
        _ = try retrying { fchown(file.descriptor, owner, group) }
    }

    /// By `llistxattr(2)`; there are none on Apple platforms.
    public func hasExtendedAttributes(at path: String) throws(Errno) -> Bool {
        var has: Int32 = 0
        let failure = try withPath(path) { cplatform_has_extended_attributes($0, &has) }
        try check(failure)
        return has != 0
    }

    /// By `fgetxattr(2)` and `fremovexattr(2)`; nothing on Apple platforms.
    public func removeAccessList(of file: OpenFile) throws(Errno) -> Bool {
        var changed: Int32 = 0
        try check(cplatform_remove_access_list(file.descriptor, &changed))
        return changed != 0
    }

    /// By `llistxattr(2)`, `lgetxattr(2)` and `fsetxattr(2)`; nothing is copied on Apple platforms.
    public func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool {
        try checkPath(path)
        var changed: Int32 = 0
        try check(cplatform_copy_extended_attributes(path, file.descriptor, &changed))
        return changed != 0
    }

    /// By `linkat(2)`.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        try checkPath(path)
        try checkPath(newPath)
        _ = try retrying { linkat(AT_FDCWD, path, AT_FDCWD, newPath, 0) }
    }

    /// By `statfs(2)` and, for the folders of ext4 and f2fs that fold, `FS_IOC_GETFLAGS`; on Apple platforms `pathconf(2)`.
    public func nameFolding(inFolder path: String) -> NameFolding {
        if path.utf8.contains(0) { return [] }
        return NameFolding(rawValue: UInt8(truncatingIfNeeded: cplatform_name_folding(path)))
    }

    /// By `fcntl(2)` with `F_OFD_SETLK` or `F_OFD_SETLKW`.
    public func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno) {
        try check(cplatform_lock(file.descriptor, exclusive ? 1 : 0, wait ? 1 : 0))
    }

    /// By `fcntl(2)` with `F_OFD_SETLK`.
    public func unlock(_ file: OpenFile) throws(Errno) {
        try check(cplatform_unlock(file.descriptor))
    }

    /// By `statfs(2)` on Linux; not known elsewhere.
    public func fileSystemType(at path: String) -> FileSystemType {
        FileSystemType(rawValue: UInt32(truncatingIfNeeded: cplatform_file_system_type(path)))
    }
}

extension FileSystem where Self == LocalFileSystem {
    /// The file system of this machine.
    public static var local: LocalFileSystem { LocalFileSystem() }
}
