import LLVSCore

/// What is known of a mirrored directory, kept inside the store: nothing extra lies in the directory.
///
/// Zone `x_mirror`: real path of the directory ‖ 0 ‖ relative path → ``MirrorEntry``; with an empty relative path: the inode of
/// the directory itself (u64, little-endian); with a slash before it: a folder on which another file system was mounted.
struct MirrorRecord {
    /// What is to be recorded of a path; nil: nothing.
    typealias Update = (path: RelativePath, entry: MirrorEntry?)

    private static let zone = KeyedZone("x_mirror")
    static let damaged = CommandError(
        "the store's record of a mirrored directory does not decode", remedy: "run 'foldersync verify' on it")

    private let store: Store
    private let directory: [UInt8]
    private(set) var entries: [RelativePath: MirrorEntry] = [:]
    /// The inode of the directory that was last mirrored; nil before the first time. Device numbers change from one start
    /// of a machine to the next, so they tell nothing.
    private(set) var inode: UInt64?

    /// Folders on which another file system was mounted when they were last looked at.
    private(set) var mounts: Set<RelativePath> = []

    init(of directory: RealPath, in store: Store) throws {
        self.store = store
        self.directory = Array(directory.text.utf8) + [0]
        try load()
    }

    private mutating func load() throws {
        var entries: [RelativePath: MirrorEntry] = [:]
        var inode: UInt64?
        var mounts: Set<RelativePath> = []
        let end = directory.dropLast() + [1]
        try store.storage.read { reader in
            try reader.scan(Self.zone, from: directory, before: Array(end)) { key, value in
                let path = RelativePath(trusted: Array(key.dropFirst(directory.count)))
                if path.utf8.isEmpty {
                    inode = value.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                } else if path.utf8.first == UInt8(ascii: "/") {
                    mounts.insert(RelativePath(trusted: Array(path.utf8.dropFirst())))
                } else {
                    entries[path] = try MirrorEntry(decoding: value)
                }
                return true
            }
        }
        (self.entries, self.inode, self.mounts) = (entries, inode, mounts)
    }

    /// Sets and removes entries, in one transaction.
    mutating func update(_ updates: [Update]) throws {
        if updates.isEmpty { return }
        try store.storage.write { writer in
            for (path, entry) in updates {
                if let entry {
                    try writer.put(entry.encoded, for: directory + path.utf8, in: Self.zone)
                } else {
                    try writer.remove(directory + path.utf8, in: Self.zone)
                }
            }
        }
        for (path, entry) in updates { entries[path] = entry }
    }

    mutating func setInode(_ inode: UInt64) throws {
        if self.inode == inode { return }
        let bytes = withUnsafeBytes(of: inode.littleEndian) { Array($0) }
        try store.storage.write { try $0.put(bytes, for: directory, in: Self.zone) }
        self.inode = inode
    }

    mutating func setMounts(_ mounts: Set<RelativePath>) throws {
        if self.mounts == mounts { return }
        let prefix = directory + [UInt8(ascii: "/")]
        let (gone, new) = (self.mounts.subtracting(mounts), mounts.subtracting(self.mounts))
        try store.storage.write { writer in
            for path in gone { try writer.remove(prefix + path.utf8, in: Self.zone) }
            for path in new { try writer.put([], for: prefix + path.utf8, in: Self.zone) }
        }
        self.mounts = mounts
    }

    /// Returns when what was recorded survives a power cut.
    func sync() throws { try store.storage.sync() }

    /// Whether the store keeps a directory of files in step.
    static func isMirrored(_ store: Store) throws -> Bool {
        var isMirrored = false
        try store.storage.read { reader in
            try reader.scan(zone, from: [], before: nil) { _, _ in
                isMirrored = true
                return false
            }
        }
        return isMirrored
    }
}
