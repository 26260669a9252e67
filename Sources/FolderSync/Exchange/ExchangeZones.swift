import LLVSCore

/// What an exchange remembers in its store, in the transaction of the versions it concerns. Keys start with the lane of the
/// attachment, so that one store can be attached to several folders.
struct ExchangeZones {
    let lane: LaneID

    /// "store" → the 16 bytes of the store's identity.
    static let identity = KeyedZone("f_identity")
    /// Lane → ``AttachmentRecord``.
    static let attachment = KeyedZone("f_attachment")
    /// Relative path of another lane's file → nothing: read and taken in wholly. Its name states its hash.
    static let taken = KeyedZone("f_taken")
    /// Name of an own file → ``OwnFile``.
    static let own = KeyedZone("f_own")
    /// Name of an own file of entries that is about to be written → ``OwnFile``: what belongs there if it is found spoiled.
    static let begun = KeyedZone("f_begun")
    /// Name of an own file that a file of more entries stands in for → ``ReplacedFile``: it is to go.
    static let replaced = KeyedZone("f_replaced")
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
    /// Version id → ``PendingVersion``.
    static let pending = KeyedZone("f_pending")
    /// Piece digest → row in `staged`.
    static let piece = KeyedZone("f_piece")
    /// Bytes of pieces of versions that are about to be admitted.
    static let staged = RowZone("f_staged")

    func key(_ rest: [UInt8] = []) -> [UInt8] { lane.bytes + rest }

    func key(_ number: UInt64) -> [UInt8] { key(withUnsafeBytes(of: number.bigEndian) { Array($0) }) }

    /// Calls `body` with every record of this attachment in a zone, its key without the lane.
    func scan(
        _ zone: KeyedZone, prefix: [UInt8] = [], in reader: any StorageReader,
        _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        let start = key(prefix)
        try reader.scan(zone, from: start, before: Self.after(start)) { key, value in
            try body(Array(key.dropFirst(lane.bytes.count)), value)
        }
    }

    /// The first key that does not start with `prefix`.
    private static func after(_ prefix: [UInt8]) -> [UInt8]? {
        var end = prefix
        while let last = end.popLast() {
            if last < 255 { return end + [last + 1] }
        }
        return nil
    }
}
