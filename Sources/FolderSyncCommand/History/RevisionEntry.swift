import LLVSCore

/// A version that changed a value or decided about it, as `log --key` prints it.
struct RevisionEntry: Encodable {
    let id: String
    let kind: String
    let time: Int64
    let branch: String?
    /// "inserted", "updated", "removed", or "unchanged" where a merge left what its basis had.
    let change: String
    /// SHA-256 of the content from here on.
    let hash: String?
    let size: UInt64?
    /// SHA-256 of the content before.
    let replacedHash: String?
    /// The version that stored the content: another one where a merge took one side's.
    let storedBy: String?
    let isProvisional: Bool
    /// What a merge decided.
    let decided: ForkEntry?

    init(_ event: KeyHistory.Event, in store: Store) throws {
        let version = event.version
        let reference = event.revision.map(\.reference) ?? event.fork?.result
        id = version.id.description
        kind = HistoryLines.name(of: version.kind)
        time = version.time
        branch = version.branch?.rawValue
        change =
            switch event.revision {
            case nil: "unchanged"
            case let revision?:
                revision.reference == nil ? "removed" : revision.replaced == nil ? "inserted" : "updated"
            }
        hash = reference?.contentHash.base32
        size = try reference.flatMap { try store.size(of: $0.id, at: $0.version) }
        replacedHash = (event.revision.map(\.replaced) ?? reference)?.contentHash.base32
        storedBy = reference?.version.description
        isProvisional = try !(event.revision?.isFirm ?? (store.state(of: version.id) == .firm))
        decided = event.fork.map(ForkEntry.init)
    }

    /// What happened, for people.
    var parts: [String] {
        [change] + (size.map { [counted(Int(clamping: $0), "byte")] } ?? [])
    }
}
