import LLVSCore

/// What a mirror tells, as an object for programs and as lines for people.
struct MirrorEvent: Encodable {
    /// "started", "imported", "exported", "conflict", "skipped", "left", "waiting", "offline", "online" or "settled".
    let event: String
    var directory: String?
    var folder: String?
    var store: String?
    var version: String?
    /// Files that were imported.
    var changed: [String]?
    /// Files whose deletion was imported.
    var removed: [String]?
    /// Files that were exported.
    var written: [String]?
    /// Files that were deleted because others had deleted them.
    var deleted: [String]?
    /// A file, and what is to be said of it.
    var path: String?
    var reason: String?
    /// Of a conflict: the version that stored what was kept, unless both sides were merged line by line or the file is gone.
    var kept: String?
    var lost: [String]?
    var merged: Bool?

    var lines: [String] = []

    private enum CodingKeys: String, CodingKey {
        case event, directory, folder, store, version, changed, removed, written, deleted, path, reason, kept, lost,
            merged
    }
}

extension MirrorEvent {
    static func started(_ directory: RealPath, _ folder: String, _ store: RealPath) -> Self {
        Self(
            event: "started", directory: directory.text, folder: folder, store: store.text,
            lines: [
                "mirroring \(printable(directory.text)) through \(printable(folder)); its history is in \(printable(store.text))"
            ])
    }

    static func imported(_ result: MirrorImport, _ names: VersionNames) throws -> [Self] {
        guard let version = result.versions.last else { return [] }
        let what = [(result.changed, "changed"), (result.removed, "removed")].filter { !$0.0.isEmpty }
        let title = what.map { "\($0.0.count) \($0.1)" }.joined(separator: ", ")
        return [
            Self(
                event: "imported", version: version.description, changed: result.changed, removed: result.removed,
                lines: ["imported  \(title), as version \(try names.short(version))"]
                    + listed(result.changed, "  + ") + listed(result.removed, "  - "))
        ]
    }

    static func exported(_ result: MirrorExport, _ version: Version.ID, _ names: VersionNames) throws -> [Self] {
        if result.isEmpty { return [] }
        let what = [(result.written, "written"), (result.deleted, "deleted")].filter { !$0.0.isEmpty }
        let title = what.map { "\($0.0.count) \($0.1)" }.joined(separator: ", ")
        return [
            Self(
                event: "exported", version: version.description, written: result.written, deleted: result.deleted,
                lines: ["exported  \(title), from version \(try names.short(version))"]
                    + listed(result.written, "  + ") + listed(result.deleted, "  - "))
        ]
    }

    static func conflict(_ fork: ResolvedFork, _ store: RealPath, _ names: VersionNames) throws -> Self {
        let lost = fork.lost.map(\.version)
        let path = fork.id.rawValue
        let shown = try lost.map { try names.short($0) }
        var event = Self(event: "conflict", path: path, lost: lost.map(\.description), merged: false)
        let what: String
        switch fork.outcome {
        case .replaced:
            event.merged = true
            what = "both sides were merged line by line; before that: \(shown.joined(separator: ", "))"
        case .kept(let side):
            let kept = side == .first ? fork.firstReference : fork.secondReference
            event.kept = kept?.version.description
            what =
                try (kept.map { "version \(try names.short($0.version)) was kept" } ?? "it stays deleted")
                + (shown.isEmpty ? ", the other side had deleted it" : ", lost: \(shown.joined(separator: ", "))")
        }
        event.lines = [
            "conflict  \(printable(path)): \(what)",
            "  all of it: foldersync log \(printable(store.text)) --key '\(printable(path))'",
        ]
        return event
    }

    static func about(_ event: String, _ item: SkippedItem) -> Self {
        Self(
            event: event, path: item.file, reason: item.reason,
            lines: ["\(event.padded(to: 8))  \(printable(item.file)): \(printable(item.reason))"])
    }

    static func offline(_ reason: String) -> Self {
        Self(
            event: "offline", reason: reason,
            lines: ["offline   \(printable(reason)); changes are kept until the folder is back"])
    }

    static let online = Self(event: "online", lines: ["online    the folder is back"])

    static func settled(_ version: Version.ID, _ names: VersionNames) throws -> Self {
        Self(
            event: "settled", version: version.description,
            lines: ["settled   everything is in step, at version \(try names.short(version))"])
    }

    private static func listed(_ paths: [String], _ mark: String, showing limit: Int = 5) -> [String] {
        paths.prefix(limit).map { mark + printable($0) }
            + (paths.count > limit ? ["\(mark)and \(paths.count - limit) more (--json lists them all)"] : [])
    }
}

extension String {
    fileprivate func padded(to count: Int) -> String {
        self + String(repeating: " ", count: max(0, count - self.count))
    }
}

/// Prints what a mirror tells; what stays the same is told once.
final class MirrorPrinter {
    private let output: Output
    private let printsJSON: Bool
    private var told: [String: Set<SkippedItem>] = [:]

    init(_ output: Output, printsJSON: Bool) {
        self.output = output
        self.printsJSON = printsJSON
    }

    func print(_ events: [MirrorEvent]) throws {
        for event in events {
            if printsJSON {
                try output.object(event)
            } else {
                for line in event.lines { try output.line(line) }
            }
        }
        try output.flush()
    }

    /// Tells what is new among these; what is no longer among them is told again when it comes back.
    func print(_ name: String, _ items: [SkippedItem]) throws {
        let known = told[name] ?? []
        try print(items.filter { !known.contains($0) }.map { .about(name, $0) })
        told[name] = Set(items)
    }
}
