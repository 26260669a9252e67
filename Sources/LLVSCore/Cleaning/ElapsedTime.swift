/// Time that passed for sure, by a wall clock that may be set at any moment: the sum over looks at it of what it moved on
/// since the last, at most an hour each and never less than nothing. It lags behind where looks are rare.
package struct ElapsedTime: Hashable {
    private static let key = [UInt8]("elapsed".utf8)
    private static let mostPerLook: Int64 = 3_600_000

    /// What the clock said at the last look: milliseconds since 1970.
    private var last: Int64
    /// Milliseconds since the first look.
    package private(set) var total: Int64

    /// A first look.
    package init(startingAt now: Int64) {
        last = now
        total = 0
    }

    /// Looks at the clock again.
    package mutating func look(at now: Int64) {
        let (step, overflow) = now.subtractingReportingOverflow(last)
        let counted = overflow ? (now < last ? 0 : Self.mostPerLook) : min(max(step, 0), Self.mostPerLook)
        total += min(counted, Int64.max - total)
        last = now
    }

    /// Reads it from a store, nil in one where nobody looked yet.
    static func stored(in reader: any StorageReader) throws -> ElapsedTime? {
        guard let bytes = try reader.value(key, in: StoreZones.settings) else { return nil }
        return try ElapsedTime(decoding: bytes)
    }

    /// Looks at the clock for a store, and remembers it there.
    static func pass(at now: Int64, in writer: any StorageWriter) throws -> ElapsedTime {
        var time = try stored(in: writer) ?? ElapsedTime(startingAt: now)
        time.look(at: now)
        try writer.put(time.encoded, for: key, in: StoreZones.settings)
        return time
    }

    /// As it is remembered.
    package var encoded: [UInt8] {
        var record = ByteWriter()
        record.i64(last)
        record.i64(total)
        return record.bytes
    }

    /// What was remembered.
    package init(decoding bytes: [UInt8]) throws {
        var record = ByteReader(bytes, of: "time that has passed")
        last = try record.i64()
        total = max(0, try record.i64())
        try record.expectEnd()
    }
}
