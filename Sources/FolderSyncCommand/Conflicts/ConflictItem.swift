import FileCoordination

/// A conflict copy as `conflicts` prints it.
struct ConflictItem: Encodable {
    let path: String
    /// What it is a copy of: its name without the outermost tag.
    let original: String
    let originalExists: Bool
    /// What is left without any tag, if it is a copy of a copy.
    let root: String?
    /// The copy that it is a copy of, if it is a copy of a copy; the same as `original`.
    let parent: String?
    let service: String
    /// "certain", "probable" or "possible".
    let confidence: String
    let kind: String
    /// The date in the name, as ISO 8601 has it.
    let date: String?
    /// The user or device in the name.
    let who: String?
    let isFolder: Bool
    /// Whether the bytes are those of `sameAs`; nil if that is not a matter of bytes.
    let sameContent: Bool?
    let sameAs: String?

    init(_ conflict: Conflict) {
        path = conflict.path
        original = conflict.original
        originalExists = conflict.originalExists
        root = conflict.isNested ? conflict.root : nil
        parent = conflict.isNested ? conflict.original : nil
        service = conflict.service.rawValue
        confidence = conflict.confidence.rawValue
        kind = conflict.kind.rawValue
        date = conflict.date?.description
        who = conflict.who
        isFolder = conflict.isFolder
        sameContent = conflict.sameContent
        sameAs = conflict.sameAs
    }
}

/// All copies of one file as `conflicts --group` prints them.
struct ConflictGroupItem: Encodable {
    /// What they are copies of, in the end.
    let original: String
    let originalExists: Bool
    let copies: [ConflictItem]

    init(_ group: ConflictGroup) {
        original = group.root
        originalExists = group.rootExists
        copies = group.conflicts.map(ConflictItem.init)
    }
}

extension Conflict {
    /// For people: what is known of it, after its name.
    var remarks: String {
        var parts = ["\(service)", confidence.rawValue]
        if let date { parts.append(date.description.replacing("T", with: " ")) }
        if let who { parts.append(printable(who)) }
        if isFolder { parts.append("folder") }
        if isNested { parts.append("a copy of '\(printable(WrittenPath(original).name))'") }
        if let sameAs, sameContent == true { parts.append("same content as '\(printable(WrittenPath(sameAs).name))'") }
        return parts.joined(separator: ", ")
    }
}

extension ConflictGroup {
    /// For people: what they are copies of, and each with what is known of it.
    var lines: [String] {
        ["\(printable(root))" + (rootExists ? "" : "  (not there)")]
            + conflicts.flatMap { ["  \(printable($0.path))", "    \($0.remarks)"] }
    }
}
