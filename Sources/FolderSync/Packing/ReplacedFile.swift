import LLVSCore

/// A file of the own lane whose entries stand in a larger one: no longer expected to be there, and to go in time.
struct ReplacedFile: Hashable {
    /// The numbers of its entries.
    let range: ClosedRange<UInt64>
    /// When it was replaced: milliseconds of ``ElapsedTime``.
    let since: Int64
    /// How it looked when its bytes were found not to be what this store wrote: it is left alone while it looks so.
    var refused: SharedFolder.Signature?
    /// How it looked when its bytes were last known to be those that this store wrote.
    var sound: SharedFolder.Signature?

    init(range: ClosedRange<UInt64>, since: Int64, sound: SharedFolder.Signature?) {
        self.range = range
        self.since = since
        self.sound = sound
    }

    var encoded: [UInt8] {
        var out = ByteWriter()
        out.u8(2)
        out.u64(range.lowerBound)
        out.u64(range.upperBound)
        out.i64(since)
        SharedFolder.Signature.encode(refused, into: &out)
        SharedFolder.Signature.encode(sound, into: &out)
        return out.bytes
    }

    init(decoding bytes: [UInt8]) throws {
        var reader = ByteReader(bytes, of: "record of a replaced file")
        let form = try reader.u8()
        guard form == 1 || form == 2 else { throw reader.failure("is of another form") }
        let (from, to) = (try reader.u64(), try reader.u64())
        guard from >= 1, from <= to else { throw reader.failure("has no range") }
        range = from...to
        since = try reader.i64()
        refused = try SharedFolder.Signature.decode(from: &reader)
        if form == 2 { sound = try SharedFolder.Signature.decode(from: &reader) }
        try reader.expectEnd()
    }
}
