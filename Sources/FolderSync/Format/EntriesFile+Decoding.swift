import LLVSCore

extension EntriesFile {
    /// Reads the bytes of a whole file.
    package static func decode(_ bytes: [UInt8]) -> FolderFileOutcome<EntriesFile> {
        FolderFile.decode(bytes).reading(decode)
    }

    /// Reads a verified file. One of another kind is `.damaged`: it is not what was looked for.
    ///
    /// A version of a later encoding makes the file `.future`.
    package static func decode(_ file: FolderFile) -> FolderFileOutcome<EntriesFile> {
        outcome(of: file) { file throws(StoreError) in
            let header = try Header(decoding: file)
            return EntriesFile(
                store: file.header.store, lane: file.header.lane, digest: file.digest, header: header,
                entries: try decodeEntries(of: file, header))
        }
    }

    /// Reads only the header of a verified file, not its body.
    package static func decodeHeader(_ file: FolderFile) -> FolderFileOutcome<Header> {
        outcome(of: file) { file throws(StoreError) in try Header(decoding: file) }
    }

    private static func outcome<Content>(
        of file: FolderFile, _ read: (FolderFile) throws(StoreError) -> Content
    ) -> FolderFileOutcome<Content> {
        guard file.header.kind == .entries else { return .damaged("it has no entries") }
        do {
            return .verified(try read(file))
        } catch {
            return error.code == .fromNewerVersion ? .future(error.what) : .damaged(error.what)
        }
    }

    private static func decodeEntries(of file: FolderFile, _ header: Header) throws(StoreError) -> [Entry] {
        var reader = ByteReader(try file.plainBody(), of: "list of entries")
        let count = header.range.upperBound - header.range.lowerBound + 1
        guard count <= reader.remaining / leastRecordLength else {
            throw reader.failure("has no room for \(count) entries")
        }
        var chain = header.before
        var entries: [Entry] = []
        entries.reserveCapacity(Int(count))
        for number in header.range {
            var record = ByteReader(try reader.lengthPrefixedSlice(), of: "entry \(number)")
            let entry = try Entry(from: &record)
            if file.header.optionalFeatures == 0 { try record.expectEnd() }
            chain = chain.appending(entry.record)
            entries.append(entry)
        }
        try reader.expectEnd()
        guard chain == header.after else { throw reader.failure("does not lead to the chain its header states") }
        return entries
    }

    /// The bytes of a record that holds nothing: three lengths, magic, count and the record's own length.
    private static let leastRecordLength = 24
}

extension EntriesFile.Header {
    init(decoding file: FolderFile) throws(StoreError) {
        var reader = ByteReader(file.ownHeader, of: "header of the entries")
        let from = try reader.u64()
        let to = try reader.u64()
        // A greater number has no place in a name; with this, no sum of them overflows either.
        guard 1 <= from, from <= to, to <= FolderFileName.greatestEntry else {
            throw reader.failure("has the range \(from) to \(to)")
        }
        before = LaneChain(sequence: from - 1, digest: try reader.digest())
        after = LaneChain(sequence: to, digest: try reader.digest())
        let count = try reader.count(ofEntriesOf: RandomName.byteCount + 8 + Digest.byteCount)
        var seen = [LaneID: LaneChain](minimumCapacity: count)
        var last: LaneID?
        for _ in 0..<count {
            guard let lane = LaneID(bytes: try reader.bytes(RandomName.byteCount)), lane != file.header.lane,
                last.map({ $0 < lane }) ?? true
            else { throw reader.failure("lists lanes that do not ascend, or its own") }
            seen[lane] = LaneChain(sequence: try reader.u64(), digest: try reader.digest())
            last = lane
        }
        self.seen = seen
        if file.header.optionalFeatures == 0 { try reader.expectEnd() }
    }
}

extension EntriesFile.Entry {
    /// What every record begins with.
    static let magic = [UInt8]("VREC".utf8)

    init(from reader: inout ByteReader) throws(StoreError) {
        try reader.expect(Self.magic)
        let id = try Version.ID(utf8: reader.lengthPrefixed())
        let header = try reader.lengthPrefixed()
        let changes = try reader.lengthPrefixed()
        record = try VersionRecord(decodingHeader: header, changes: changes, id: id, allowingForeign: true)
        let count = try reader.count(ofEntriesOf: EntriesFile.Body.leastByteCount)
        guard count == record.changes.storing.count else {
            throw reader.failure("has \(count) bodies for \(record.changes.storing.count) insertions and updates")
        }
        var bodies: [EntriesFile.Body] = []
        bodies.reserveCapacity(count)
        for _ in 0..<count { bodies.append(try EntriesFile.Body(from: &reader)) }
        self.bodies = bodies
    }
}

extension EntriesFile.Body {
    /// The form number of a body that is inline.
    static let inlineForm: UInt8 = 0
    /// The form number of a body in pieces.
    static let piecesForm: UInt8 = 1
    /// The bytes of an empty body.
    static let leastByteCount = 9
    /// The bytes of an extent.
    static let extentByteCount = Digest.byteCount + 16

    init(from reader: inout ByteReader) throws(StoreError) {
        let form = try reader.u8()
        let length = try reader.u64()
        switch form {
        case Self.inlineForm:
            guard length <= BodyPacking.greatestInlineLength else {
                throw reader.failure("has \(length) bytes inline, which is too many")
            }
            self = .inline(try reader.slice(Int(length)))
        case Self.piecesForm:
            let count = try reader.count(ofEntriesOf: Self.extentByteCount)
            var extents: [EntriesFile.Extent] = []
            extents.reserveCapacity(count)
            // No more than 2³² extents of at most 8 MiB: the sum does not overflow.
            var sum: UInt64 = 0
            for _ in 0..<count {
                let extent = EntriesFile.Extent(
                    piece: try reader.digest(), offset: try reader.u64(), length: try reader.u64())
                let limit = UInt64(Piece.greatestByteCount)
                guard extent.length >= 1, extent.length <= limit, extent.offset <= limit - extent.length else {
                    throw reader.failure("has \(extent.length) bytes at \(extent.offset) of a piece, which is none")
                }
                sum += extent.length
                extents.append(extent)
            }
            guard sum == length else { throw reader.failure("has pieces of \(sum) bytes for a body of \(length)") }
            self = .pieces(length: length, extents: extents)
        default:
            throw reader.failure("has a body of the form \(form), which is none")
        }
    }
}
