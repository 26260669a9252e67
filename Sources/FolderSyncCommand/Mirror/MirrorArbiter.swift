import LLVSCore

/// How a mirror merges files that two devices changed.
///
/// - *Notes and lists*, by their extension (`.txt`, `.md` and the like): line by line; where both changed the same lines, the
///   lines of both stay, one after the other.
/// - *Any other text*: line by line; where both changed the same lines, those of the side that was saved more recently.
/// - *Formats that a program reads as a whole* (`.json`, `.xml`, `.svg` and the like), and what is no text: the file that was
///   saved more recently, whole.
///
/// Text is UTF-8 without a NUL, of 1 MiB at most. An edit beats a deletion. What loses stays a version.
enum MirrorArbiter {
    private enum Kind {
        case notes
        case text
        case whole
    }

    private static let notes: Set<String> = [
        "txt", "text", "md", "markdown", "mdown", "mkd", "org", "rst", "adoc", "asciidoc", "tex", "bib", "csv", "tsv",
        "log",
        "todo",
    ]
    private static let whole: Set<String> = [
        "json", "jsonl", "ipynb", "geojson", "xml", "svg", "plist", "xhtml", "rtf", "ps", "eps", "pdf", "fodt", "fods",
        "drawio", "lock", "pem", "crt", "key", "asc", "kdbx",
    ]

    static func make() -> any MergeArbiter {
        RoutingArbiter([
            .matching({ kind(of: $0) == .notes }, TextMergeArbiter()),
            .matching({ kind(of: $0) == .whole }, MostRecentChangeArbiter()),
            .matching(
                { _ in true },
                TextMergeArbiter(
                    conflicts: .custom { $0.moreRecent == .first ? $0.first : $0.second })),
        ])
    }

    private static func kind(of id: Value.ID) -> Kind {
        let name = id.utf8.split(separator: UInt8(ascii: "/")).last ?? []
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return .text }
        let rest = name[(dot + 1)...].map { (65...90).contains($0) ? $0 | 32 : $0 }
        let ending = String(decoding: rest, as: UTF8.self)
        return notes.contains(ending) ? .notes : whole.contains(ending) ? .whole : .text
    }
}
