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

    /// How many bytes of its values are in pieces.
    var byteCountInPieces: Int {
        bodies.reduce(0) { if case .pieces(let length, _) = $1 { $0 + Int(clamping: length) } else { $0 } }
    }

    static func pieces(of bodies: [EntriesFile.Body]) -> Set<Digest> {
        var found: Set<Digest> = []
        for case .pieces(_, let extents) in bodies { found.formUnion(extents.map(\.piece)) }
        return found
    }
}

extension ExchangeZones {
    /// Whether any version waits for others.
    func hasPending(in reader: any StorageReader) throws -> Bool {
        var hasAny = false
        try scan(Self.pending, in: reader) { _, _ in
            hasAny = true
            return false
        }
        return hasAny
    }
}

extension ExchangeTransaction {
    /// Admits a version whose parents are in the store and whose pieces are staged.
    func admit(_ record: VersionRecord, bodies: [EntriesFile.Body], zones: ExchangeZones) throws {
        try admit(.make(record, bodies: bodies, zones: zones, reader: writer))
    }
}

extension ArrivingVersion {
    /// A version whose pieces are staged, with its contents, which are readable only within the transaction.
    static func make(
        _ record: VersionRecord, bodies: [EntriesFile.Body], zones: ExchangeZones, reader: any StorageReader
    ) -> ArrivingVersion {
        var contents: [Value.ID: EntriesFile.Body] = [:]
        for (entry, body) in zip(record.changes.storing, bodies) { contents[entry.id] = body }
        let pieces = StagedPieces(reader: reader, zones: zones)
        return ArrivingVersion(record: record) { [contents] entry in
            switch contents[entry.id] {
            case .inline(let bytes): return .bytes(Array(bytes))
            case .pieces(let length, let extents): return pieces.content(length: length, extents)
            case nil:
                throw StoreError(
                    .invalidVersion, "the version \(record.id) comes without the value '\(entry.id)'",
                    remedy: "take it again from another copy")
            }
        }
    }
}

extension EntriesFile.Entry {
    /// That inline bodies are those the version names, before anything of it is written.
    func checkInlineBodies() throws {
        for (entry, body) in zip(record.changes.storing, bodies) {
            guard case .inline(let bytes) = body, SHA256.hash(bytes) != entry.contentHash else { continue }
            throw StoreError(
                .invalidVersion, "the version \(record.id) comes with other bytes for '\(entry.id)' than it names",
                remedy: "it was made by faulty software; update the device that made it")
        }
    }
}
