import FileCoordination
import Foundation

extension Command {
    static let watch = Command(
        syntax: CommandSyntax(
            name: "watch", summary: "Prints what changes in a folder, until it is told to stop.",
            arguments: [.init(name: "DIR", help: "the folder; everything below it is watched too")],
            options: [
                .init(
                    name: "--rescan", value: "SECONDS",
                    help: "look at everything at least this often, whatever the system tells (default 300)")
            ],
            details: [
                """
                A line for each change: 'changed' for what is new or different, 'removed' for what is gone, and 'rescan' for a folder
                in which anything may have changed. Nothing that is there when things settle goes untold. Paths begin as DIR
                was written. Temporary files of editors and sync services are left out. Links are told of, not followed. If DIR
                itself goes, that is told, and it is waited for.
                """,
                """
                With --json each line is {"event":"changed","path":...}, {"event":"removed","path":...} or
                {"event":"rescan","path":...,"reason":...}; for folders with "isFolder":true. The first is {"event":"ready"}: what
                changes after it is told, what is there by then is not. {"event":"polling","reason":...} says that the system
                does not tell of all changes, and that they come later therefore. A reader that is slow costs no memory: what it
                did not take in time becomes 'rescan's.
                """,
                """
                SIGINT (Ctrl-C) and SIGTERM end it, and so does a reader that goes away, with exit code 0.
                """,
            ])
    ) { call in
        let options = try watchOptions(call)
        let place = try WatchedPlace(call["DIR"])
        let watcher = DirectoryWatcher(place.path, options: options)
        let watch = WatchRun(
            watcher: watcher, lines: WatchLines(place), output: call.output, printsJSON: call.printsJSON)
        do {
            try await cancellingOnSignal(abandoningAfter: .seconds(1)) { try await watch.run() }
        } catch is CancellationError {
            // Told to stop: that is how it ends.
        }
    }

    @MainActor
    private static func watchOptions(_ call: Invocation) throws -> WatchOptions {
        var options = WatchOptions()
        if let text = call.arguments.value("--rescan") {
            guard let seconds = Double(text), seconds > 0, seconds < 1e9 else {
                throw UsageError(what: "--rescan needs a number of seconds, not '\(text)'", syntax: call.syntax)
            }
            options.rescanInterval = .seconds(seconds)
        }
        return options
    }
}
