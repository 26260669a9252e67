import LLVSCore

/// What `export` wrote into one folder, kept inside the store: only that may it replace or delete.
///
/// Zone `x_export`: real path of the folder ‖ 0 ‖ relative path → contents, each a SHA-256 and a size (u64, little-endian).
/// There are two while one is being replaced by the other: after an interruption either may be there. A path that ends in `/`
/// is a folder that export made.
struct ExportRecord {
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

    /// Every entry: relative path → contents.
    func load() throws -> [String: [Content]] {
        var entries: [String: [Content]] = [:]
        // The byte after NUL ends the range of keys that start with the folder and a NUL.
        let end = folder.dropLast() + [1]
        try store.storage.read { reader in
            try reader.scan(Self.zone, from: folder, before: Array(end)) { key, value in
                entries[String(decoding: key.dropFirst(folder.count), as: UTF8.self)] = try Self.decode(value)
                return true
            }
        }
        return entries
    }

    /// Sets entries (nil: removes them), in one transaction.
    func update(_ entries: [(path: String, contents: [Content]?)]) throws {
        if entries.isEmpty { return }
        try store.storage.write { writer in
            for (path, contents) in entries {
                let key = folder + Array(path.utf8)
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
