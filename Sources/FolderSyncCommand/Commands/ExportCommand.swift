import FileCoordination
import LLVSCore

extension Command {
    static let exporting = Command(
        syntax: CommandSyntax(
            name: "export", summary: "Makes a folder equal to a version.",
            arguments: [.store, .init(name: "DIR", help: "the folder; made if it does not exist")], options: [.version],
            details: [
                """
                Each value becomes the file that its name says. Only what an earlier export wrote is replaced or deleted; other
                files, and files edited since, are left alone and reported. What export wrote is remembered in the store:
                nothing extra lies in DIR.
                """,
                """
                A name that is no safe relative path ('../x', '/x', 'a//b'), or that another value makes a folder, is
                reported and skipped. No link in DIR is followed.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = try open.folder(call["DIR"])
        let version = try await open.version(call.arguments.value("--at"))
        let bar = call.progressBar("exporting")
        defer { bar.clear() }
        let outcome = try await cancellingOnSignal {
            var exporter = Exporter(open.store, to: folder)
            exporter.progress = { bar.show($0, of: $1) }
            return try exporter.run(version)
        }
        bar.clear()
        try call.report(outcome, outcome.lines(try open.names.short(version)))
    }
}

extension ExportOutcome {
    func lines(_ version: String) -> [String] {
        ["exported version \(version): \(written) written, \(unchanged) unchanged, \(deleted) deleted"]
            + skipped.summary("skipped") + left.summary("left alone")
    }
}
