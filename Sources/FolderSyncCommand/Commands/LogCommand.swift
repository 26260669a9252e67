import LLVSCore

extension Command {
    static let log = Command(
        syntax: CommandSyntax(
            name: "log", summary: "Lists the versions, newest first.", arguments: [.store],
            options: [
                .init(name: "--graph", help: "draw branches and merges"),
                .init(name: "--key", value: "KEY", help: "only the versions that changed this value"),
                .limit,
            ],
            details: [
                """
                Each line: id, time, what made it, and how many values it added (+), changed (~) and removed (-). A merge without
                a conflict is 'not shared': each device makes the same one by itself.
                """,
                """
                With --key: what each version did to the value, and its new size. Also on branches, and on sides that lost a
                merge; 'foldersync get STORE KEY --at VERSION' prints what it was. Where a merge decided about the value: the
                versions that stored what was kept and what lost.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let limit = try call.limit()
        let lines = try await HistoryLines(of: open)
        if let key = call.arguments.value("--key") {
            if call.arguments.has("--graph") {
                throw UsageError(what: "--graph draws all versions, not those of a --key", syntax: call.syntax)
            }
            return try revisions(of: try Value.ID(key), open, lines, limit: limit, call)
        }
        var graph = call.arguments.has("--graph") ? HistoryGraph() : nil
        for version in open.store.ancestry(of: lines.tips).prefix(limit ?? .max) {
            let version = try version.get()
            let entry = try lines.entry(version)
            if call.printsJSON {
                try call.output.object(entry)
                continue
            }
            let rows = graph?.rows(for: version.id, parents: version.parents)
            let parts = [rows?.node, try lines.text(version, entry)]
            try call.output.line(parts.compactMap(\.self).joined(separator: "  "))
            for row in rows?.edges ?? [] { try call.output.line(row) }
        }
    }

    @MainActor
    private static func revisions(
        of id: Value.ID, _ open: OpenStore, _ lines: HistoryLines, limit: Int?, _ call: Invocation
    ) throws {
        var count = 0
        var history = try KeyHistory(of: id, in: open.store, tips: lines.tips)
        while limit.map({ count < $0 }) ?? true, let event = try history.next() {
            count += 1
            let entry = try RevisionEntry(event, in: open.store)
            let parts = try entry.parts + [event.fork?.decision(open.names)].compactMap(\.self)
            try call.report(entry, [try lines.text(event.version, parts, isProvisional: entry.isProvisional)])
        }
        if count == 0, limit != 0 {
            throw CommandError("there never was a value '\(id)'", remedy: "list the values with 'foldersync ls'")
        }
    }

    /// The whole history with its graph, as lines.
    @MainActor
    static func graphLines(of open: OpenStore) async throws -> [String] {
        let lines = try await HistoryLines(of: open)
        var graph = HistoryGraph()
        return try open.store.log(from: lines.tips).flatMap { version in
            let rows = graph.rows(for: version.id, parents: version.parents)
            return [rows.node + "  " + (try lines.text(version, try lines.entry(version)))] + rows.edges
        }
    }
}
