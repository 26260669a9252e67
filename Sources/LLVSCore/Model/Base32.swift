/// Base32 (RFC 4648) in lower case and without padding, in which every sequence of bytes has exactly one spelling.
///
/// Names and ids are written in it: it survives file systems and services that fold case.
package enum Base32 {
    private static let alphabet = [UInt8]("abcdefghijklmnopqrstuvwxyz234567".utf8)

    /// How many characters `bytes` bytes take: the fewest that hold their bits.
    package static func characterCount(ofBytes bytes: Int) -> Int { (bytes * 8 + 4) / 5 }

    /// The characters of `bytes`.
    package static func encode(_ bytes: [UInt8]) -> String { String(decoding: encodedUTF8(bytes), as: UTF8.self) }

    /// The characters of `bytes`, as their ASCII codes.
    package static func encodedUTF8(_ bytes: [UInt8]) -> [UInt8] {
        bytes.withUnsafeBytes { encodedUTF8($0) }
    }

    /// The characters of `bytes`, as their ASCII codes.
    package static func encodedUTF8(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        alphabet.withUnsafeBufferPointer { alphabet in
            [UInt8](unsafeUninitializedCapacity: characterCount(ofBytes: bytes.count)) { characters, count in
                var pending: UInt32 = 0
                var bits = 0
                func append(_ value: UInt32) {
                    characters.initializeElement(at: count, to: alphabet[Int(value & 31)])
                    count += 1
                }
                for byte in bytes {
                    pending = pending << 8 | UInt32(byte)
                    bits += 8
                    while bits >= 5 {
                        bits -= 5
                        append(pending >> UInt32(bits))
                    }
                }
                if bits > 0 { append(pending << UInt32(5 - bits)) }
            }
        }
    }

    /// The bytes whose only spelling `characters` is; nil for anything else: other characters, capitals, padding, a length
    /// that no number of bytes has, bits left over that are not zero.
    package static func decode(_ characters: some Collection<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(characters.count * 5 / 8)
        var pending: UInt32 = 0
        var bits = 0
        for character in characters {
            guard let value = value(of: character) else { return nil }
            pending = pending << 5 | value
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> UInt32(bits)))
            }
        }
        // Five or more bits left over are a whole character that holds nothing.
        guard bits < 5, pending & (1 << UInt32(bits) - 1) == 0 else { return nil }
        return bytes
    }

    /// Whether the characters of `left` order before those of `right`, without writing them. Digits come before letters in
    /// ASCII and after them in base32, so that the order of the texts is not that of the bytes.
    package static func textPrecedes(_ left: Digest, _ right: Digest) -> Bool {
        left.withUnsafeBytes { left in
            right.withUnsafeBytes { right in
                guard let byte = (0..<Digest.byteCount).first(where: { left[$0] != right[$0] }) else { return false }
                let bit = byte * 8 + (left[byte] ^ right[byte]).leadingZeroBitCount
                let start = bit - bit % 5
                return alphabet[fiveBits(at: start, of: left)] < alphabet[fiveBits(at: start, of: right)]
            }
        }
    }

    private static func fiveBits(at bit: Int, of bytes: UnsafeRawBufferPointer) -> Int {
        let byte = bit / 8
        let following = byte + 1 < bytes.count ? bytes[byte + 1] : 0
        return Int((UInt16(bytes[byte]) << 8 | UInt16(following)) >> UInt16(11 - bit % 8) & 31)
    }

    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(character - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
