/// What one subscriber of a ``DirectoryWatcher`` knows of a folder, to be kept over a restart of the process: a subscription
/// that begins from it is told first everything that is different since.
///
/// Nothing is missed. What was in the last batch, waited for delivery when the token was taken, or changed within a tick of the
/// file system's clock before it was looked at, may be told again. Files are compared by inode, size, `mtime` and `ctime`: on a
/// file system that numbers its inodes anew at each mount (FAT, some of FUSE) everything counts as modified after a mount.
///
/// About 22 bytes for each file and the length of its name. The format carries a number and a checksum; a token of another
/// format, or a damaged one, is refused when it is decoded.
public struct WatchToken: Hashable, Sendable {
    /// The token as bytes that can be stored anywhere, for ``init(decoding:)``. Opaque.
    public let encoded: [UInt8]

    /// Takes back what ``encoded`` gave. O(n).
    ///
    /// - Throws: ``FileCoordinationError`` with the code ``FileCoordinationError/Code/invalidToken`` if the bytes are no token,
    ///   are damaged, or are of a version that this one does not know. Start without a token then, and read everything.
    public init(decoding bytes: [UInt8]) throws(FileCoordinationError) {
        _ = try TreeSnapshot(decoding: bytes)
        encoded = bytes
    }

    init(_ snapshot: TreeSnapshot) { encoded = snapshot.encoded() }
}

extension FileCoordinationError.Code {
    /// A ``WatchToken`` that is damaged or of an unknown version.
    public static let invalidToken = FileCoordinationError.Code(rawValue: "invalidToken")
}

extension FileCoordinationError {
    static func invalidToken(_ reason: String) -> Self {
        Self(
            .invalidToken, .watch, path: "token", because: reason,
            remedy: "begin without a token and read the folder anew")
    }
}
