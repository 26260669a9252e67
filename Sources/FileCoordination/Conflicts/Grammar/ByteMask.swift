/// Which bytes a text has, coarsely: a bit for each digit, for each ASCII letter of either case, for each other ASCII
/// character (some share one), and one for all bytes beyond ASCII and "?". What has not all bits of another text does not hold it.
struct ByteMask: Hashable, Sendable {
    private(set) var bits: UInt64 = 0

    init() {}

    init(_ bytes: UnsafeRawBufferPointer) {
        for byte in bytes { bits |= Self.bit(byte) }
    }

    @inline(__always)
    mutating func insert(_ byte: UInt8) { bits |= Self.bit(byte) }

    var count: Int { bits.nonzeroBitCount }

    func intersection(_ other: ByteMask) -> ByteMask {
        var common = self
        common.bits &= other.bits
        return common
    }

    func contains(_ other: ByteMask) -> Bool { other.bits & ~bits == 0 }

    /// From "@" on capitals and small letters fall together; signs and digits come after them, then all the rest.
    @inline(__always)
    private static func bit(_ byte: UInt8) -> UInt64 {
        switch byte {
        case 0x40...0x7F: 1 &<< UInt64(byte & 31)
        case 0x80...: 1 &<< 63
        default: 1 &<< UInt64(32 + (byte & 31))
        }
    }
}
