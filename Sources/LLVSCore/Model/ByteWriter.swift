/// Writes what ``ByteReader`` reads: little-endian integers of fixed width, digests and runs of bytes, end to end.
package struct ByteWriter: Sendable {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// Writes to nothing, with room for `capacity` bytes.
    package init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Writes one byte.
    package mutating func u8(_ value: UInt8) { bytes.append(value) }
    /// Writes two bytes.
    package mutating func u16(_ value: UInt16) { integer(value) }
    /// Writes four bytes.
    package mutating func u32(_ value: UInt32) { integer(value) }
    /// Writes eight bytes.
    package mutating func u64(_ value: UInt64) { integer(value) }
    /// Writes eight bytes, signed.
    package mutating func i64(_ value: Int64) { integer(value) }

    /// Writes a number that ``ByteReader/varint()`` reads.
    mutating func varint(_ value: UInt64) { bytes.append(varint: value) }

    /// Writes `more` as it is.
    package mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }
    /// Writes `more` as it is.
    package mutating func append(_ more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }
    /// Writes the 32 bytes of `digest`.
    package mutating func append(_ digest: Digest) {
        digest.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Writes a count or length of up to 2³²−1 as a u32.
    package mutating func count(_ count: Int) {
        precondition(UInt32(exactly: count) != nil, "A count or length is at most 2³²−1, got \(count).")
        u32(UInt32(count))
    }

    /// Writes the length of `more` as a u32, then `more`.
    package mutating func lengthPrefixed(_ more: [UInt8]) {
        count(more.count)
        append(more)
    }

    private mutating func integer(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
