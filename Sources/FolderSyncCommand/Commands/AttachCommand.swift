import FolderSync
import LLVSCore

private struct AttachResult: Encodable {
    let folder: String
    let lane: String
    /// The identity that the store had before it adopted the folder's.
    var former: String?
    /// Folders that the store is no longer attached to.
    var detached: [SkippedItem] = []
}

extension Command {
    static let attach = Command(
        syntax: CommandSyntax(
            name: "attach", summary: "Attaches a store to a shared folder.",
            arguments: [.store, .init(name: "FOLDER", help: "the folder that something else carries between devices")],
            options: [
                .init(name: "--create", help: "make an empty folder the shared folder of this store"),
                .init(name: "--adopt", help: "merge this store into the one that the folder carries"),
            ],
            details: [
                """
                The first device attaches with --create; the others wait until the folder has arrived and attach without. A store
                that has values already keeps them: they are merged.
                """,
                """
                A store that was attached to another folder is another store, and stays out, unless --adopt is given: then it
                takes the identity of the folder's, leaves its other folders, and all versions of both merge. So are two stores
                made one that were both made with --create and have met in one folder: on all devices of one of them.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = RealPath(call["FOLDER"])
        let (creates, adopts) = (call.arguments.has("--create"), call.arguments.has("--adopt"))
        if creates, adopts { throw UsageError(what: "--create and --adopt exclude one another", syntax: call.syntax) }
        try refuseOverlap(("the store", open.path), ("the shared folder", folder))
        for other in try FolderExchange.attachments(of: open.store) where other.folder != folder.text {
            try refuseOverlap(("the attached folder", RealPath(other.folder)), ("the new one", folder))
        }
        for exported in try ExportRecord.folders(of: open.store) {
            try refuseOverlap(("the exported folder", RealPath(exported)), ("the shared folder", folder))
        }
        if adopts { return try await adopt(call, open, folder) }
        let isThere = try creates && hasCard(folder)
        let attachment = try FolderExchange.attach(open.store, to: folder.text, creating: creates)
        try call.report(
            AttachResult(folder: attachment.folder, lane: attachment.lane.description),
            (isThere ? ["the folder is a shared folder of this store already: joined, nothing was made"] : [])
                + [
                    "attached to \(printable(attachment.folder))",
                    "exchange versions with 'foldersync sync \(printable(open.name))'",
                ])
    }

    /// Whether the folder carries a store already.
    private static func hasCard(_ folder: RealPath) throws -> Bool {
        do {
            return try FolderExchange.identity(ofFolder: folder.text) != nil
        } catch is FolderSyncError {
            // Attaching says what it is.
            return false
        }
    }

    @MainActor
    private static func adopt(_ call: Invocation, _ open: OpenStore, _ folder: RealPath) async throws {
        let adoption = try await FolderExchange.adopt(
            open.store, into: folder.text,
            onWaiting: { Program.say("waiting for \(printable($0)), which is syncing this store") })
        let detached = adoption.detached.map { old in
            SkippedItem(
                file: old.folder,
                reason: "no longer attached; "
                    + (old.unsent == 0 ? "all was sent" : "\(counted(old.unsent, "version")) never sent there"))
        }
        let result = AttachResult(
            folder: adoption.attachment.folder, lane: adoption.attachment.lane.description,
            former: adoption.former?.description, detached: detached)
        let path = printable(adoption.attachment.folder)
        try call.report(
            result,
            [
                adoption.former == nil
                    ? "attached to \(path): the store is the folder's already" : "the store is that of \(path) now"
            ] + detached.map { "\(printable($0.file)): \($0.reason)" }
                + ["merge and tell the others with 'foldersync sync \(printable(open.name))'"])
    }
}
