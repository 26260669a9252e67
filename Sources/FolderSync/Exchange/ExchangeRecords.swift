import LLVSCore

/// A store's membership in a folder.
struct AttachmentRecord {
    var folder: String
    /// The number in the log of firm versions up to which all are in the outbox or in another lane.
    var scanned: Int64 = 0
    /// The end of the own lane.
    var last: LaneChain
    /// The number up to which the own lane's files were written.
    var published: UInt64 = 0
    /// Milliseconds that announced versions have been awaited, added up over passes.
    var awaited: Int64 = 0
    /// The wall clock at the last pass, for the next step of `awaited`.
    var lastPass: Int64 = 0
    /// For how long announced versions are awaited: an hour.
    static let patience: Int64 = 3_600_000
    /// Whether announced versions have been missing for longer than one waits for what is on its way.
    var isOverdue: Bool { awaited >= Self.patience }
    /// Another copy of this store was seen in the lane.
    var hasTwin = false

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(1)
        out.lengthPrefixed(Array(folder.utf8))
        out.i64(scanned)
        out.u64(last.sequence)
        out.append(last.digest)
        out.u64(published)
        out.i64(awaited)
        out.i64(lastPass)
        out.u8(hasTwin ? 1 : 0)
        return out.bytes
    }

    init(folder: String, last: LaneChain) {
        self.folder = folder
        self.last = last
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "attachment record")
        guard try reader.u8() == 1 else { throw reader.failure("is of another form") }
        folder = String(decoding: try reader.lengthPrefixed(), as: UTF8.self)
        scanned = try reader.i64()
        last = LaneChain(sequence: try reader.u64(), digest: try reader.digest())
        published = try reader.u64()
        awaited = try reader.i64()
        lastPass = try reader.i64()
        hasTwin = try reader.u8() == 1
        try reader.expectEnd()
    }
}

/// A file that this store wrote, and how it looked when its bytes were last confirmed.
struct OwnFile {
    enum Content: Hashable {
        /// Numbers of the own lane, and what the file says was seen of others: with it, the file can be made again as it was.
        case entries(from: UInt64, to: UInt64, seen: [LaneID: LaneChain])
        /// A piece of the version with that number.
        case piece(of: UInt64, Digest)
        /// A piece of a version that may be in other lanes alone; a snapshot names it, and no lane had it.
        case snapshotPiece(of: Version.ID, Digest)
    }

    var content: Content
    /// Nil: not confirmed.
    var confirmed: SharedFolder.Signature?
    /// Of entries: how long the plain body is. Nil where it was not noted.
    var plainLength: UInt64?

    /// The numbers of the entries, if it has any.
    var range: ClosedRange<UInt64>? {
        if case .entries(let from, let to, _) = content { from...to } else { nil }
    }

    /// Which piece it is, if it is one.
    var piece: Digest? {
        switch content {
        case .entries: nil
        case .piece(_, let digest), .snapshotPiece(_, let digest): digest
        }
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        switch content {
        case .entries(let from, let to, let seen):
            out.u8(plainLength == nil ? 1 : 3)
            out.u64(from)
            out.u64(to)
            out.chains(seen)
        case .piece(let number, let digest):
            out.u8(2)
            out.u64(number)
            out.append(digest)
        case .snapshotPiece(let id, let digest):
            out.u8(4)
            out.lengthPrefixed(id.utf8)
            out.append(digest)
        }
        SharedFolder.Signature.encode(confirmed, into: &out)
        if range != nil, let plainLength { out.u64(plainLength) }
        return out.bytes
    }

    init(content: Content, confirmed: SharedFolder.Signature?, plainLength: UInt64? = nil) {
        self.content = content
        self.confirmed = confirmed
        self.plainLength = plainLength
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of an own file")
        let form = try reader.u8()
        switch form {
        case 1, 3:
            let from = try reader.u64()
            let to = try reader.u64()
            guard from >= 1, from <= to else { throw reader.failure("has no range") }
            content = .entries(from: from, to: to, seen: try reader.chains())
        case 2: content = .piece(of: try reader.u64(), try reader.digest())
        case 4:
            content = .snapshotPiece(of: try Version.ID(utf8: try reader.lengthPrefixed()), try reader.digest())
        default: throw reader.failure("is of another form")
        }
        confirmed = try SharedFolder.Signature.decode(from: &reader)
        if form == 3 { plainLength = try reader.u64() }
        try reader.expectEnd()
    }
}

extension SharedFolder.Signature {
    static func encode(_ signature: Self?, into out: inout ByteWriter) {
        out.u8(signature == nil ? 0 : 1)
        guard let signature else { return }
        out.u64(signature.size)
        out.i64(signature.modified)
        out.i64(signature.changed)
        out.u64(signature.inode)
    }

    static func decode(from reader: inout ByteReader) throws -> Self? {
        guard try reader.u8() == 1 else { return nil }
        return Self(
            size: try reader.u64(), modified: try reader.i64(), changed: try reader.i64(), inode: try reader.u64())
    }

    init(size: UInt64, modified: Int64, changed: Int64, inode: UInt64) {
        self.size = size
        self.modified = modified
        self.changed = changed
        self.inode = inode
    }
}

/// A number of the own lane.
struct OutboxEntry {
    let id: Version.ID
    let chain: Digest

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.append(chain)
        out.append(id.utf8)
        return out.bytes
    }

    init(id: Version.ID, chain: Digest) {
        self.id = id
        self.chain = chain
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of the outbox")
        chain = try reader.digest()
        id = try Version.ID(utf8: try reader.bytes(reader.remaining))
    }
}
