import LLVSCore

/// A value id that is safe as a path below a folder.
///
/// Handled as bytes, like ids and file names: a slash before a combining accent is a slash, though Swift sees one character.
struct RelativePath: Hashable, Sendable {
    /// Components are separated by `/`; none is empty, `.` or `..`, has a NUL, or is longer than 255 bytes.
    let utf8: [UInt8]

    var text: String { String(decoding: utf8, as: UTF8.self) }

    /// Nil if the id could lead out of the folder, or is no path that a file system can hold.
    init?(_ id: Value.ID) {
        if Self.problem(of: id) != nil { return nil }
        utf8 = id.utf8
    }

    /// The path of bytes that were one when they were recorded.
    init(trusted utf8: [UInt8]) { self.utf8 = utf8 }

    /// The folders it lies in, from the topmost: `a` and `a/b` for `a/b/c`.
    var parents: [RelativePath] {
        utf8.indices.filter { utf8[$0] == UInt8(ascii: "/") }.map { RelativePath(trusted: Array(utf8[..<$0])) }
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

extension RelativePath: Comparable {
    static func < (left: Self, right: Self) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }
}

/// The folders that ids imply: `a` and `a/b` for `a/b/c`.
struct FolderNames {
    private(set) var paths: Set<RelativePath> = []

    init(_ ids: some Sequence<Value.ID>) {
        for id in ids {
            // From the longest: once one is known, so are those above it.
            for parent in RelativePath(id)?.parents.reversed() ?? [] {
                if !paths.insert(parent).inserted { break }
            }
        }
    }

    /// Whether the id is a folder of another id.
    func contains(_ id: Value.ID) -> Bool { paths.contains(RelativePath(trusted: id.utf8)) }
}
