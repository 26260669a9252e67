public import FileCoordination

/// The local file system without some of its calls, as FUSE servers, network mounts and old kernels are.
public struct LimitedFileSystem: ForwardingFileSystem {
    /// What does the work.
    public let base: any FileSystem
    private let renaming: Errno?
    private let linking: Errno?

    /// What renaming without replacing and making hard links fail with; nil where they work.
    public init(_ base: any FileSystem = .local, renamingWithoutReplacing: Errno? = nil, linking: Errno? = nil) {
        self.base = base
        renaming = renamingWithoutReplacing
        self.linking = linking
    }

    /// Fails as told.
    public func renameWithoutReplacing(_ path: String, to newPath: String) throws(Errno) {
        if let renaming { throw renaming }
        try base.renameWithoutReplacing(path, to: newPath)
    }

    /// Fails as told.
    public func makeHardLink(_ path: String, to newPath: String) throws(Errno) {
        if let linking { throw linking }
        try base.makeHardLink(path, to: newPath)
    }
}
