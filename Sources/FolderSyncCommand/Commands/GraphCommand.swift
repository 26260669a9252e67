import FileCoordination
import LLVSCore

private struct GraphResult: Encodable {
    let file: String
    let versions: Int
    /// Whether older versions were left out.
    let isCut: Bool
}

extension Command {
    /// What a browser shows without trouble.
    private static let mostDrawn = 10_000

    static let graph = Command(
        syntax: CommandSyntax(
            name: "graph", summary: "Draws the versions as a picture.", arguments: [.store],
            options: [
                .init(
                    name: "--svg", value: "FILE", isRequired: true,
                    help: "the picture to write; one that is there is replaced"),
                .limit,
            ],
            details: [
                """
                An SVG, newest version on top; without --limit the newest 10,000 versions. It is written as a whole or not at all.
                'foldersync log --graph' draws the same as text.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let name = call["--svg"]
        let limit = try call.limit() ?? mostDrawn
        if RealPath(name).isInside(open.path) {
            throw CommandError("'\(name)' lies in the store", remedy: "choose a place outside it")
        }
        let lines = try await HistoryLines(of: open)
        var picture = HistoryPicture()
        var isCut = false
        let bar = call.progressBar("drawing")
        defer { bar.clear() }
        for version in open.store.ancestry(of: lines.tips) {
            if picture.count == limit {
                isCut = true
                break
            }
            let version = try version.get()
            bar.show(picture.count)
            let entry = try lines.entry(version)
            picture.add(
                version.id, parents: version.parents, label: try lines.text(version, entry), isMarked: entry.isCurrent)
        }
        bar.clear()
        try CoordinatedFile().write(picture.svg, to: name)
        try call.report(
            GraphResult(file: RealPath(name).text, versions: picture.count, isCut: isCut),
            ["drew \(counted(picture.count, "version")) in \(printable(name))" + (isCut ? ", older ones left out" : "")]
        )
    }
}
