import LLVSCore

/// A version that came and cannot be admitted yet: its parents or pieces of its values are still on their way.
struct PendingVersion {
    let record: VersionRecord
    let bodies: [EntriesFile.Body]
    /// The file it came in, below the folder.
    let file: String

    init(record: VersionRecord, bodies: [EntriesFile.Body], file: String) {
        self.record = record
        self.bodies = bodies
        self.file = file
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(1)
        out.lengthPrefixed(Array(file.utf8))
        out.lengthPrefixed(record.id.utf8)
        out.lengthPrefixed(record.header)
        out.lengthPrefixed(record.changesBytes)
        out.count(bodies.count)
        for body in bodies { body.encode(into: &out) }
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of a waiting version")
        guard try reader.u8() == 1 else { throw reader.failure("is of another form") }
        file = String(decoding: try reader.lengthPrefixed(), as: UTF8.self)
        let id = try Version.ID(utf8: try reader.lengthPrefixed())
        record = try VersionRecord(
            decodingHeader: try reader.lengthPrefixed(), changes: try reader.lengthPrefixed(), id: id,
            allowingForeign: true)
        var bodies: [EntriesFile.Body] = []
        for _ in 0..<(try reader.count(ofEntriesOf: EntriesFile.Body.leastByteCount)) {
            bodies.append(try EntriesFile.Body(from: &reader))
        }
        self.bodies = bodies
        try reader.expectEnd()
    }

    /// The pieces its values are in.
    var pieces: Set<Digest> { Self.pieces(of: bodies) }

    static func pieces(of bodies: [EntriesFile.Body]) -> Set<Digest> {
        var found: Set<Digest> = []
        for case .pieces(_, let extents) in bodies { found.formUnion(extents.map(\.piece)) }
        return found
    }
}

extension ExchangeTransaction {
    /// Admits a version whose parents are in the store and whose pieces are staged.
    func admit(_ record: VersionRecord, bodies: [EntriesFile.Body], zones: ExchangeZones) throws {
        var contents: [Value.ID: EntriesFile.Body] = [:]
        for (entry, body) in zip(record.changes.storing, bodies) { contents[entry.id] = body }
        let pieces = StagedPieces(reader: writer, zones: zones)
        try admit(
            ArrivingVersion(record: record) { entry in
                switch contents[entry.id] {
                case .inline(let bytes): return .bytes(Array(bytes))
                case .pieces(let length, let extents): return pieces.content(length: length, extents)
                case nil:
                    throw StoreError(
                        .invalidVersion, "the version \(record.id) comes without the value '\(entry.id)'",
                        remedy: "take it again from another copy")
                }
            })
    }
}

/// Pieces that were verified and copied into the store, so that admitting reads nothing from the folder.
struct StagedPieces {
    let reader: any StorageReader
    let zones: ExchangeZones

    func row(of piece: Digest) throws -> Int64? {
        guard let bytes = try reader.value(zones.key(piece.bytes), in: ExchangeZones.piece) else { return nil }
        var record = ByteReader(bytes, of: "record of a piece")
        return try record.i64()
    }

    /// The content that extents make up. Readable only within the transaction.
    func content(length: UInt64, _ extents: [EntriesFile.Extent]) -> Value.Content {
        let staged = Unshared(self)
        return .stream(Value.Stream(size: length) { ExtentReader(pieces: staged.value, extents: extents[...]) })
    }

    /// Unchecked: a stream is Sendable by type, and this one is read and dropped inside the transaction that made it, on
    /// the one thread that runs it.
    private struct Unshared: @unchecked Sendable {
        let value: StagedPieces
        init(_ value: StagedPieces) { self.value = value }
    }

    private struct ExtentReader: ContentReader {
        let pieces: StagedPieces
        var extents: ArraySlice<EntriesFile.Extent>
        var current: ArraySlice<UInt8> = []
        /// The last piece read: shared pieces hold many values, each an extent.
        var loaded: (piece: Digest, bytes: [UInt8])?

        mutating func read(atMost count: Int) throws -> [UInt8] {
            while current.isEmpty {
                guard let extent = extents.popFirst() else { return [] }
                let bytes = try load(extent.piece)
                guard extent.offset + extent.length <= UInt64(bytes.count) else {
                    throw StoreError(
                        .invalidVersion, "a value is said to be beyond the end of its piece",
                        remedy: "it was made by faulty software; update the device that made it")
                }
                current = bytes[Int(extent.offset)..<Int(extent.offset + extent.length)]
            }
            let part = Array(current.prefix(count))
            current = current.dropFirst(part.count)
            return part
        }

        private mutating func load(_ piece: Digest) throws -> [UInt8] {
            if let loaded, loaded.piece == piece { return loaded.bytes }
            guard let row = try pieces.row(of: piece),
                let bytes = try pieces.reader.row(row, in: ExchangeZones.staged)
            else {
                throw StoreError(.damaged, "a staged piece is gone", remedy: "sync again")
            }
            loaded = (piece, bytes)
            return bytes
        }
    }
}
