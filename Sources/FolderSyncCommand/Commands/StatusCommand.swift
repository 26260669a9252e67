import FolderSync
import LLVSCore

private struct Status: Encodable {
    struct Attachment: Encodable {
        let folder: String
        let lane: String
        let lanes: [Lane]
        /// Why the store cannot begin, or go on, with what is in the folder; not there if it can.
        let needsBootstrap: String?
    }

    /// What is known of a lane of a folder.
    struct Lane: Encodable {
        let lane: String
        let mine: Bool
        let retired: Bool
        /// The last entry that is heard of, or was numbered here.
        let known: UInt64
        /// The last up to which all are here, or were sent.
        let here: UInt64

        init(_ status: LaneStatus) {
            lane = status.lane.description
            mine = status.isMine
            retired = status.isRetired
            known = status.known
            here = status.here
        }

        var line: String {
            let progress = known == here ? "all \(here)" : "\(here) of \(known)"
            let owner = mine ? ", this device's" : retired ? ", retired" : ""
            return "\(lane.prefix(8))\(owner): \(progress) \(mine ? "sent" : "here")"
        }
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
        var members: [Status.Attachment] = []
        for attachment in attachments {
            let exchange = FolderExchange(store: store, attachment: attachment)
            waiting += try await exchange.waiting().map(SkippedItem.init)
            members.append(
                .init(
                    folder: attachment.folder, lane: attachment.lane.description,
                    lanes: try await exchange.lanes().map(Status.Lane.init),
                    needsBootstrap: try await exchange.needsBootstrap()))
        }
        let heads = try store.heads().map(\.id)
        let status = Status(
            head: current.description, heads: heads.map(\.description), digest: try store.digest(at: current).base32,
            versions: try store.versionCount(), values: try store.valueCount(at: current), waiting: waiting,
            attachments: members,
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
        for attachment in attachments {
            rows.append(("folder", printable(attachment.folder)))
            rows += attachment.lanes.map { ("  lane", $0.line) }
        }
        if attachments.isEmpty { rows.append(("folder", "not attached")) }
        return CommandSyntax.aligned(rows.map { (name: $0.0, help: $0.1) }) + waiting.summary("waiting")
    }
}
