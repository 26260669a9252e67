/// Numbers of 64 bits in LEB128: seven bits a byte, the lowest first, the highest bit set in all but the last. Local forms
/// only: what travels has integers of fixed width.
extension [UInt8] {
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}

extension ByteReader {
    /// The next number, which is written in as few bytes as it takes.
    mutating func varint() throws(StoreError) -> UInt64 {
        var number: UInt64 = 0
        for shift in stride(from: 0, to: 64, by: 7) {
            let byte = try u8()
            number |= UInt64(byte & 0x7f) << UInt64(shift)
            if byte < 0x80 {
                guard shift == 0 || byte > 0, shift < 63 || byte == 1 else { break }
                return number
            }
        }
        throw failure("has a number that is not written as it should be")
    }
}
