import FolderSync
import LLVSCore

private struct DetachResult: Encodable {
    let folder: String
    let lane: String
    /// Versions that no lane of the folder has.
    let unsent: Int
    /// Why the other devices could not be told.
    let untold: String?
}

extension Command {
    static let detach = Command(
        syntax: CommandSyntax(
            name: "detach", summary: "Leaves a shared folder, once all is sent.",
            arguments: [.store, .init(name: "FOLDER", help: "a folder that the store is attached to")],
            options: [.init(name: "--force", help: "leave even if work cannot be sent or the folder is away")],
            details: [
                """
                Sends what is not sent, tells the other devices that this one writes no more, and forgets the folder. What is in
                the folder stays there, and the store keeps all its versions. Attaching again is always possible.
                """,
                "With --force, work that could not be sent is in this store alone; how much is said.",
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = RealPath(call["FOLDER"])
        guard
            let attachment = try open.attachments().first(where: {
                $0.folder == folder.text || $0.folder == call["FOLDER"]
            })
        else {
            throw CommandError(
                "the store '\(open.name)' is not attached to '\(call["FOLDER"])'",
                remedy: "'foldersync status \(open.name)' lists its folders")
        }
        let bar = call.progressBar("sending")
        defer { bar.clear() }
        let exchange = open.exchange(with: attachment, bar)
        let departure = try await exchange.leave(forced: call.arguments.has("--force"))
        bar.clear()
        let result = DetachResult(
            folder: attachment.folder, lane: departure.lane.description, unsent: departure.unsent,
            untold: departure.untold.map { "\($0)" })
        try call.report(
            result,
            ["left \(printable(attachment.folder))"]
                + (departure.unsent > 0
                    ? ["\(counted(departure.unsent, "version")) not sent: in this store alone"] : [])
                + (departure.untold.map { ["the other devices were not told: \(printable($0.what))"] } ?? []))
    }
}
