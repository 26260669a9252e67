/// A name or path as a key of a set or dictionary: compared by bytes, as file systems do.
///
/// Swift's strings are equal if Unicode calls them so, as "é" in one or two code points; on most file systems those are two
/// files.
struct PathKey: Hashable, Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (one: PathKey, other: PathKey) -> Bool {
        String.order(one.text, other.text) == 0
    }

    func hash(into hasher: inout Hasher) {
        var copy = text
        copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension String {
    /// Negative, zero or positive, by bytes: so that a folder comes before what is in it.
    static func order(_ one: String, _ other: String) -> Int {
        var (one, other) = (one, other)
        return one.withUTF8 { bytes in
            other.withUTF8 { compareNames(UnsafeRawBufferPointer(bytes), UnsafeRawBufferPointer($0)) }
        }
    }

    /// What stands between slashes. By bytes: as characters a slash is one with a mark that begins the next name.
    var pathParts: [String] { utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) } }

    /// The path of the folder that an absolute path is in; nil for `/`.
    var parentPath: String? {
        guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")), utf8.count > 1 else { return nil }
        return slash == startIndex ? "/" : String(self[..<slash])
    }

    /// Whether the path leads to something below the folder.
    func isPath(below folder: String) -> Bool {
        let (bytes, above) = (utf8, folder.utf8)
        guard bytes.count > above.count, bytes.starts(with: above) else { return false }
        return above.last == UInt8(ascii: "/")
            || bytes[bytes.index(bytes.startIndex, offsetBy: above.count)] == UInt8(ascii: "/")
    }
}
