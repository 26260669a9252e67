import Foundation
import LLVSCore

/// A version as `log` prints it.
struct LogEntry: Encodable {
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

/// Makes the lines that tell of versions.
@MainActor
struct HistoryLines {
    private let open: OpenStore
    private let current: Version.ID
    private let heads: Set<Version.ID>
    private let formatter = DateFormatter()

    init(of open: OpenStore) async throws {
        self.open = open
        current = try await open.current()
        heads = Set(try open.store.heads().map(\.id))
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss"
    }

    /// Where the history ends: the heads, and the current version, which may be a merge that is no head because it does not
    /// travel.
    var tips: [Version.ID] {
        heads.union(current == .root ? [] : [current]).sorted()
    }

    func entry(_ version: Version) throws -> LogEntry {
        var counts: [ChangeList.Operation: Int] = [:]
        for entry in try open.store.changes(of: version.id).entries {
            let isNew = entry.operation == .preserve && entry.replacedHash == .zero
            counts[isNew ? .insert : entry.operation, default: 0] += 1
        }
        return LogEntry(
            id: version.id.description, kind: Self.name(of: version.kind),
            parents: version.parents.map(\.description), generation: version.generation, time: version.time,
            branch: version.branch?.rawValue, inserted: counts[.insert] ?? 0,
            updated: (counts[.update] ?? 0) + (counts[.preserve] ?? 0),
            removed: (counts[.remove] ?? 0) + (counts[.preserveRemoval] ?? 0), isHead: heads.contains(version.id),
            isCurrent: version.id == current, isProvisional: try open.store.state(of: version.id) != .firm)
    }

    func text(_ version: Version, _ entry: LogEntry) throws -> String {
        let changes = [("+", entry.inserted), ("~", entry.updated), ("-", entry.removed)].filter { $0.1 > 0 }
        return try text(version, changes.map { "\($0.0)\($0.1)" }, isProvisional: entry.isProvisional)
    }

    /// Id, time and kind, what it did, and what else is to be known of it.
    func text(_ version: Version, _ changes: [String], isProvisional: Bool) throws -> String {
        let date = Date(timeIntervalSince1970: Double(version.time) / 1000)
        var parts = [try open.names.short(version.id), formatter.string(from: date), Self.name(of: version.kind)]
        parts += changes
        let notes = [
            version.branch.map { "branch " + printable($0.rawValue) }, version.id == current ? "current" : nil,
            isProvisional ? "not shared" : nil,
        ].compactMap(\.self)
        if !notes.isEmpty { parts.append("(\(notes.joined(separator: ", ")))") }
        return parts.joined(separator: "  ")
    }

    nonisolated static func name(of kind: Version.Kind) -> String {
        switch kind {
        case .authored: "authored"
        case .merge: "merge"
        case .join: "join"
        }
    }
}
