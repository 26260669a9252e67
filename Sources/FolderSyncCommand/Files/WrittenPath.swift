import FileCoordination

/// A path as a person wrote it, in its parts.
struct WrittenPath {
    /// Without slashes at its end; `/` for the root of the file system.
    let text: String

    init(_ given: String) {
        var text = given
        while text.utf8.count > 1, text.utf8.last == UInt8(ascii: "/") { text = String(text.unicodeScalars.dropLast()) }
        self.text = text
    }

    /// The folder it is in; `.` if it has none.
    var folder: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == text.startIndex ? "/" : String(decoding: text.utf8[..<slash], as: UTF8.self)
    }

    /// The last part.
    var name: String {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return text }
        return String(decoding: text.utf8[text.utf8.index(after: slash)...], as: UTF8.self)
    }
}
