import FolderSync
import LLVSCore

private struct PruneResult: Encodable {
    let folder: String
    /// Whether it only says what would go.
    let dryRun: Bool
    let values: Int
    let bytes: UInt64
    /// Files of the shared folder that were written again, and pieces of values that were removed.
    let files: Int
    let pieces: Int
}

extension Command {
    static let prune = Command(
        syntax: CommandSyntax(
            name: "prune", summary: "Drops the contents of old values, for good.",
            arguments: [
                .store,
                .init(
                    name: "FOLDER", help: "a folder that the store is attached to, with a snapshot that it wrote there"),
            ],
            options: [.init(name: "--dry-run", help: "only say how many values and bytes would go")],
            details: [
                """
                Values that were replaced or removed before the store's newest snapshot in FOLDER (see 'foldersync snapshot') lose
                their contents, in the store and in its files in FOLDER. The history stays: who changed what and when, and the
                hash of every value. So do the contents of all that is current anywhere, or was when another device last wrote to
                the folder, and of what edits in a mirrored or imported directory may be based on.
                """,
                """
                There is no way back: nobody can read such a value again, or revert to it, but on devices that still have it. A
                merge that needs one waits for such a device; nothing is lost. Older versions of this software do not read the
                files that are written again.
                """,
                """
                Other files go later: those that were replaced at a later 'sync', when the other devices have the new ones, and
                those of large values when this command is called after that and after two newer snapshots.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = RealPath(call["FOLDER"])
        guard
            let attachment = try open.attachments().first(where: {
                $0.folder == folder.text || $0.folder == call["FOLDER"]
            })
        else {
            throw CommandError(
                "the store '\(open.name)' is not attached to '\(call["FOLDER"])'",
                remedy: "'foldersync status \(open.name)' lists its folders")
        }
        let bases = try HeldVersion.all(in: open.store).union(MirrorRecord.bases(in: open.store))
        let isDryRun = call.arguments.has("--dry-run")
        let bar = call.progressBar("pruning")
        defer { bar.clear() }
        let exchange = open.exchange(with: attachment, bar)
        let pruning = try await cancellingOnSignal { try await exchange.prune(keeping: bases, dryRun: isDryRun) }
        bar.clear()
        let result = PruneResult(
            folder: attachment.folder, dryRun: isDryRun, values: pruning.values.values, bytes: pruning.values.byteCount,
            files: pruning.files, pieces: pruning.pieces)
        let what = "\(counted(result.values, "old value")) of \(result.bytes) bytes in all"
        try call.report(
            result,
            isDryRun
                ? ["would drop \(what)"]
                : [
                    "dropped \(what); \(counted(result.files, "file")) written again, "
                        + "\(counted(result.pieces, "file")) of large values removed"
                ])
    }
}
