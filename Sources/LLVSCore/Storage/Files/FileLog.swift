import FileCoordination

/// The log of a ``FileStorage`` while it is open: `"LLVSFILE" ‖ u32 format ‖ 16 bytes id ‖ 8 bytes check`, then frames.
///
/// It is closed with the last who uses it, so that a reader keeps its snapshot when a compacted log has taken the name.
final class FileLog: Sendable {
    /// For messages.
    let path: String
    /// Another one for each log ever made.
    let id: [UInt8]
    let files: any FileSystem
    private let file: OpenFile
    private let device: UInt64
    private let inode: UInt64

    static let magic = Array("LLVSFILE".utf8)
    static let format: UInt32 = 1
    static let headerSize: Int64 = 36

    /// Opens the log and reads its header.
    init(opening path: String, writable: Bool, files: any FileSystem) throws {
        self.path = path
        self.files = files
        let options: OpenOptions = writable ? [.read, .write, .append, .noFollow] : [.read, .noFollow]
        let file = try files.opening(path, options)
        do {
            let attributes = try storing("the store's log cannot be read", path) { () throws(Errno) in
                try files.attributes(of: file)
            }
            let header = try files.read(Int(Self.headerSize), of: file, at: 0, path: path) ?? []
            (device, inode) = (attributes.device, attributes.inode)
            id = try Self.id(in: header, path: path)
        } catch {
            files.abandon(file)
            throw error
        }
        self.file = file
    }

    /// Makes a new log in place of whatever is at `path`.
    init(making path: String, files: any FileSystem) throws {
        self.path = path
        self.files = files
        id = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        let file = try files.opening(path, [.read, .write, .append, .create, .truncate, .noFollow])
        do {
            var header = ByteWriter()
            header.append(Self.magic)
            header.u32(Self.format)
            header.append(id)
            try files.append(header.bytes + FileCheck.short(header.bytes), to: file, path: path)
            let attributes = try storing("the store's log cannot be read", path) { () throws(Errno) in
                try files.attributes(of: file)
            }
            (device, inode) = (attributes.device, attributes.inode)
        } catch {
            files.abandon(file)
            throw error
        }
        self.file = file
    }

    deinit {
        files.abandon(file)
    }

    private static func id(in header: [UInt8], path: String) throws -> [UInt8] {
        guard header.starts(with: magic), header.count == Int(headerSize) else {
            throw StoreError.damagedLog(path, at: 0, "it does not begin as one")
        }
        guard FileCheck.short(header[..<28]) == header[28...] else {
            throw StoreError.damagedLog(path, at: 0, "its first bytes do not verify")
        }
        var reader = ByteReader(header[8...], of: "log")
        let format = try reader.u32()
        guard format == Self.format else {
            throw StoreError(
                .fromNewerVersion, "the store has format \(format), and this software knows format \(Self.format)",
                remedy: "update this software", path: path)
        }
        return try reader.bytes(16)
    }

    /// Whether the file with these attributes is this one.
    func isSame(_ attributes: FileAttributes) -> Bool {
        attributes.inode == inode && attributes.device == device
    }

    func size() throws -> Int64 {
        try storing("the store's log cannot be read", path) { () throws(Errno) in
            try files.attributes(of: file).size
        }
    }

    /// The bytes at `offset`, or nil if there are fewer.
    func read(_ count: Int, at offset: Int64) throws -> [UInt8]? {
        try files.read(count, of: file, at: offset, path: path)
    }

    func append(_ bytes: [UInt8]) throws {
        try files.append(bytes, to: file, path: path)
    }

    func truncate(to size: Int64) throws {
        try storing("what an unfinished save left cannot be cut off", path) { () throws(Errno) in
            try files.truncate(file, to: size)
        }
    }

    func sync() throws {
        try storing("the store's log cannot be flushed to the disk", path) { () throws(Errno) in try files.sync(file) }
    }

    /// The value at a place that a frame named.
    /// - Throws: ``StoreError/Code/damaged`` if its bytes are not those that were written.
    func value(_ extent: FileExtent) throws -> [UInt8] {
        if extent.count == 0 { return [] }
        guard var bytes = try read(extent.count + FileCheck.size, at: extent.offset) else {
            throw StoreError.damagedLog(path, at: extent.offset, "it ends within a value")
        }
        let check = bytes[extent.count...]
        guard FileCheck.short(bytes[..<extent.count]) == check else {
            throw StoreError.damagedLog(path, at: extent.offset, "a value does not verify")
        }
        bytes.removeLast(FileCheck.size)
        return bytes
    }
}

/// The first bytes of SHA-256: enough to notice damage.
enum FileCheck {
    /// The length of a short one.
    static let size = 8

    static func short(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> { SHA256.hash(bytes).bytes[..<size] }
    static func short(_ bytes: [UInt8]) -> ArraySlice<UInt8> { short(bytes[...]) }
}

extension StoreError {
    static func damagedLog(_ path: String, at offset: Int64, _ what: String) -> StoreError {
        StoreError(
            .damaged, "the store's log is damaged at byte \(offset): \(what)",
            remedy:
                "copy the store's folder aside, then restore it from a backup or get it again from the shared folder",
            path: path)
    }
}
