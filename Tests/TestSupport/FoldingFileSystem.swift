public import FileCoordination

/// A file system that looks names up in lower case, and says so of a folder only if told.
public struct FoldingFileSystem: ForwardingFileSystem {
    /// What does the work.
    public let base: any FileSystem = LocalFileSystem()
    private let says: Bool

    /// - Parameter says: Whether it tells by ``nameFolding(inFolder:)`` that it folds, as kernels do and FUSE does not.
    public init(says: Bool) { self.says = says }

    /// What it folds, if it says so.
    public func nameFolding(inFolder path: String) -> NameFolding { says ? .letterCase : [] }

    /// Of the lower-case name.
    public func attributes(at path: String, followLinks: Bool) throws(Errno) -> FileAttributes {
        try base.attributes(at: path.lowercased(), followLinks: followLinks)
    }
}
