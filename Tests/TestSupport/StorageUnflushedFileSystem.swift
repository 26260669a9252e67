public import FileCoordination

/// Flushes nothing, for tests that open and close hundreds of storages and do not look at what a power cut takes.
public struct StorageUnflushedFileSystem: ForwardingFileSystem {
    /// The local one.
    public let base: any FileSystem = .local

    /// Over the local file system.
    public init() {}

    /// Does nothing.
    public func sync(_ file: OpenFile) throws(Errno) {}
    /// Does nothing.
    public func syncDirectory(_ path: String) throws(Errno) {}
}
