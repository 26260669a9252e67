import LLVSCore

/// What an import of a store made by LLVS did.
private struct ImportLLVSResult: Encodable {
    let kind: String
    let imported: Int
    /// Files of versions that are cut off, unreadable or contradict what is known.
    let damaged: [SkippedItem]
    /// Versions that stand on others that are not here.
    let waiting: [SkippedItem]
    /// Heads that could not be merged.
    let unmerged: [SkippedItem]
    /// The current version.
    let head: String
}

extension Command {
    static let importingLLVS = Command(
        syntax: CommandSyntax(
            name: "import-llvs", summary: "Adds every version of a store made by LLVS.",
            arguments: [.store, .init(name: "DIR", help: "the root directory of the LLVS store; it is only read")],
            details: [
                """
                DIR is a FileStorage or SQLiteStorage store: it has the folders versions, values and maps. Ids, predecessors,
                times, branches and metadata are kept. Doing it again adds what is new. The current version becomes the merge
                of all heads; versions of named branches are kept beside it.
                """,
                """
                Left out and reported: versions whose files are damaged or missing, those that stand on them, and data that
                newer versions of LLVS have compressed with LZFSE. The rest is imported. If nothing is imported but something
                was left out, the command fails.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = try open.folder(call["DIR"])
        let source = try LLVSStoreImport(directory: folder.text)
        let bar = call.progressBar("importing")
        defer { bar.clear() }
        let report = try source.run(into: open.store) { bar.show($0, of: $1) }
        let merge = try await open.coordinator.merge()
        bar.clear()
        let result = ImportLLVSResult(
            kind: source.kind.rawValue, imported: report.imported, damaged: report.damaged.map(SkippedItem.init),
            waiting: report.waiting.map(SkippedItem.init),
            unmerged: merge.left.map { SkippedItem(file: $0.head.description, reason: $0.reason) },
            head: merge.current.description)
        try call.report(result, lines(result, try open.names.short(merge.current)))
        let refused = result.damaged.count + result.waiting.count
        if result.imported == 0, refused > 0 {
            throw CommandError(
                "no version was imported, left out: \(counted(refused, "version"))",
                remedy: "take what is damaged or missing from another copy of the LLVS store")
        }
    }

    private static func lines(_ result: ImportLLVSResult, _ head: String) -> [String] {
        ["\(counted(result.imported, "version")) imported; now at \(head)"] + result.damaged.summary("damaged")
            + result.waiting.summary("waiting") + result.unmerged.summary("not merged")
    }
}
