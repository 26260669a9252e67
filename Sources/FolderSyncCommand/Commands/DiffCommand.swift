import LLVSCore

/// A value that two versions have differently, as `diff` prints it.
private struct DiffEntry: Encodable {
    let id: String
    /// "added", "removed" or "changed".
    let change: String
    let oldHash: String?
    let newHash: String?
    let oldSize: UInt64?
    let newSize: UInt64?
    /// With --text: the lines of a difference between texts.
    var lines: [String]?

    /// What `--text` compares at most, in bytes.
    static let longestText: UInt64 = 1 << 20

    init(_ difference: Value.Difference, from old: Version.ID, to new: Version.ID, in store: Store) throws {
        id = difference.id.rawValue
        change = difference.old == nil ? "added" : difference.new == nil ? "removed" : "changed"
        oldHash = difference.old?.base32
        newHash = difference.new?.base32
        oldSize = try difference.old.flatMap { _ in try store.size(of: difference.id, at: old) }
        newSize = try difference.new.flatMap { _ in try store.size(of: difference.id, at: new) }
    }

    var line: String {
        let mark = change == "added" ? "+" : change == "removed" ? "-" : "~"
        let sizes = [oldSize, newSize].compactMap(\.self).map { "\($0)" }.joined(separator: " -> ")
        return "\(mark) \(printable(id))  (\(sizes) bytes)"
    }
}

extension Command {
    static let diff = Command(
        syntax: CommandSyntax(
            name: "diff", summary: "Shows in which values two versions differ.",
            arguments: [
                .store, .init(name: "FROM", help: "the version to start from"),
                .init(name: "TO", count: .optional, help: "the version to end with; the current one if not given"),
            ],
            options: [.init(name: "--text", help: "show the lines in which values that are text differ")],
            details: [
                """
                Each line: + for a value that only TO has, - for one that only FROM has, ~ for one that both have
                differently, and the sizes. It takes as long as there are differences, whatever the store holds.
                """,
                "Values of more than 1 MiB, and those that are not UTF-8, are not compared by lines.",
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let from = try await open.version(call["FROM"])
        let to = try await open.version(call.arguments.value("TO"))
        for difference in try open.store.differences(from: from, to: to) {
            var entry = try DiffEntry(difference, from: from, to: to, in: open.store)
            if call.arguments.has("--text") {
                entry.lines = try textLines(difference, entry, from: from, to: to, in: open.store)
            }
            try call.report(entry, [entry.line] + (entry.lines ?? []).map { "  " + printable($0) })
        }
    }

    /// Nil if one of the two is no text, or too long.
    private static func textLines(
        _ difference: Value.Difference, _ entry: DiffEntry, from: Version.ID, to: Version.ID, in store: Store
    ) throws -> [String]? {
        func text(_ hash: Digest?, _ size: UInt64?, at version: Version.ID) throws -> String? {
            guard hash != nil else { return "" }
            guard let size, size <= DiffEntry.longestText else { return nil }
            return try store.bytes(of: difference.id, at: version).flatMap { String(validating: $0, as: UTF8.self) }
        }
        guard let old = try text(difference.old, entry.oldSize, at: from),
            let new = try text(difference.new, entry.newSize, at: to)
        else { return nil }
        return LineDiff(from: old, to: new).hunks
    }
}
