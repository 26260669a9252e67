import LLVSCore

extension ExchangeZones {
    /// Lane → ``BootstrapRecord``: the store is being set up from a snapshot, and is not ready.
    static let bootstrap = KeyedZone("f_bootstrap")
    /// Lane → ``BootstrapRecord``: a store that has versions is being filled up from a snapshot.
    static let refill = KeyedZone("f_refill")

    /// What `taken` has for a file that a snapshot contains and that was not read.
    static let containedMark: [UInt8] = [1]

    func bootstrapRecord(
        for purpose: SetPurpose = .beginning, in reader: any StorageReader
    ) throws -> BootstrapRecord? {
        try reader.value(key(), in: purpose.zone).map { try BootstrapRecord(decoding: $0) }
    }
}

/// What a snapshot is read for.
enum SetPurpose {
    /// The store has no versions: until it is set up it has nothing to send, and must not.
    case beginning
    /// The store has versions, and lanes lack entries that the snapshot has. It works on as it is meanwhile.
    case refill

    var zone: KeyedZone { self == .beginning ? ExchangeZones.bootstrap : ExchangeZones.refill }
}

/// How far a store was set up from a snapshot: what is done is not done again by the next process.
struct BootstrapRecord {
    /// The manifest of the set.
    let manifest: Digest
    /// The piece in which the next record begins, and where in its plain bytes.
    var piece = 2
    var offset = 0
    /// How many versions of the set were read: they are beside the history, or part of it already.
    var staged: UInt64 = 0
    /// The rows of those beside it, in the order of the set.
    var rows: [ClosedRange<Int64>] = []

    init(manifest: Digest) { self.manifest = manifest }

    mutating func add(row: Int64) {
        if let last = rows.last, last.upperBound + 1 == row {
            rows[rows.count - 1] = last.lowerBound...row
        } else {
            rows.append(row...row)
        }
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(1)
        out.append(manifest)
        out.count(piece)
        out.count(offset)
        out.u64(staged)
        out.count(rows.count)
        for run in rows {
            out.i64(run.lowerBound)
            out.i64(run.upperBound)
        }
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of a snapshot that is read")
        guard try reader.u8() == 1 else { throw reader.failure("is of another form") }
        manifest = try reader.digest()
        piece = Int(try reader.u32())
        offset = Int(try reader.u32())
        staged = try reader.u64()
        for _ in 0..<(try reader.count(ofEntriesOf: 16)) {
            let (first, last) = (try reader.i64(), try reader.i64())
            guard 1 <= first, first <= last, last < Int64.max else { throw reader.failure("has no rows") }
            rows.append(first...last)
        }
        try reader.expectEnd()
    }
}
