public import FileCoordination

/// A file system on which another one seems to be mounted at a path.
public struct MountedFileSystem: ForwardingFileSystem {
    /// What does the work.
    public let base: any FileSystem
    private let point: String
    private let type: FileSystemType

    /// Everything at and below `point` is of this type.
    public init(_ type: FileSystemType, at point: String, base: any FileSystem = .local) {
        self.base = base
        self.point = point
        self.type = type
    }

    private func isMounted(_ path: String) -> Bool { path == point || path.hasPrefix(point + "/") }

    /// The other type below the mount point.
    public func fileSystemType(at path: String) -> FileSystemType {
        isMounted(path) ? type : base.fileSystemType(at: path)
    }

    /// With another device below the mount point.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        var attributes = try base.attributes(at: path, followLinks: followLinks)
        if isMounted(path) { attributes.device ^= 0xF00 }
        return attributes
    }

    /// With another device below the mount point. Linux only: the path is what the system says of the descriptor.
    public func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        var attributes = try base.attributes(of: file)
        if isMounted(try base.readLink("/proc/self/fd/\(file.descriptor)")) { attributes.device ^= 0xF00 }
        return attributes
    }
}
