/// Reads elements, attributes and text of an XML 1.0 file in UTF-8, one after the other.
///
/// Small on purpose: a document type declaration is refused, so there are no entities but the five of XML and numbers, and
/// nothing grows or is fetched. Namespaces and validity are not looked at.
struct XMLReader {
    enum Event: Hashable {
        case start(String, [String: String])
        case end(String)
        case text(String)
    }

    struct Malformed: Error {
        let line: Int
        let what: String
    }

    private static let deepest = 64

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    private var hasRoot = false
    /// The end that an empty element has not been told yet.
    private var isEmptyElement = false

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The next event, or nil after the root's end.
    mutating func next() throws(Malformed) -> Event? {
        if isEmptyElement {
            isEmptyElement = false
            return .end(open.removeLast())
        }
        while position < bytes.count {
            if bytes[position] != UInt8(ascii: "<") {
                let text = try takeText()
                if !open.isEmpty { return .text(text) }
                if text.contains(where: { !$0.isWhitespace }) { throw malformed("text outside of the root element") }
            } else if skip("<!--") {
                try dropPast("-->")
            } else if skip("<?") {
                try dropPast("?>")
            } else if skip("<![CDATA[") {
                guard !open.isEmpty else { throw malformed("text outside of the root element") }
                let start = position
                try dropPast("]]>")
                return .text(String(decoding: bytes[start..<position - 3], as: UTF8.self))
            } else if skip("<!") {
                throw malformed("a document type declaration")
            } else {
                return try takeTag()
            }
        }
        if let name = open.last { throw malformed("no end of '\(name)'") }
        if !hasRoot { throw malformed("no element") }
        return nil
    }

    private mutating func takeTag() throws(Malformed) -> Event {
        position += 1
        if skip("/") {
            let name = try takeName()
            dropBlanks()
            guard skip(">"), open.last == name else { throw malformed("an end of '\(name)' that does not belong") }
            open.removeLast()
            return .end(name)
        }
        let name = try takeName()
        guard !open.isEmpty || !hasRoot else { throw malformed("two root elements") }
        guard open.count < Self.deepest else { throw malformed("elements more than \(Self.deepest) deep") }
        let attributes = try takeAttributes()
        hasRoot = true
        open.append(name)
        return .start(name, attributes)
    }

    /// Of an attribute that comes twice, the first counts.
    private mutating func takeAttributes() throws(Malformed) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            dropBlanks()
            if skip("/>") {
                isEmptyElement = true
                return attributes
            }
            if skip(">") { return attributes }
            let name = try takeName()
            dropBlanks()
            guard skip("=") else { throw malformed("an attribute without a value") }
            dropBlanks()
            let value = try takeQuoted()
            if attributes[name] == nil { attributes[name] = value }
        }
    }

    private mutating func takeQuoted() throws(Malformed) -> String {
        guard position < bytes.count, [UInt8(ascii: "\""), UInt8(ascii: "'")].contains(bytes[position]) else {
            throw malformed("an attribute without quotes")
        }
        let start = position + 1
        guard let end = bytes[start...].firstIndex(of: bytes[position]) else { throw malformed("an open quote") }
        position = end + 1
        return try resolve(bytes[start..<end])
    }

    private mutating func takeText() throws(Malformed) -> String {
        let start = position
        position = bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        return try resolve(bytes[start..<position])
    }

    private mutating func takeName() throws(Malformed) -> String {
        let start = position
        let ends = Array(" \t\r\n/>=<\"'&".utf8)
        position = bytes[start...].firstIndex(where: ends.contains) ?? bytes.count
        guard position > start else { throw malformed("a missing name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func skip(_ mark: String) -> Bool {
        guard bytes[position...].starts(with: mark.utf8) else { return false }
        position += mark.utf8.count
        return true
    }

    private mutating func dropBlanks() {
        let blanks = Array(" \t\r\n".utf8)
        position = bytes[position...].firstIndex { !blanks.contains($0) } ?? bytes.count
    }

    private mutating func dropPast(_ mark: String) throws(Malformed) {
        while position < bytes.count {
            if skip(mark) { return }
            position += 1
        }
        throw malformed("no '\(mark)'")
    }

    func malformed(_ what: String) -> Malformed {
        Malformed(line: bytes.prefix(position).count { $0 == UInt8(ascii: "\n") } + 1, what: what)
    }
}

extension XMLReader {
    /// Replaces `&amp;`, `&#228;` and their like.
    private func resolve(_ raw: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard raw.contains(UInt8(ascii: "&")) else { return String(decoding: raw, as: UTF8.self) }
        var result = ""
        var rest = raw
        while let mark = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<mark], as: UTF8.self)
            guard let end = rest[mark...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw malformed("an '&' that starts nothing")
            }
            let name = String(decoding: rest[(mark + 1)..<end], as: UTF8.self)
            guard let character = Self.character(name) else { throw malformed("an unknown entity '&\(name);'") }
            result.unicodeScalars.append(character)
            rest = rest[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private static func character(_ name: String) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let isHexadecimal = name.hasPrefix("#x")
        guard name.hasPrefix("#") else { return nil }
        return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10).flatMap(
            Unicode.Scalar.init)
    }
}
