extension [UInt8] {
    /// Whether these bytes order before `other`, compared one by one as unsigned numbers; a prefix comes first.
    package func precedes(_ other: [UInt8]) -> Bool {
        withUnsafeBytes { left in
            other.withUnsafeBytes { right in
                let shared = Swift.min(left.count, right.count)
                var offset = 0
                while offset + 8 <= shared {
                    let mine = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    let theirs = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    if mine != theirs { return mine < theirs }
                    offset += 8
                }
                while offset < shared {
                    if left[offset] != right[offset] { return left[offset] < right[offset] }
                    offset += 1
                }
                return left.count < right.count
            }
        }
    }

    /// Whether these bytes are UTF-8 as the Unicode standard has it: nothing overlong, no surrogates, nothing cut off.
    package var isValidUTF8: Bool {
        allASCII || String(validating: self, as: UTF8.self) != nil
    }

    /// Whether no byte has its highest bit set; eight bytes at a time.
    var allASCII: Bool {
        withUnsafeBytes { bytes in
            var offset = 0
            var bits: UInt64 = 0
            while offset + 8 <= bytes.count {
                bits |= bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                offset += 8
            }
            while offset < bytes.count {
                bits |= UInt64(bytes[offset])
                offset += 1
            }
            return bits & 0x8080_8080_8080_8080 == 0
        }
    }
}
