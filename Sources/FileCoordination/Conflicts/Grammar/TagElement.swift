/// A piece of a tag, plain enough to be stepped over without counting references.
enum TagElement: Hashable, Sendable {
    /// Bytes of the table's pool.
    case literal(start: Int, count: Int)
    case text(TagText)
    case characters(TagCharacters, atLeast: Int, atMost: Int)
    /// No leading zeros.
    case number(ClosedRange<Int>)
    case time(TagTimePart)
    case monthName
}

/// A part of a date, in digits of fixed width.
enum TagTimePart: Character, Hashable, Sendable, CaseIterable {
    case year = "Y"
    case month = "M"
    case day = "D"
    case hour = "h"
    case minute = "m"
    case second = "s"
    case fraction = "f"

    var width: Int {
        switch self {
        case .year: 4
        case .fraction: 3
        default: 2
        }
    }
}

/// Sets of ASCII characters that random parts of names are made of.
enum TagCharacters: String, Hashable, Sendable, CaseIterable {
    case digits
    case hex
    case hexnum
    case base32
    case alnum
    case upper
    case uppernum
    case stamp

    func contains(_ byte: UInt8) -> Bool {
        let isDigit = byte.isASCIIDigit
        return switch self {
        case .digits: isDigit
        case .hex, .hexnum: isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
        case .base32: byte.isASCIIUppercase || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains(byte)
        case .alnum: isDigit || byte.isASCIILetter
        case .upper, .uppernum: isDigit || byte.isASCIIUppercase
        case .stamp: isDigit || byte == 0x2D || byte == 0x2E || byte == 0x3A || byte == 0x5F
        }
    }

    var needsDigit: Bool { self == .hexnum || self == .uppernum || self == .stamp }

    /// Whether it has letters and digits only.
    var isAlphanumeric: Bool { self != .stamp }
}

extension UInt8 {
    var isASCIIDigit: Bool { self &- 48 < 10 }
    var isASCIIUppercase: Bool { self &- 65 < 26 }
    var isASCIILetter: Bool { (self | 0x20) &- 97 < 26 }
    var isASCIIAlphanumeric: Bool { isASCIIDigit || isASCIILetter }
}
