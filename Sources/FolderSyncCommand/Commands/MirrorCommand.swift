import FileCoordination
import FolderSync
import LLVSCore

extension Command {
    static let mirror = Command(
        syntax: CommandSyntax(
            name: "mirror", summary: "Keeps a directory of files in step with other devices, with full history.",
            arguments: [.init(name: "DIR", help: "the directory of ordinary files")],
            options: [
                .init(
                    name: "--through", value: "FOLDER", isRequired: true,
                    help: "the shared folder that something else carries between devices"),
                .init(
                    name: "--store", value: "STORE",
                    help: "where the history is kept (a place of its own among the user's state)"),
                .init(name: "--create", help: "on the first device: make an empty FOLDER the shared folder"),
                .init(
                    name: "--once", help: "import, exchange and export once, and end; exit code 1 if something is left"),
                .init(
                    name: "--ignore", value: "GLOB", repeats: true,
                    help: "leave out: a name ('node_modules', '*.log'), a folder ('build/'), or a path ('/docs/*.pdf')"),
                .init(
                    name: "--accept-deletions",
                    help: "what is missing in DIR was deleted on purpose, even if everything is"),
            ],
            details: [
                """
                Changes in DIR become versions in the store, travel through FOLDER, are merged on every device, and come out in
                DIR there. The first device says --create; the others wait until FOLDER has arrived. Files that are in DIR
                already are merged with what is in FOLDER. It runs until it is told to stop (Ctrl-C); --once is for cron.
                """,
                """
                A file in DIR is replaced or deleted only if it holds what was imported from it last. A DIR that is missing, has
                none of its files, or is another directory with files missing, never means that they were deleted: it stops
                and says so. To delete everything on purpose, leave DIR itself, and say --accept-deletions once. While FOLDER is
                away, changes are saved and sent later.
                """,
                """
                Files that two devices changed are merged line by line if they are text (UTF-8, at most 1 MiB). Where both changed
                the same lines, notes and lists (.txt, .md, .org, .csv and the like) keep both; other text keeps those saved more
                recently. Of .json, .xml, .svg and the like, and of what is no text, the file saved more recently is kept. An edit
                beats a deletion. Each conflict is printed; what lost stays a version: see 'foldersync log STORE --key FILE',
                'forks', and 'revert'.
                """,
                """
                Not kept, and said once: mode bits, dates, links, empty folders, names that are not UTF-8. Temporary and control
                files of editors, systems and sync services are left out, and so is what --ignore names, in DIR and in the
                store alike. A program that keeps a file open while it is replaced goes on with the old one.
                """,
                """
                With --json each line is an object with "event": started, imported, exported, conflict, skipped, left, waiting,
                offline, online or settled.
                """,
            ])
    ) { call in
        let place = try MirrorPlace(
            directory: call["DIR"], folder: call["--through"], store: call.arguments.value("--store"))
        _ = try MirrorDirectory(path: place.directory, files: .local).attributes()
        try place.lock()
        let (open, attachment) = try place.open(creating: call.arguments.has("--create"))
        let run = MirrorRun(
            open: open, place: place, attachment: attachment,
            filter: MirrorFilter(ignoring: call.arguments.list("--ignore")),
            acceptsDeletions: call.arguments.has("--accept-deletions"), output: call.output,
            printsJSON: call.printsJSON)
        if call.arguments.has("--once") {
            return try await cancellingOnSignal {
                try await ThreadExecutor.run(named: "mirror") { try await run.once() }
            }
        }
        do { try await cancellingOnSignal { try await run.follow() } } catch is CancellationError {
            // Told to stop: that is how it ends.
        }
    }
}
