import FolderSync
import LLVSCore

extension Command {
    static let follow = Command(
        syntax: CommandSyntax(
            name: "follow", summary: "Keeps a store in sync until it is told to stop.", arguments: [.store],
            options: [.init(name: "--export", value: "DIR", help: "after each update, export to this folder")],
            details: [
                """
                Watches the shared folder and exchanges versions whenever something changes; prints each update. SIGINT (Ctrl-C)
                and SIGTERM end it, with exit code 0. See 'foldersync help export' for what --export does to DIR.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = try call.arguments.value("--export").map { try open.folder($0) }
        let bar = call.progressBar("syncing")
        let attachments = try open.attachments()
        let follower = Follower(call, open, exportingTo: folder, bar)
        do {
            try await cancellingOnSignal { try await follower.run(attachments) }
        } catch is CancellationError {
            // Told to stop: that is how it ends.
        }
        bar.clear()
    }
}
