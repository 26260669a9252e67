import FileCoordination

/// One line of the command's output.
private struct FolderLine: Encodable {
    struct Problem: Encodable {
        let what: String
        let remedy: String
    }

    var service: String
    var path: String?
    var state: String?
    var account: String?
    /// How the folder is known: `configured`, `mounted` or `assumed`.
    var basis: String?
    /// The file that says so.
    var source: String
    var problem: Problem?
}

/// What an application would get.
private struct ChoiceLine: Encodable {
    let path: String
    let found: Bool
    var service: String?
    var account: String?
    var state: String?
    /// Why no service's folder is used.
    var reason: String?
}

extension Command {
    static let folders = Command(
        syntax: CommandSyntax(
            name: "folders", summary: "Lists the folders that this user's sync services keep.",
            options: [
                .init(
                    name: "--for", value: "NAME", help: "show the one folder that an application of this name would get"
                )
            ],
            details: [
                "Reads the services' own settings and the mount table, and makes nothing.\n" + services,
                "$\(SharedFolderResolver.preferenceVariable) names the services that --for prefers, separated by commas.",
            ])
    ) { call in
        let resolver = SharedFolderResolver()
        let findings = resolver.candidates()
        if let name = call.arguments.value("--for") {
            let choice = try resolver.resolve(in: findings, subfolder: name)
            return try call.report(ChoiceLine(choice), choice.lines)
        }
        if call.printsJSON {
            for folder in findings.folders { try call.output.object(FolderLine(folder)) }
            for problem in findings.problems { try call.output.object(FolderLine(problem)) }
        } else {
            for line in findings.lines { try call.output.line(line) }
        }
    }
}

/// "Known services: …", in lines that fit a terminal.
private let services: String = SyncService.findable.map(\.rawValue).reduce(into: ["Known services:"]) { lines, name in
    let word = (name == SyncService.findable.last?.rawValue) ? "\(name)." : "\(name),"
    let longer = "\(lines[lines.count - 1]) \(word)"
    if longer.count <= 100 { lines[lines.count - 1] = longer } else { lines.append(word) }
}.joined(separator: "\n")

extension FolderLine {
    init(_ folder: SyncFolder) {
        self.init(
            service: folder.service.rawValue, path: folder.path, state: folder.state.rawValue, account: folder.account,
            basis: folder.basis.rawValue, source: folder.source, problem: folder.problem.map(Problem.init))
    }

    init(_ problem: PlaceProblem) {
        self.init(
            service: problem.service.rawValue, source: problem.error.path, problem: Problem(problem.error))
    }
}

extension FolderLine.Problem {
    init(_ error: FileCoordinationError) { self.init(what: error.what, remedy: error.remedy) }
}

extension ChoiceLine {
    init(_ choice: SharedFolderResolver.Resolution) {
        switch choice {
        case .found(let folder, let path):
            self.init(
                path: path, found: true, service: folder.service.rawValue, account: folder.account,
                state: folder.state.rawValue)
        case .fellBack(let path, let why): self.init(path: path, found: false, reason: why.description)
        }
    }
}

extension SharedFolderResolver.Resolution {
    /// For people: the path first, then whose it is.
    fileprivate var lines: [String] {
        switch self {
        case .found(let folder, let path):
            let state = folder.state == .exists ? "" : " (\(folder.state.explanation))"
            return [printable(path), printable("kept in sync by \(folder.title)\(state)")]
        case .fellBack(let path, let why):
            return [printable(path), printable("kept in sync by nobody: \(why)")]
        }
    }
}

extension SyncFolder {
    fileprivate var title: String { service.rawValue + (account.map { " (\($0))" } ?? "") }
}

extension SharedFolderResolver.Findings {
    /// For people: a table, then what could not be read.
    fileprivate var lines: [String] {
        let rows = folders.map { folder in
            [
                folder.title, folder.path, folder.state.label + (folder.basis == .assumed ? ", assumed" : ""),
                folder.source,
            ]
        }
        let table = folders.isEmpty ? ["no sync service with a folder was found"] : Self.table(rows)
        let troubles = problems.map(\.description) + folders.compactMap { $0.problem?.description }
        return table + troubles.map { "problem: " + printable($0) }
    }

    private static func table(_ rows: [[String]]) -> [String] {
        let rows = ([["SERVICE", "PATH", "STATE", "READ FROM"]] + rows).map { $0.map(printable) }
        let widths = (0..<3).map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { cell, width in cell + String(repeating: " ", count: width - cell.count + 2) }
                .joined()
                + row[3]
        }
    }
}

extension SyncFolder.State {
    /// One or two words for a table.
    fileprivate var label: String {
        switch self {
        case .exists: "ok"
        case .oneWay: "one way"
        case .notFolder: "not a folder"
        case .notMounted: "not mounted"
        case .paused, .unreadable, .missing: rawValue
        }
    }
}
