/// Objects of text members, one a line, for a program that reads line by line. Made by hand because `JSONEncoder` takes five
/// times as long, and a watch is as quick as its lines.
///
/// RFC 8259 asks for the escaping of quotes, backslashes and characters below U+0020. U+007F to U+009F, U+2028 and U+2029 are
/// escaped too, because many readers end a line at some of them.
struct JSONLines {
    private(set) var bytes: [UInt8] = []
    private var isFirst = true

    init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    mutating func begin() {
        bytes.append(UInt8(ascii: "{"))
        isFirst = true
    }

    mutating func end() {
        bytes.append(UInt8(ascii: "}"))
        bytes.append(UInt8(ascii: "\n"))
    }

    /// A member that is text. The key must need no escaping.
    mutating func member(_ key: StaticString, _ text: String) {
        beginMember(key)
        bytes.append(UInt8(ascii: "\""))
        append(escaping: text.utf8[...])
        bytes.append(UInt8(ascii: "\""))
    }

    /// A member that is text, of which the first part is escaped already.
    mutating func member(_ key: StaticString, escaped start: [UInt8], _ rest: Substring.UTF8View) {
        beginMember(key)
        bytes.append(UInt8(ascii: "\""))
        bytes += start
        append(escaping: rest)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func member(_ key: StaticString, _ value: Bool) {
        beginMember(key)
        bytes += value ? "true".utf8 : "false".utf8
    }

    /// JSON that an encoder made, on one line for every reader: of what is escaped here an encoder leaves only characters that
    /// can stand in texts alone, so that they may be replaced wherever they are.
    static func oneLine(_ json: [UInt8]) -> [UInt8] {
        var lines = JSONLines(capacity: json.count)
        json.withUnsafeBufferPointer { lines.append(escaping: $0, keepingASCII: true) }
        return lines.bytes
    }

    /// The text as it stands between the quotes.
    static func escaped(_ text: String) -> [UInt8] {
        var lines = JSONLines()
        lines.append(escaping: text.utf8[...])
        return lines.bytes
    }

    private mutating func beginMember(_ key: StaticString) {
        if !isFirst { bytes.append(UInt8(ascii: ",")) }
        isFirst = false
        bytes.append(UInt8(ascii: "\""))
        key.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func append(escaping text: Substring.UTF8View) {
        let isDone: Void? = text.withContiguousStorageIfAvailable { append(escaping: $0) }
        if isDone == nil { Array(text).withUnsafeBufferPointer { append(escaping: $0) } }
    }

    private mutating func append(escaping text: UnsafeBufferPointer<UInt8>, keepingASCII: Bool = false) {
        var start = 0
        var index = 0
        while index < text.count {
            guard let (scalar, length) = Self.toEscape(text, at: index), !(keepingASCII && scalar < 0x7f) else {
                index += 1
                continue
            }
            bytes += text[start..<index]
            bytes += Self.escape(scalar)
            index += length
            start = index
        }
        bytes += text[start...]
    }

    /// The character that begins at the index and its number of bytes, if it may not stand as it is.
    private static func toEscape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (scalar: UInt16, length: Int)? {
        let byte = text[index]
        switch byte {
        case 0..<0x20, 0x7f, UInt8(ascii: "\""), UInt8(ascii: "\\"): return (UInt16(byte), 1)
        case 0xc2 where index + 1 < text.count && text[index + 1] < 0xa0: return (UInt16(text[index + 1]), 2)
        case 0xe2 where index + 2 < text.count && text[index + 1] == 0x80 && (0xa8...0xa9).contains(text[index + 2]):
            return (0x2000 + UInt16(text[index + 2] - 0x80), 3)
        default: return nil
        }
    }

    private static func escape(_ scalar: UInt16) -> [UInt8] {
        switch scalar {
        case UInt16(UInt8(ascii: "\"")): return Array(#"\""#.utf8)
        case UInt16(UInt8(ascii: "\\")): return Array(#"\\"#.utf8)
        case 0x0a: return Array(#"\n"#.utf8)
        case 0x0d: return Array(#"\r"#.utf8)
        case 0x09: return Array(#"\t"#.utf8)
        default:
            let digits = String(scalar, radix: 16)
            return Array(("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).utf8)
        }
    }
}
