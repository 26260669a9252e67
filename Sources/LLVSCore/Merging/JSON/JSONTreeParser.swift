/// Reads JSON (RFC 8259) into a ``JSONTree``.
///
/// Foundation's parsers cannot be used for merging: they give a number as a double or a decimal and lose how it was written,
/// so that what nobody touched would change, and large integers would be rounded. They also accept names that are there
/// twice, and differ between platforms in what else they accept.
///
/// What is not unambiguous JSON is refused, as RFC 7493 recommends: names that are there twice, halves of surrogate pairs, a byte
/// order mark. Any bytes may be given; depth is bounded, so the stack is, and time and memory are linear.
struct JSONTreeParser {
    /// How deeply arrays and objects may be nested.
    static let maximumDepth = 128

    /// Not JSON, or not unambiguous.
    private struct Refused: Error {}

    private let bytes: [UInt8]
    private var position = 0
    private var depth = 0

    /// The document that `bytes` are, or nil if they are none.
    static func tree(_ bytes: [UInt8]) -> JSONTree? {
        // Checked once for the whole, so that every string between two quotes is valid.
        guard bytes.isValidUTF8 else { return nil }
        var parser = JSONTreeParser(bytes)
        do {
            parser.skipSpace()
            let tree = try parser.value()
            parser.skipSpace()
            return parser.position == bytes.count ? tree : nil
        } catch {
            return nil
        }
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func value() throws(Refused) -> JSONTree {
        switch next {
        case UInt8(ascii: "{"): return try nested { parser throws(Refused) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(Refused) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func word(_ word: String, _ tree: JSONTree) throws(Refused) -> JSONTree {
        for byte in word.utf8 {
            guard take(byte) else { throw Refused() }
        }
        return tree
    }

    private mutating func nested(
        _ body: (inout JSONTreeParser) throws(Refused) -> JSONTree
    ) throws(Refused) -> JSONTree {
        guard depth < Self.maximumDepth else { throw Refused() }
        depth += 1
        position += 1
        skipSpace()
        let tree = try body(&self)
        depth -= 1
        return tree
    }

    private mutating func array() throws(Refused) -> JSONTree {
        var elements: [JSONTree] = []
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw Refused() }
            skipSpace()
        }
    }

    private mutating func object() throws(Refused) -> JSONTree {
        var members: [[UInt8]: JSONTree] = [:]
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            let name = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw Refused() }
            skipSpace()
            guard members.updateValue(try value(), forKey: name) == nil else { throw Refused() }
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw Refused() }
            skipSpace()
        }
    }
}

extension JSONTreeParser {
    private mutating func digits() throws(Refused) {
        let start = position
        while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
        if position == start { throw Refused() }
    }

    private mutating func number() throws(Refused) -> [UInt8] {
        let start = position
        _ = take(UInt8(ascii: "-"))
        // A zero is followed by no further digit of the integer.
        if !take(UInt8(ascii: "0")) { try digits() }
        if take(UInt8(ascii: ".")) { try digits() }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            try digits()
        }
        return Array(bytes[start..<position])
    }

    private mutating func string() throws(Refused) -> [UInt8] {
        guard take(UInt8(ascii: "\"")) else { throw Refused() }
        var text: [UInt8] = []
        var start = position
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                text += bytes[start..<position]
                position += 1
                return text
            case UInt8(ascii: "\\"):
                text += bytes[start..<position]
                position += 1
                try escape(into: &text)
                start = position
            case 0..<0x20: throw Refused()
            default: position += 1
            }
        }
        throw Refused()
    }

    private mutating func escape(into text: inout [UInt8]) throws(Refused) {
        guard let byte = next else { throw Refused() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if code >= 0xD800, code < 0xDC00 {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw Refused() }
                let low = try hexadecimal()
                guard low >= 0xDC00, low < 0xE000 else { throw Refused() }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw Refused() }
            text += String(Character(scalar)).utf8
        default: throw Refused()
        }
    }

    private mutating func hexadecimal() throws(Refused) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = next else { throw Refused() }
            switch byte {
            case 0x30...0x39: code = code << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: code = code << 4 | UInt32(byte - 0x41 + 10)
            case 0x61...0x66: code = code << 4 | UInt32(byte - 0x61 + 10)
            default: throw Refused()
            }
            position += 1
        }
        return code
    }
}
