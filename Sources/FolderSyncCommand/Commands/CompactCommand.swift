import LLVSCore

private struct CompactResult: Encodable {
    let versions: Int
    let nodes: Int
}

extension Command {
    static let compact = Command(
        syntax: CommandSyntax(
            name: "compact", summary: "Removes from a store what nothing needs any more.", arguments: [.store],
            details: [
                """
                Removes merges that this device made for itself and dropped at least 30 days ago, and index nodes that no version
                reaches. No version of the history loses anything. Works beside others that use the store. The space is used by
                later versions; the file does not get shorter.
                """,
                """
                Whatever merges, such as `sync` and `follow`, removes such merges by itself, once an hour: this command is for the
                rest. Of the time between two looks at most an hour counts, whatever the clock says.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let bar = call.progressBar("cleaning")
        defer { bar.clear() }
        let collected = try await cancellingOnSignal {
            try open.store.collectGarbage { done, total in
                try Task.checkCancellation()
                bar.show(done, of: total)
            }
        }
        bar.clear()
        try call.report(
            CompactResult(versions: collected.versions, nodes: collected.nodes),
            ["removed \(counted(collected.versions, "dropped merge")) and \(counted(collected.nodes, "node"))"])
    }
}
