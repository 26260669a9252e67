/// Hashes of names, keyed anew for each folder, so that nobody can make up names that collide.
struct NameHash {
    private let multiplier = UInt64.random(in: 0 ... .max) | 1

    /// Of the bytes.
    func callAsFunction(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var value = UInt64(truncatingIfNeeded: name.count)
        var place = 0
        while place + 8 <= name.count {
            value = mixed(value ^ name.loadUnaligned(fromByteOffset: place, as: UInt64.self))
            place += 8
        }
        var rest: UInt64 = 0
        while place < name.count {
            rest = rest << 8 | UInt64(name[place])
            place += 1
        }
        return mixed(value ^ rest)
    }

    /// Of what all canonically equivalent spellings (Unicode Standard Annex 15) have in common: everything but the words with
    /// a byte beyond ASCII in them. Words end at digits, spaces and signs. Nil if all is ASCII, which has one spelling.
    ///
    /// Five ASCII characters are left out with their words because they do decompose from, or compose to, something beyond
    /// ASCII: `K` (the Kelvin sign), `;`, `` ` ``, and `<`, `=`, `>` (struck through).
    func ofSpellings(_ name: UnsafeRawBufferPointer) -> UInt64? {
        if name.isASCII { return nil }
        var (value, word): (UInt64, UInt64) = (0, 1)
        var isPlain = true
        for byte in name {
            switch byte {
            case 0x80..., UInt8(ascii: "K"), 0x3B...0x3E, 0x60: isPlain = false
            case 0x41...0x5A, 0x61...0x7A: word = word &* 31 &+ UInt64(byte)
            default:
                value = mixed(value ^ (isPlain ? word : 0) << 8 ^ UInt64(byte))
                (isPlain, word) = (true, 1)
            }
        }
        return mixed(value ^ (isPlain ? word : 0))
    }

    @inline(__always)
    private func mixed(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: multiplier)
        return product.high ^ product.low
    }
}

extension UnsafeRawBufferPointer {
    /// Whether no byte is beyond ASCII; eight at a time.
    fileprivate var isASCII: Bool {
        var (place, bits): (Int, UInt64) = (0, 0)
        while place + 8 <= count {
            bits |= loadUnaligned(fromByteOffset: place, as: UInt64.self)
            place += 8
        }
        while place < count {
            bits |= UInt64(self[place])
            place += 1
        }
        return bits & 0x8080_8080_8080_8080 == 0
    }
}
