import LLVSCore

/// A value id that is safe as a path below a folder.
struct RelativePath: Hashable, Sendable {
    /// Its components; none is empty, `.` or `..`, has a NUL, or is longer than 255 bytes.
    let components: [String]

    var text: String { components.joined(separator: "/") }

    /// Nil if the id could lead out of the folder, or is no path that a file system can hold.
    init?(_ id: Value.ID) {
        if Self.problem(of: id) != nil { return nil }
        components = id.rawValue.split(separator: "/").map(String.init)
    }

    /// Why an id is no safe path, or nil if it is one.
    static func problem(of id: Value.ID) -> String? {
        if id.utf8.contains(0) { return "its name has a NUL" }
        if id.utf8.first == UInt8(ascii: "/") { return "its name is an absolute path" }
        for component in id.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            if component.isEmpty { return "its name has an empty component" }
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                return "its name has the component '\(String(decoding: component, as: UTF8.self))'"
            }
            if component.count > 255 { return "its name has a component of more than 255 bytes" }
        }
        return nil
    }
}

/// The folders that ids imply: `a` and `a/b` for `a/b/c`.
struct FolderNames {
    private var names: Set<[UInt8]> = []

    init(_ ids: some Sequence<Value.ID>) {
        for id in ids where RelativePath.problem(of: id) == nil {
            // From the longest: once one is known, so are those above it.
            var end = id.utf8.count
            while let slash = id.utf8[..<end].lastIndex(of: UInt8(ascii: "/")) {
                if !names.insert(Array(id.utf8[..<slash])).inserted { break }
                end = slash
            }
        }
    }

    /// Whether the id is a folder of another id.
    func contains(_ id: Value.ID) -> Bool { names.contains(id.utf8) }
}
