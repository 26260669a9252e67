import LLVSCore

/// A version that changed a value, as `log --key` prints it.
struct RevisionEntry: Encodable {
    let id: String
    let kind: String
    let time: Int64
    let branch: String?
    /// "inserted", "updated" or "removed".
    let change: String
    /// SHA-256 of the content from here on.
    let hash: String?
    let size: UInt64?
    /// SHA-256 of the content before.
    let replacedHash: String?
    /// The version that stored the content: another one where a merge took one side's.
    let storedBy: String?
    let isProvisional: Bool

    init(_ revision: Value.Revision, in store: Store) throws {
        let version = revision.version
        id = version.id.description
        kind = HistoryLines.name(of: version.kind)
        time = version.time
        branch = version.branch?.rawValue
        change = revision.reference == nil ? "removed" : revision.replaced == nil ? "inserted" : "updated"
        hash = revision.reference?.contentHash.base32
        size = try revision.reference.flatMap { try store.size(of: $0.id, at: $0.version) }
        replacedHash = revision.replaced?.contentHash.base32
        storedBy = revision.reference?.version.description
        isProvisional = !revision.isFirm
    }

    /// What happened, for people.
    var parts: [String] {
        [change] + (size.map { [counted(Int(clamping: $0), "byte")] } ?? [])
    }
}
