import FolderSync
import Foundation
import LLVSCore

extension Command {
    static let demo = Command(
        syntax: CommandSyntax(
            name: "demo", summary: "Plays two devices that share a folder, in a few seconds.",
            options: [
                .init(name: "--dir", value: "DIR", help: "play in this new or empty folder, and keep it to look into")
            ],
            details: [
                """
                Edits on both sides, a true conflict, a file that arrives late and torn, a device that is offline for a while.
                Without --dir everything is in a temporary folder, which is removed at the end. Exits with 1 if the devices do
                not end equal.
                """
            ])
    ) { call in
        let kept = call.arguments.value("--dir")
        let stage = try DemoStage(keeping: kept)
        defer { stage.clear() }
        let areEqual = try await cancellingOnSignal { try await Demo(call, on: stage).play() }
        if !areEqual {
            throw CommandError("the two devices do not have the same digest", remedy: "report this: it must not happen")
        }
        if let kept, !call.printsJSON {
            try call.output.line("\nEverything is in '\(printable(kept))'. Look around, for example with:")
            try call.output.line("  foldersync log --graph '\(printable(kept))/laptop/notes.store'")
        }
    }
}
