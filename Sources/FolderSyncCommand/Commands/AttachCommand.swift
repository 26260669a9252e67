import FolderSync
import LLVSCore

extension Command {
    static let attach = Command(
        syntax: CommandSyntax(
            name: "attach", summary: "Attaches a store to a shared folder.",
            arguments: [.store, .init(name: "FOLDER", help: "the folder that something else carries between devices")],
            options: [.init(name: "--create", help: "make an empty folder the shared folder of this store")],
            details: [
                """
                The first device attaches with --create; the others wait until the folder has arrived and attach without. A store
                that has values already keeps them: they are merged.
                """
            ])
    ) { call in
        struct Result: Encodable {
            let folder: String
            let lane: String
        }

        let open = try OpenStore(at: call["STORE"])
        let folder = RealPath(call["FOLDER"])
        try refuseOverlap(("the store", open.path), ("the shared folder", folder))
        for other in try FolderExchange.attachments(of: open.store) where other.folder != folder.text {
            try refuseOverlap(("the attached folder", RealPath(other.folder)), ("the new one", folder))
        }
        for exported in try ExportRecord.folders(of: open.store) {
            try refuseOverlap(("the exported folder", RealPath(exported)), ("the shared folder", folder))
        }
        let attachment = try FolderExchange.attach(
            open.store, to: folder.text, creating: call.arguments.has("--create"))
        try call.report(
            Result(folder: attachment.folder, lane: attachment.lane.description),
            [
                "attached to \(printable(attachment.folder))",
                "exchange versions with 'foldersync sync \(printable(open.name))'",
            ])
    }
}
