/// What a name stands for.
public enum FileKind: UInt8, Hashable, Sendable {
    /// A regular file.
    case file
    /// A directory.
    case directory
    /// A symbolic link, looked at without following it.
    case link
    /// A FIFO, socket or device.
    case other
}

/// The permission bits of a file, `0o7777` at most.
public struct FilePermissions: RawRepresentable, Hashable, Sendable {
    /// The bits as in `chmod(2)`.
    public let rawValue: UInt32

    /// Keeps the lowest twelve bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue & 0o7777 }

    /// `0666`: what ordinary new files ask for; the process's umask takes its bits away.
    public static let file = FilePermissions(rawValue: 0o666)
    /// `0777`: what ordinary new directories ask for; the process's umask takes its bits away.
    public static let directory = FilePermissions(rawValue: 0o777)
    /// `0600`: for the user alone.
    public static let privateFile = FilePermissions(rawValue: 0o600)
    /// `0700`: for the user alone.
    public static let privateDirectory = FilePermissions(rawValue: 0o700)
}

/// What `stat(2)` says about a file.
public struct FileAttributes: Hashable, Sendable {
    /// What it is.
    public var kind: FileKind
    /// Its length in bytes; a claim, never a promise about what a read returns.
    public var size: Int64
    /// When its content changed, in nanoseconds since 1970.
    public var modified: Int64
    /// When its content or inode changed (`ctime`), in nanoseconds since 1970.
    public var changed: Int64
    /// The number of its inode.
    public var inode: UInt64
    /// The device it is on.
    public var device: UInt64
    /// Its permission bits.
    public var permissions: FilePermissions
    /// The user it belongs to.
    public var owner: UInt32
    /// The group it belongs to.
    public var group: UInt32
    /// How many names it has.
    public var linkCount: UInt64

    /// All of it, for file systems other than the local one.
    public init(
        kind: FileKind, size: Int64, modified: Int64, changed: Int64, inode: UInt64, device: UInt64,
        permissions: FilePermissions, owner: UInt32, group: UInt32, linkCount: UInt64
    ) {
        self.kind = kind
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
        self.device = device
        self.permissions = permissions
        self.owner = owner
        self.group = group
        self.linkCount = linkCount
    }
}

/// One name in a directory.
public struct DirectoryEntry: Hashable, Sendable {
    /// The bytes of the name, whatever they are.
    public let nameBytes: [UInt8]
    /// The name, or nil if the bytes are not UTF-8. Such a file can be counted and told of, not opened.
    public let name: String?
    /// What the directory says it is, or nil if it does not say.
    public let kind: FileKind?

    /// An entry of this name.
    public init(nameBytes: [UInt8], kind: FileKind?) {
        self.nameBytes = nameBytes
        self.name = String(validating: nameBytes, as: UTF8.self)
        self.kind = kind
    }
}
