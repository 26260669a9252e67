import Foundation
import LLVSCore

/// A version as `log` prints it.
private struct LogEntry: Encodable {
    let id: String
    let kind: String
    let parents: [String]
    let generation: UInt64
    /// Milliseconds since 1970, by the clock of the device that made it.
    let time: Int64
    let branch: String?
    let inserted: Int
    let updated: Int
    let removed: Int
    /// No version stands on it yet.
    let isHead: Bool
    let isCurrent: Bool
    /// A merge of this device's own that does not travel.
    let isProvisional: Bool
}

extension Command {
    static let log = Command(
        syntax: CommandSyntax(
            name: "log", summary: "Lists the versions, newest first.", arguments: [.store],
            options: [
                .init(name: "--graph", help: "draw branches and merges"),
                .init(name: "--limit", value: "N", help: "only the newest N versions"),
            ],
            details: [
                """
                Each line: id, time, what made it, and how many values it added (+), changed (~) and removed (-). A merge without
                a conflict is 'not shared': each device makes the same one by itself.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let limit = try call.arguments.value("--limit").map { text in
            guard let limit = Int(text), limit >= 0 else {
                throw UsageError(what: "--limit needs a number, not '\(text)'", syntax: call.syntax)
            }
            return limit
        }
        let current = try await open.current()
        let lines = HistoryLines(open: open, current: current, heads: Set(try open.store.heads().map(\.id)))
        var graph = call.arguments.has("--graph") ? HistoryGraph() : nil
        for version in try lines.versions(limit: limit) {
            let entry = try lines.entry(version)
            if call.printsJSON {
                try call.output.object(entry)
                continue
            }
            let rows = graph?.rows(for: version.id, parents: version.parents)
            let parts = [rows?.node, try lines.text(version, entry)]
            try call.output.line(parts.compactMap(\.self).joined(separator: "  "))
            for row in rows?.edges ?? [] { try call.output.line(row) }
        }
    }

    /// The whole history with its graph, as lines.
    @MainActor
    static func graphLines(of open: OpenStore) async throws -> [String] {
        let lines = HistoryLines(
            open: open, current: try await open.current(), heads: Set(try open.store.heads().map(\.id)))
        var graph = HistoryGraph()
        return try lines.versions(limit: nil).flatMap { version in
            let rows = graph.rows(for: version.id, parents: version.parents)
            return [rows.node + "  " + (try lines.text(version, try lines.entry(version)))] + rows.edges
        }
    }
}

/// Makes the lines of `log`.
private struct HistoryLines {
    let open: OpenStore
    let current: Version.ID
    let heads: Set<Version.ID>

    func versions(limit: Int?) throws -> [Version] {
        // The current version may be a merge that is no head, because it does not travel.
        let tips = heads.union(current == .root ? [] : [current])
        return try open.store.log(from: tips.sorted(), limit: limit)
    }

    func entry(_ version: Version) throws -> LogEntry {
        var counts: [ChangeList.Operation: Int] = [:]
        for entry in try open.store.changes(of: version.id).entries {
            let isNew = entry.operation == .preserve && entry.replacedHash == .zero
            counts[isNew ? .insert : entry.operation, default: 0] += 1
        }
        let kind =
            switch version.kind {
            case .authored: "authored"
            case .merge: "merge"
            case .join: "join"
            }
        return LogEntry(
            id: version.id.description, kind: kind, parents: version.parents.map(\.description),
            generation: version.generation, time: version.time, branch: version.branch?.rawValue,
            inserted: counts[.insert] ?? 0, updated: (counts[.update] ?? 0) + (counts[.preserve] ?? 0),
            removed: (counts[.remove] ?? 0) + (counts[.preserveRemoval] ?? 0), isHead: heads.contains(version.id),
            isCurrent: version.id == current, isProvisional: try open.store.state(of: version.id) != .firm)
    }

    func text(_ version: Version, _ entry: LogEntry) throws -> String {
        var parts = [try open.names.short(version.id), Self.time(version.time), entry.kind]
        let changes = [("+", entry.inserted), ("~", entry.updated), ("-", entry.removed)].filter { $0.1 > 0 }
        parts += changes.map { "\($0.0)\($0.1)" }
        let notes = [
            entry.branch.map { "branch " + printable($0) }, entry.isCurrent ? "current" : nil,
            entry.isProvisional ? "not shared" : nil,
        ].compactMap(\.self)
        if !notes.isEmpty { parts.append("(\(notes.joined(separator: ", ")))") }
        return parts.joined(separator: "  ")
    }

    private static func time(_ milliseconds: Int64) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
