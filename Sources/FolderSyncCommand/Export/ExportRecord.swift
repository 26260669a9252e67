import LLVSCore

/// What `export` wrote into one folder, kept inside the store: only that may it replace or delete.
///
/// Zone `x_export`: real path of the folder ‖ 0 ‖ relative path → contents, each a SHA-256 and a size (u64, little-endian).
/// There are two while one is being replaced by the other: after an interruption either may be there. A path that ends in `/`
/// is a folder that export made; `/` alone says that the folder was exported to.
struct ExportRecord {
    /// A file or folder that export made.
    struct Key: Hashable {
        let path: RelativePath
        let isFolder: Bool

        fileprivate var bytes: [UInt8] { isFolder ? path.utf8 + [UInt8(ascii: "/")] : path.utf8 }

        static func file(_ path: RelativePath) -> Key { Key(path: path, isFolder: false) }
        static func folder(_ path: RelativePath) -> Key { Key(path: path, isFolder: true) }
        /// The exported folder itself.
        static let root = folder(RelativePath(trusted: []))
    }

    /// What is to be recorded of a key; nil: nothing.
    typealias Update = (key: Key, contents: [Content]?)

    /// The content of a file that export wrote.
    struct Content: Hashable {
        let hash: Digest
        let size: UInt64
    }

    private static let zone = KeyedZone("x_export")
    private static let contentByteCount = Digest.byteCount + 8

    private let store: Store
    private let folder: [UInt8]

    init(of folder: RealPath, in store: Store) {
        self.store = store
        self.folder = Array(folder.text.utf8) + [0]
    }

    /// Every entry.
    func load() throws -> [Key: [Content]] {
        var entries: [Key: [Content]] = [:]
        // The byte after NUL ends the range of keys that start with the folder and a NUL.
        let end = folder.dropLast() + [1]
        try store.storage.read { reader in
            try reader.scan(Self.zone, from: folder, before: Array(end)) { key, value in
                let isFolder = key.last == UInt8(ascii: "/")
                let path = RelativePath(trusted: Array(key.dropFirst(folder.count).dropLast(isFolder ? 1 : 0)))
                entries[Key(path: path, isFolder: isFolder)] = try Self.decode(value)
                return true
            }
        }
        return entries
    }

    /// Sets and removes entries, in one transaction.
    func update(_ entries: [Update]) throws {
        if entries.isEmpty { return }
        try store.storage.write { writer in
            for (key, contents) in entries {
                let key = folder + key.bytes
                if let contents {
                    try writer.put(contents.flatMap(Self.encode), for: key, in: Self.zone)
                } else {
                    try writer.remove(key, in: Self.zone)
                }
            }
        }
    }

    /// Returns when what was recorded survives a power cut.
    func sync() throws { try store.storage.sync() }

    /// The folders that were exported to.
    static func folders(of store: Store) throws -> [String] {
        var found: [String] = []
        try store.storage.read { reader in
            var start: [UInt8]? = []
            while let from = start {
                start = nil
                try reader.scan(zone, from: from, before: nil) { key, _ in
                    let folder = Array(key.prefix { $0 != 0 })
                    found.append(String(decoding: folder, as: UTF8.self))
                    start = folder + [1]
                    return false
                }
            }
        }
        return found
    }

    private static func encode(_ content: Content) -> [UInt8] {
        content.hash.bytes + withUnsafeBytes(of: content.size.littleEndian) { Array($0) }
    }

    private static func decode(_ bytes: [UInt8]) throws -> [Content] {
        try stride(from: 0, to: bytes.count, by: contentByteCount).map { start in
            let record = bytes[start...].prefix(contentByteCount)
            guard record.count == contentByteCount, let hash = Digest(bytes: Array(record.prefix(Digest.byteCount)))
            else {
                throw CommandError(
                    "the store's record of exported files does not decode", remedy: "run 'foldersync verify' on it")
            }
            let size = record.suffix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Content(hash: hash, size: size)
        }
    }
}
