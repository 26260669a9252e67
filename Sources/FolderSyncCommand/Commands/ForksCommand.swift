import LLVSCore

extension ResolvedFork {
    fileprivate func line(_ names: VersionNames) throws -> String {
        "\(try names.short(merge.id))  \(printable(id.rawValue))  \(try decision(names))"
    }
}

extension Command {
    static let forks = Command(
        syntax: CommandSyntax(
            name: "forks", summary: "Lists what merges decided, and what lost, newest first.", arguments: [.store],
            options: [.init(name: "--key", value: "KEY", help: "only those of this value"), .limit],
            details: [
                """
                Each line: the merge, the value that both sides had changed, and the versions that stored what was kept and what
                lost. 'foldersync get STORE KEY --at VERSION' prints what lost, 'foldersync revert' brings it back.
                """
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let limit = try call.limit() ?? .max
        let key = try call.arguments.value("--key").map { try Value.ID($0) }
        let tips = try await HistoryLines(of: open).tips
        var count = 0
        if limit == 0 { return }
        let store = open.store
        for fork in key.map({ store.resolvedForks(of: $0, from: tips) }) ?? store.resolvedForks(from: tips) {
            let fork = try fork.get()
            try call.report(ForkEntry(fork), [try fork.line(open.names)])
            count += 1
            if count == limit { return }
        }
        if count == 0, !call.printsJSON {
            try call.output.line("no merge decided anything" + (key.map { " about '\(printable($0.rawValue))'" } ?? ""))
        }
    }
}
