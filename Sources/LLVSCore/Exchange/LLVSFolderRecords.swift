/// What a store remembers of a folder in LLVS's format, written in the transaction of the versions it concerns.
struct LLVSFolderRecords {
    /// Start of a digest of the folder's path, then the path of a file below it → ``Entry``.
    static let files = KeyedZone("l_files")
    /// Start of a digest of the folder's path → how long versions have been awaited.
    static let awaited = KeyedZone("l_awaited")

    private let folder: [UInt8]

    init(folder: String) {
        self.folder = Array(SHA256.hash([UInt8](folder.utf8)).bytes.prefix(16))
    }

    enum State: UInt8 {
        /// The version it holds is in the store.
        case known = 1
        /// The version it holds waits; the bytes of the file are kept.
        case waiting = 2
        /// This store wrote it.
        case sent = 3
    }

    struct Entry {
        var state: State
        var signature: LLVSFolder.Signature
        /// The file's bytes, of a version that waits.
        var bytes: [UInt8] = []
    }

    func entry(_ relative: String, in reader: any StorageReader) throws -> Entry? {
        try reader.value(folder + Array(relative.utf8), in: Self.files).map { try Entry(decoding: $0) }
    }

    func put(_ entry: Entry, for relative: String, in writer: any StorageWriter) throws {
        try writer.put(entry.encoded, for: folder + Array(relative.utf8), in: Self.files)
    }

    /// Whether anything was ever read from the folder or written to it.
    func hasAny(in reader: any StorageReader) throws -> Bool {
        var found = false
        try reader.scan(Self.files, from: folder, before: nil) { key, _ in
            found = key.starts(with: folder)
            return false
        }
        return found
    }

    /// For how many milliseconds versions have been awaited, and the time of the last pass that awaited some.
    func awaited(in reader: any StorageReader) throws -> (milliseconds: Int64, lastPass: Int64) {
        guard let bytes = try reader.value(folder, in: Self.awaited) else { return (0, 0) }
        var record = ByteReader(bytes, of: "record of a folder's passes")
        return (try record.i64(), try record.i64())
    }

    func setAwaited(_ milliseconds: Int64, lastPass: Int64, in writer: any StorageWriter) throws {
        var record = ByteWriter()
        record.i64(milliseconds)
        record.i64(lastPass)
        try writer.put(record.bytes, for: folder, in: Self.awaited)
    }
}

extension LLVSFolderRecords.Entry {
    fileprivate init(decoding encoded: [UInt8]) throws {
        var reader = ByteReader(encoded, of: "record of a file in LLVS's format")
        guard let state = LLVSFolderRecords.State(rawValue: try reader.u8()) else {
            throw reader.failure("has a state that is none")
        }
        self.state = state
        signature = LLVSFolder.Signature(
            size: try reader.i64(), modified: try reader.i64(), changed: try reader.i64(), inode: try reader.u64())
        bytes = try reader.bytes(reader.remaining)
    }

    fileprivate var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.u8(state.rawValue)
        writer.i64(signature.size)
        writer.i64(signature.modified)
        writer.i64(signature.changed)
        writer.u64(signature.inode)
        writer.append(bytes)
        return writer.bytes
    }
}

extension LLVSFolder.Signature {
    fileprivate init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }
}
