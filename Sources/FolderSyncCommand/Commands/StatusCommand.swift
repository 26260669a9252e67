import FolderSync
import LLVSCore

private struct Status: Encodable {
    struct Attachment: Encodable {
        let folder: String
        let lane: String
    }

    /// The current version.
    let head: String
    /// Versions that no other stands on.
    let heads: [String]
    let digest: String
    let versions: Int
    let values: Int
    let waiting: [SkippedItem]
    let attachments: [Attachment]
    /// The identity of the store, once it has one.
    let store: String?
}

extension Command {
    static let status = Command(
        syntax: CommandSyntax(
            name: "status", summary: "Shows where a store stands, and what it waits for.", arguments: [.store],
            details: ["Looks at the store alone, not into the shared folder. Equal digests mean equal values."])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let store = open.store
        let current = try await open.current()
        let attachments = try FolderExchange.attachments(of: store)
        var waiting: [SkippedItem] = []
        for attachment in attachments {
            let exchange = FolderExchange(store: store, attachment: attachment)
            waiting += try await exchange.waiting().map(SkippedItem.init)
        }
        let heads = try store.heads().map(\.id)
        let status = Status(
            head: current.description, heads: heads.map(\.description), digest: try store.digest(at: current).base32,
            versions: try store.versionCount(), values: try store.valueCount(at: current), waiting: waiting,
            attachments: attachments.map { .init(folder: $0.folder, lane: $0.lane.description) },
            store: try FolderExchange.identity(of: store)?.description)
        try call.report(status, status.lines(current, heads, open.names))
    }
}

extension Status {
    fileprivate func lines(_ current: Version.ID, _ ids: [Version.ID], _ names: VersionNames) throws -> [String] {
        var rows = [
            ("current", current == .root ? "none yet" : try names.short(current)),
            ("heads", try ids.map(names.short).joined(separator: " ")), ("digest", String(digest.prefix(12))),
            ("versions", "\(versions)"), ("values", "\(values)"),
        ]
        rows += attachments.map { ("folder", printable($0.folder)) }
        if attachments.isEmpty { rows.append(("folder", "not attached")) }
        return CommandSyntax.aligned(rows.map { (name: $0.0, help: $0.1) }) + waiting.summary("waiting")
    }
}
