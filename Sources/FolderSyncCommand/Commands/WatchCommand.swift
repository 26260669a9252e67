import FileCoordination
import Foundation

extension Command {
    static let watch = Command(
        syntax: CommandSyntax(
            name: "watch", summary: "Prints what changes in a folder, until it is told to stop.",
            arguments: [.init(name: "DIR", help: "the folder; everything below it is watched too")],
            options: [
                .init(
                    name: "--ext", value: "md,txt", help: "only files with one of these extensions, whatever their case"
                ),
                .init(
                    name: "--ignore", value: "PATTERN", repeats: true,
                    help: "leave out: a name ('node_modules', '*.log'), a folder ('build/'), or a path ('/docs/*.pdf')"),
                .init(name: "--no-recursive", help: "only what is directly in DIR"),
                .init(name: "--all", help: "temporary files of editors and sync services too"),
                .init(
                    name: "--rescan", value: "SECONDS",
                    help: "look at everything this often, whatever the system tells (300; 0: never)"),
            ],
            details: [
                """
                A line for each change: 'changed' for what is new or different, 'removed' for what is gone, and 'rescan' for a folder
                in which anything may have changed. Nothing that is there when things settle goes untold. Paths begin as DIR
                was written. Temporary files of editors and sync services are left out. Links are told of, not followed. If DIR
                itself goes, that is told, and it is waited for. Folders are told of whatever --ext says.
                """,
                """
                With --json each line is {"event":"changed","path":...}, {"event":"removed","path":...} or
                {"event":"rescan","path":...,"reason":...}; for folders with "isFolder":true. The first is {"event":"ready"}: what
                changes after it is told, what is there by then is not. A reader that is slow costs no memory: what it did not
                take in time becomes 'rescan's. {"event":"polling","reason":...} says that the system does not tell of everything
                below DIR, so that changes there come later; {"event":"watching"} that it does again.
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
        let arguments = call.arguments
        var options = WatchOptions()
        options.ignoring = arguments.list("--ignore")
        options.recursive = !arguments.has("--no-recursive")
        options.filtersTemporaryNames = !arguments.has("--all")
        if let text = arguments.value("--ext") {
            let parts = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            options.extensions = Set(parts.filter { !$0.isEmpty && $0 != "." })
            if options.extensions?.isEmpty == true || text.contains("/") {
                throw UsageError(what: "--ext needs extensions like 'md,txt', not '\(text)'", syntax: call.syntax)
            }
        }
        if let text = arguments.value("--rescan") {
            guard let seconds = Double(text), (0..<1e9).contains(seconds) else {
                throw UsageError(what: "--rescan needs a number of seconds, not '\(text)'", syntax: call.syntax)
            }
            options.periodicRescan = seconds == 0 ? nil : .seconds(seconds)
        }
        return options
    }
}
