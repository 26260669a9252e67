public import FileCoordination

/// The local file system with a folder that nothing can be renamed out of, as if another mount of the same device were there.
public struct CrossDeviceFileSystem: ForwardingFileSystem {
    /// What does the work.
    public let base: any FileSystem
    private let folder: String

    /// Renames from `folder` to elsewhere fail with `EXDEV`.
    public init(_ base: any FileSystem = .local, from folder: String) {
        self.base = base
        self.folder = folder + "/"
    }

    /// Fails across the border.
    public func rename(_ path: String, to newPath: String) throws(Errno) {
        if path.hasPrefix(folder) != newPath.hasPrefix(folder) { throw .crossesDevices }
        try base.rename(path, to: newPath)
    }
}
