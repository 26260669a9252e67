import FileCoordination
import LLVSCore

/// The content of a mirrored file.
struct MirrorContent: Hashable {
    let hash: Digest
    let size: UInt64
    /// A version that has this content at this path: an edit of the file is based on it.
    let version: Version.ID

    /// For a write that must find exactly this.
    var state: FileState { FileState(size: Int64(clamping: size), digest: hash.bytes) }
}

/// What is known of one path of a mirrored directory.
struct MirrorEntry: Hashable {
    /// What an export is doing to the file: before it is done, either content may be there.
    enum Pending: Hashable {
        case write(MirrorContent)
        case deletion
    }

    /// What was last imported from or exported to the path; nil: no file.
    var settled: MirrorContent?
    var pending: Pending?

    /// Whether the path may have no file without anybody having deleted one.
    var mayBeAbsent: Bool { settled == nil || pending == .deletion }

    /// The content with this hash, if it is one of those that may be there.
    func content(with hash: Digest) -> MirrorContent? {
        if let settled, settled.hash == hash { return settled }
        if case .write(let content) = pending, content.hash == hash { return content }
        return nil
    }

    /// What a write or deletion must find.
    var expected: FileState { settled?.state ?? .absent }
}

extension MirrorEntry {
    private enum Flag {
        static let settled: UInt8 = 1
        static let write: UInt8 = 2
        static let deletion: UInt8 = 4
    }

    /// Flags, then each content: SHA-256, size (u64), length of the version's id (u8), the id. Little-endian.
    var encoded: [UInt8] {
        var flags: UInt8 = settled == nil ? 0 : Flag.settled
        var contents = [settled].compactMap(\.self)
        switch pending {
        case .write(let content):
            flags |= Flag.write
            contents.append(content)
        case .deletion: flags |= Flag.deletion
        case nil: break
        }
        return [flags] + contents.flatMap(\.encoded)
    }

    init(decoding bytes: [UInt8]) throws {
        guard let flags = bytes.first else { throw MirrorRecord.damaged }
        var rest = bytes.dropFirst()
        if flags & Flag.settled != 0 { settled = try MirrorContent(taking: &rest) }
        if flags & Flag.write != 0 { pending = .write(try MirrorContent(taking: &rest)) }
        if flags & Flag.deletion != 0 { pending = .deletion }
        if !rest.isEmpty { throw MirrorRecord.damaged }
    }
}

extension MirrorContent {
    fileprivate var encoded: [UInt8] {
        let id = version.utf8
        return hash.bytes + withUnsafeBytes(of: size.littleEndian) { Array($0) } + [UInt8(clamping: id.count)] + id
    }

    fileprivate init(taking rest: inout ArraySlice<UInt8>) throws {
        let fixed = Digest.byteCount + 9
        guard rest.count >= fixed, let hash = Digest(bytes: Array(rest.prefix(Digest.byteCount))) else {
            throw MirrorRecord.damaged
        }
        let numbers = Array(rest.dropFirst(Digest.byteCount).prefix(9))
        rest = rest.dropFirst(fixed)
        let count = Int(numbers[8])
        guard rest.count >= count else { throw MirrorRecord.damaged }
        self.hash = hash
        size = numbers.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        version = try Version.ID(utf8: Array(rest.prefix(count)))
        rest = rest.dropFirst(count)
    }
}
