import CPlatform

/// The bytes of a ``WatchToken``, all integers little-endian.
///
/// ```
/// magic      8   "FCWATCH\n"
/// version    4   1
/// root       1   1 if there is a folder, else 0
///            8   its device
///            8   its inode
/// folders        in the order in which they are announced, the root first, each:
///   flags    1   1 if anything below may be unknown to the subscriber
///   count    4   entries, then each, strictly ascending by the bytes of the name:
///     length 2   of the name
///     kind   1   0 file, 1 directory, 2 link, 3 other
///     flags  1   1 counts as changed, 2 announces a folder
///     inode  8
///     digest 8   of size, mtime and ctime
///     name       UTF-8, without slash and NUL, not "." or ".."
/// checksum  32   SHA-256 of everything before
/// ```
extension TreeSnapshot {
    private static let magic = Array("FCWATCH\n".utf8)
    private static let version: UInt32 = 1
    private static let entryLength = 20
    private static let checksumLength = 32

    func encoded() -> [UInt8] {
        var bytes = Self.magic
        bytes.append(Self.version)
        bytes.append(UInt8(root == nil ? 0 : 1))
        bytes.append(root?.device ?? 0)
        bytes.append(root?.fingerprint.inode ?? 0)
        var order = [0]
        var next = 0
        while next < order.count {
            encode(folders[order[next]], into: &bytes, announcing: &order)
            next += 1
        }
        return bytes + checksum(bytes[...])
    }

    private func encode(_ folder: Folder, into bytes: inout [UInt8], announcing order: inout [Int]) {
        bytes.append(UInt8(folder.isUnknown ? 1 : 0))
        bytes.append(UInt32(folder.entries.count))
        folder.entries.visit { name, seen in
            var flags: UInt8 = seen.isFresh ? 1 : 0
            if !folder.subfolders.isEmpty, let place = folder.subfolders[PathKey(String(decoding: name, as: UTF8.self))]
            {
                flags |= 2
                order.append(place)
            }
            bytes.append(UInt16(name.count))
            bytes.append(seen.kind.rawValue)
            bytes.append(flags)
            bytes.append(seen.inode)
            bytes.append(seen.digest)
            bytes.append(contentsOf: name)
        }
    }

    /// Any bytes: what is not right is refused, and no length is believed that the bytes do not bear out.
    init(decoding bytes: [UInt8]) throws(FileCoordinationError) {
        guard bytes.starts(with: Self.magic) else { throw .invalidToken("it is no watch token") }
        var reader = TokenReader(bytes: bytes[Self.magic.count...])
        guard try reader.integer(UInt32.self) == Self.version else {
            throw .invalidToken("its format is of another version")
        }
        guard reader.count >= Self.checksumLength,
            checksum(bytes.dropLast(Self.checksumLength)) == Array(bytes.suffix(Self.checksumLength))
        else { throw .invalidToken("it is damaged") }
        reader.bytes.removeLast(Self.checksumLength)
        let hasRoot = try reader.integer(UInt8.self) == 1
        let device = try reader.integer(UInt64.self)
        let identity = Fingerprint(inode: try reader.integer(UInt64.self), digest: 0, kind: .directory)
        root = hasRoot ? FileIdentity(device: device, fingerprint: identity) : nil
        var place = 0
        while place < folders.count {
            try decodeFolder(place, &reader)
            place += 1
        }
        guard reader.count == 0 else { throw .invalidToken("it is longer than it says") }
    }

    private mutating func decodeFolder(_ place: Int, _ reader: inout TokenReader) throws(FileCoordinationError) {
        folders[place].isUnknown = try reader.integer(UInt8.self) & 1 != 0
        let count = Int(try reader.integer(UInt32.self))
        guard count <= reader.count / Self.entryLength else { throw .invalidToken("it is shorter than it says") }
        var listing = FolderListing()
        var last: ArraySlice<UInt8> = []
        for _ in 0..<count {
            let length = Int(try reader.integer(UInt16.self))
            guard let kind = FileKind(rawValue: try reader.integer(UInt8.self)) else {
                throw .invalidToken("it has an unknown kind of file")
            }
            let flags = try reader.integer(UInt8.self)
            let inode = try reader.integer(UInt64.self)
            let digest = try reader.integer(UInt64.self)
            let name = try reader.take(length)
            guard last.lexicographicallyPrecedes(name), let text = Self.name(name) else {
                throw .invalidToken("it has a name that is out of order or impossible")
            }
            last = name
            let seen = Fingerprint(inode: inode, digest: digest, kind: kind, isFresh: flags & 1 != 0)
            name.withUnsafeBytes { _ = listing.append($0, seen) }
            if flags & 2 != 0 {
                folders[place].subfolders[PathKey(text)] = folders.count
                folders.append(Folder())
            }
        }
        folders[place].entries = listing.finish()
    }

    /// Nil for what is no name in a folder: it would lead out of the tree.
    private static func name(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let name = String(validating: bytes, as: UTF8.self), !name.isEmpty, name != ".", name != ".." else {
            return nil
        }
        return bytes.contains(UInt8(ascii: "/")) || bytes.contains(0) ? nil : name
    }
}

/// Takes integers and names from the front.
private struct TokenReader {
    var bytes: ArraySlice<UInt8>

    var count: Int { bytes.count }

    mutating func take(_ count: Int) throws(FileCoordinationError) -> ArraySlice<UInt8> {
        guard count <= bytes.count else { throw .invalidToken("it is shorter than it says") }
        defer { bytes = bytes.dropFirst(count) }
        return bytes.prefix(count)
    }

    mutating func integer<I: FixedWidthInteger>(_ type: I.Type) throws(FileCoordinationError) -> I {
        let taken = try take(MemoryLayout<I>.size)
        return I(littleEndian: taken.withUnsafeBytes { $0.loadUnaligned(as: I.self) })
    }
}

extension [UInt8] {
    fileprivate mutating func append(_ integer: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: integer.littleEndian) { append(contentsOf: $0) }
    }
}

private func checksum(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var hash = cplatform_sha256()
    cplatform_sha256_init(&hash)
    bytes.withUnsafeBytes { cplatform_sha256_update(&hash, $0.baseAddress, $0.count) }
    var digest = [UInt8](repeating: 0, count: 32)
    cplatform_sha256_final(&hash, &digest)
    return digest
}
