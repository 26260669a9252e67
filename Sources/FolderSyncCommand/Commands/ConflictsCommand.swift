import FileCoordination

extension Command {
    static let conflicts = Command(
        syntax: CommandSyntax(
            name: "conflicts", summary: "Lists the conflict copies that sync services left in a folder.",
            arguments: [
                .init(name: "DIR", help: "the folder, with everything below it; or a file, for the copies of that one")
            ],
            options: [
                .init(name: "--group", help: "all copies of a file together"),
                .init(
                    name: "--min", value: "CONFIDENCE", help: "only those that are at least 'probable', or 'certain'"),
                .init(
                    name: "--temporary", help: "also what programs and services keep beside the files for themselves"),
                .init(name: "--no-recursive", help: "only what is directly in DIR"), .device,
            ],
            details: [
                """
                Copies are known by their names, as some thirty services write them, and by what lies beside them. 'certain': nobody
                else names a file so; 'probable': a service's name with less in it; 'possible': people name files so too. Nothing
                is changed. When what is worth keeping of a copy is merged, 'foldersync resolve FILE' removes it.
                """,
                """
                With --json each line is {"path":...,"original":...,"service":...,"confidence":...} and more: "root" and
                "parent" if it is a copy of a copy ("parent" and "original" are that one), "date" and "who" from the name,
                "sameContent" with "sameAs". With --group each line is {"original":...,"originalExists":...,"copies":[...]}.
                With --temporary there are lines {"path":...,"kind":"temporary"|"control"|"placeholder","service":...}
                too, with the file a placeholder is "of". Exit code 0 also if there are none.
                """,
            ])
    ) { call in
        let least = try call.arguments.value("--min").map { text in
            guard let least = Confidence(rawValue: text) else {
                throw UsageError(
                    what: "--min needs 'possible', 'probable' or 'certain', not '\(text)'", syntax: call.syntax)
            }
            return least
        }
        let place = WrittenPath(call["DIR"])
        let source = SiblingConflictSource(
            options: .init(
                isRecursive: !call.arguments.has("--no-recursive"), comparesContent: true,
                listsTemporary: call.arguments.has("--temporary"),
                deviceNames: Set(call.arguments.list(CommandSyntax.Option.device.name))))
        let report = try source.report(at: place.text)
        if report.conflicts.isEmpty, report.failures.isEmpty { try refuseMissing(place.text) }
        let conflicts = report.conflicts.filter { $0.confidence >= least ?? .possible }
        let groups = ConflictGroup.grouping(conflicts)
        if call.printsJSON {
            if call.arguments.has("--group") {
                for group in groups { try call.output.object(ConflictGroupItem(group)) }
            } else {
                for conflict in conflicts { try call.output.object(ConflictItem(conflict)) }
            }
            for item in report.temporary { try call.output.object(TemporaryNameItem(item)) }
        } else {
            for line in call.arguments.has("--group") ? groups.flatMap(\.lines) : conflicts.map(\.line) {
                try call.output.line(line)
            }
            for item in report.temporary { try call.output.line(item.line) }
            try call.output.line(summary(groups, in: place))
        }
        try call.output.flush()
        try complain(report.failures)
    }

    private static func summary(_ groups: [ConflictGroup], in place: WrittenPath) -> String {
        let conflicts = groups.flatMap(\.conflicts)
        let possible = conflicts.count { $0.confidence == .possible }
        let sure = conflicts.count - possible
        if conflicts.isEmpty { return "no conflict copies in '\(printable(place.text))'" }
        let counts = [
            sure > 0 ? counted(sure, "conflict copy", "conflict copies") : nil,
            possible > 0 ? counted(possible, "file that may be one", "files that may be one") : nil,
        ].compactMap(\.self)
        return counts.joined(separator: " and ") + "; when one is merged, 'foldersync resolve FILE' removes it"
    }

    /// Copies may be of a file that is gone; without any, it is a slip of the pen, or a folder that is not mounted.
    private static func refuseMissing(_ path: String) throws(FileCoordinationError) {
        do { _ = try LocalFileSystem.local.attributes(at: path, followLinks: true) } catch {
            throw .listing(path, error)
        }
    }

    /// What could not be read is an error, after what was found elsewhere.
    private static func complain(_ failures: [FileCoordinationError]) throws {
        for failure in failures.dropLast() { Program.say(errorLine(failure)) }
        if let last = failures.last { throw last }
    }
}

extension Conflict {
    fileprivate var line: String { "\(printable(path))  (\(remarks))" }
}
