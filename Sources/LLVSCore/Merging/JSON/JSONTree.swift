/// A JSON document, with strings as their UTF-8 and numbers as they were written.
///
/// Numbers and strings are equal when their bytes are: `1` and `1.0` are two numbers, and so is 2⁶⁴ + 1 never rounded.
enum JSONTree: Hashable {
    case null
    case bool(Bool)
    /// The spelling of a number.
    case number([UInt8])
    /// The UTF-8 of a string, without escapes.
    case string([UInt8])
    case array([JSONTree])
    case object([[UInt8]: JSONTree])

    /// Whether it has no parts: neither an array nor an object.
    var isScalar: Bool {
        switch self {
        case .null, .bool, .number, .string: true
        case .array, .object: false
        }
    }
}

extension JSONTree {
    /// The one text that a document has here, the same on every device: no white space, members ascending by the UTF-8 bytes
    /// of their names, numbers as they were written, and escapes only for `"`, `\` and the control characters below U+0020
    /// (`\b`, `\t`, `\n`, `\f`, `\r`, else `\u00` and two lower-case digits).
    ///
    /// RFC 8785 is not followed: it makes every number a double, and so rounds large integers.
    var canonicalBytes: [UInt8] {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return bytes
    }

    /// The canonical text as a string.
    var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

    private func append(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        case .number(let spelling): bytes += spelling
        case .string(let text): Self.append(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.sorted(by: { $0.key.precedes($1.key) }).enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.append(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.append(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x08: bytes += "\\b".utf8
            case 0x09: bytes += "\\t".utf8
            case 0x0A: bytes += "\\n".utf8
            case 0x0C: bytes += "\\f".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0..<0x20:
                let digits = [UInt8]("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}
