import LLVSCore

/// What an exchange remembers in its store, in the transaction of the versions it concerns. Keys start with the attachment, so
/// that one store can be attached to several folders.
struct ExchangeZones {
    /// The attachment, named by the first lane it had.
    let attachment: LaneID
    /// The lane it writes now: another where a twin was met.
    let lane: LaneID

    /// A new attachment, with its first lane.
    init(lane: LaneID) {
        attachment = lane
        self.lane = lane
    }

    init(attachment: LaneID, lane: LaneID) {
        self.attachment = attachment
        self.lane = lane
    }

    /// An attachment that is there.
    init(attachment: LaneID, in reader: any StorageReader) throws {
        self.attachment = attachment
        let lane = try reader.value(attachment.bytes, in: Self.lane).flatMap(LaneID.init(bytes:))
        self.lane = lane ?? attachment
    }

    /// "store" → the 16 bytes of the store's identity.
    static let identity = KeyedZone("f_identity")
    /// Attachment → the lane it writes, where that is not its first.
    static let lane = KeyedZone("f_lane")
    /// Attachment → ``AttachmentRecord``.
    static let attachment = KeyedZone("f_attachment")
    /// Relative path of another lane's file → its size (older stores: nothing; contained in a snapshot: ``containedMark``):
    /// read and taken in wholly. Its name states its hash.
    static let taken = KeyedZone("f_taken")
    /// Name of an own file → ``OwnFile``.
    static let own = KeyedZone("f_own")
    /// Name of an own file of entries that is about to be written → ``OwnFile``: what belongs there if it is found spoiled.
    static let begun = KeyedZone("f_begun")
    /// Name of an own file that a file of more entries stands in for → ``ReplacedFile``: it is to go.
    static let replaced = KeyedZone("f_replaced")
    /// Name of an own file, of entries or of a snapshot, that was taken away for good → nothing: should it come back, it goes again.
    static let swept = KeyedZone("f_swept")
    /// The time in which files are to go: ``ElapsedTime``.
    static let elapsed = KeyedZone("f_elapsed")
    /// Other lane → the furthest number of the own lane that its files say they have seen, with the own chain.
    static let acknowledged = KeyedZone("f_acknowledged")
    /// Number in the lane → version id and chain.
    static let outbox = KeyedZone("f_outbox")
    /// Version id → nothing: some lane of this folder holds it.
    static let present = KeyedZone("f_present")
    /// Lane, first number and chain after → last number, chains before and after: what of a lane was read, in one record as
    /// far as it hangs together.
    static let range = KeyedZone("f_range")
    /// Lane → number and chain: the furthest that any file says the lane goes.
    static let announced = KeyedZone("f_announced")
    /// Lane → nothing: a note says that nobody writes it any more.
    static let retired = KeyedZone("f_retired")
    /// What this store says in a note → how its file looked when it was last confirmed; empty: not yet.
    static let note = KeyedZone("f_note")
    /// Name of a piece → the lane whose entries need it.
    static let needed = KeyedZone("f_needed")
    /// Digest of a piece that this store wrote in a lane it has left → nothing: it counts as missing until it is read and right.
    static let unproved = KeyedZone("f_unproved")
    /// Lane → ``LossRecord``: files of it that were read are missing.
    static let loss = KeyedZone("f_loss")
    /// Attachment → ``SealLabel`` of the transform by which its files are sealed, once any was sealed or opened.
    static let seal = KeyedZone("f_seal")
    /// Version id → ``PendingVersion``.
    static let pending = KeyedZone("f_pending")
    /// Piece digest → row in `staged`.
    static let piece = KeyedZone("f_piece")
    /// Bytes of pieces of versions that are about to be admitted.
    static let staged = RowZone("f_staged")

    func key(_ rest: [UInt8] = []) -> [UInt8] { attachment.bytes + rest }

    func key(_ number: UInt64) -> [UInt8] { key(withUnsafeBytes(of: number.bigEndian) { Array($0) }) }

    /// Calls `body` with every record of this attachment in a zone, its key without the attachment.
    func scan(
        _ zone: KeyedZone, prefix: [UInt8] = [], in reader: any StorageReader,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        let start = key(prefix)
        try reader.scan(zone, from: start, before: Self.after(start)) { key, value in
            try body(Array(key.dropFirst(attachment.bytes.count)), value)
        }
    }

    /// See ``unproved``.
    func unprovedPieces(in reader: any StorageReader) throws -> [Digest] {
        var found: [Digest] = []
        try scan(Self.unproved, in: reader) { key, _ in
            var key = ByteReader(key, of: "the digest of a piece")
            found.append(try key.digest())
            try key.expectEnd()
            return true
        }
        return found
    }

    /// Removes every record of this attachment in a zone.
    func removeAll(in zone: KeyedZone, prefix: [UInt8] = [], _ writer: any StorageWriter) throws {
        var keys: [[UInt8]] = []
        try scan(zone, prefix: prefix, in: writer) { rest, _ in
            keys.append(key(rest))
            return true
        }
        for key in keys { try writer.remove(key, in: zone) }
    }

    /// Forgets the attachment. Versions stay, those that wait for others do not.
    func removeAttachment(_ writer: any StorageWriter) throws {
        var rows: [Int64] = []
        try scan(Self.piece, in: writer) { _, bytes in
            var record = ByteReader(bytes, of: "record of a piece")
            rows.append(try record.i64())
            return true
        }
        for row in rows { try writer.removeRow(row, in: Self.staged) }
        for zone in Self.all { try removeAll(in: zone, writer) }
    }

    /// Every zone whose keys start with the attachment.
    private static let all = [
        attachment, lane, taken, own, begun, replaced, swept, elapsed, acknowledged, outbox, present, range, announced,
        retired, note, needed, unproved, loss, pending, piece, bootstrap, refill, offer, ownSet, ownSetSeen, seal,
    ]

    /// The first key that does not start with `prefix`.
    private static func after(_ prefix: [UInt8]) -> [UInt8]? {
        var end = prefix
        while let last = end.popLast() {
            if last < 255 { return end + [last + 1] }
        }
        return nil
    }
}
