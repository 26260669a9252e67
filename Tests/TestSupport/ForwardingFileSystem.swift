public import FileCoordination

/// A double that passes on every call it does not handle itself.
public protocol ForwardingFileSystem: FileSystem {
    /// What does the work.
    var base: any FileSystem { get }
}

extension ForwardingFileSystem {
    /// Passed on.
    public func open(_ path: String, _ options: OpenOptions, permissions: FilePermissions) throws(Errno) -> OpenFile {
        try base.open(path, options, permissions: permissions)
    }

    /// Passed on.
    public func close(_ file: OpenFile) throws(Errno) {
        try base.close(file)
    }

    /// Passed on.
    public func read(_ file: OpenFile, into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        try base.read(file, into: buffer)
    }

    /// Passed on.
    public func read(
        _ file: OpenFile, from offset: Int64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try base.read(file, from: offset, into: buffer)
    }

    /// Passed on.
    public func write(_ bytes: UnsafeRawBufferPointer, to file: OpenFile) throws(Errno) -> Int {
        try base.write(bytes, to: file)
    }

    /// Passed on.
    public func truncate(_ file: OpenFile, to size: Int64) throws(Errno) {
        try base.truncate(file, to: size)
    }

    /// Passed on.
    public func sync(_ file: OpenFile) throws(Errno) {
        try base.sync(file)
    }

    /// Passed on.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        try base.attributes(of: file)
    }

    /// Passed on.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        try base.attributes(at: path, followLinks: followLinks)
    }

    /// Passed on.
    public func attributes(ofEntry name: [UInt8], in directory: OpenFile) throws(Errno) -> FileAttributes {
        try base.attributes(ofEntry: name, in: directory)
    }

    /// Passed on.
    public func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        try base.list(directory)
    }

    /// Passed on.
    public func checkWritable(_ path: String) throws(Errno) {
        try base.checkWritable(path)
    }

    /// Passed on.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        try base.rename(path, to: newPath)
    }

    /// Passed on.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        try base.renameWithoutReplacing(path, to: newPath)
    }

    /// Passed on.
    public func removeFile(_ path: String) throws(Errno) {
        try base.removeFile(path)
    }

    /// Passed on.
    public func makeDirectory(_ path: String, permissions: FilePermissions) throws(Errno) {
        try base.makeDirectory(path, permissions: permissions)
    }

    /// Passed on.
    public func removeDirectory(_ path: String) throws(Errno) {
        try base.removeDirectory(path)
    }

    /// Passed on.
    public func syncDirectory(_ path: String) throws(Errno) {
        try base.syncDirectory(path)
    }

    /// Passed on.
    public func readLink(_ path: String) throws(Errno) -> String {
        try base.readLink(path)
    }

    /// Passed on.
    public func setPermissions(_ permissions: FilePermissions, of file: OpenFile) throws(Errno) {
        try base.setPermissions(permissions, of: file)
    }

    /// Passed on.
    public func setOwner(_ owner: UInt32, group: UInt32, of file: OpenFile) throws(Errno) {
        try base.setOwner(owner, group: group, of: file)
    }

    /// Passed on.
    public func hasExtendedAttributes(at path: String) throws(Errno) -> Bool {
        try base.hasExtendedAttributes(at: path)
    }

    /// Passed on.
    public func removeAccessList(of file: OpenFile) throws(Errno) -> Bool { try base.removeAccessList(of: file) }

    /// Passed on.
    public func copyExtendedAttributes(ofFileAt path: String, to file: OpenFile) throws(Errno) -> Bool {
        try base.copyExtendedAttributes(ofFileAt: path, to: file)
    }

    /// Passed on.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        try base.makeHardLink(path, to: newPath)
    }

    /// Passed on.
    public func nameFolding(inFolder path: String) -> NameFolding {
        base.nameFolding(inFolder: path)
    }

    /// Passed on.
    public func lock(_ file: OpenFile, exclusive: Bool, wait: Bool) throws(Errno) {
        try base.lock(file, exclusive: exclusive, wait: wait)
    }

    /// Passed on.
    public func unlock(_ file: OpenFile) throws(Errno) {
        try base.unlock(file)
    }

    /// Passed on.
    public func fileSystemType(at path: String) -> FileSystemType { base.fileSystemType(at: path) }
}
