import FileCoordination

/// What `resolve` did.
private struct ResolveResult: Encodable {
    /// The copy, which is gone.
    let path: String
    let original: String
    /// Whose content the original has now: "original" or "copy".
    let kept: String
    /// The folder that has what did not stay; nil if it is gone, or nothing was lost.
    let backup: String?
    /// Whether both had the same bytes, if that is known.
    let sameContent: Bool?
}

extension Command {
    static let resolve = Command(
        syntax: CommandSyntax(
            name: "resolve", summary: "Removes a conflict copy that is dealt with.",
            arguments: [.init(name: "FILE", help: "the conflict copy, as 'foldersync conflicts' lists it")],
            options: [
                .init(name: "--take", help: "first replace the original's content by the copy's"),
                .init(
                    name: "--keep-backup", value: "DIR", help: "keep what goes in this folder, which is made if needed"),
                .init(name: "--no-backup", help: "keep nothing of what goes"),
                .init(name: "--force", help: "also if the name makes it only possible that it is a conflict copy"),
            ],
            details: [
                """
                The original stays as it is, or with --take gets the copy's content; then the copy is removed. What goes is kept in
                ~/.local/state/foldersync/resolved, unless both had the same content; nothing ever deletes it there but you.
                """,
                """
                A file that is no conflict copy by its name and what lies beside it is refused, and so is one that changes meanwhile.
                """,
            ])
    ) { call in
        let arguments = call.arguments
        if arguments.has("--keep-backup"), arguments.has("--no-backup") {
            throw UsageError(what: "--keep-backup and --no-backup are opposites", syntax: call.syntax)
        }
        let file = WrittenPath(call["FILE"])
        let conflict = try find(file)
        if conflict.confidence == .possible, !arguments.has("--force") {
            throw CommandError(
                "'\(file.text)' may be an ordinary file: people name files so too",
                remedy: "look at it, and add --force if it is a conflict copy")
        }
        let wanted = arguments.value("--keep-backup") ?? (conflict.sameContent == true ? nil : BackupFolder.usual())
        let backup = arguments.has("--no-backup") ? nil : try wanted.map(BackupFolder.make)
        let kept: ConflictResolution.Kept = arguments.has("--take") ? .copy : .original
        try SiblingConflictSource().resolve(conflict, by: ConflictResolution(keeping: kept, backupFolder: backup))
        let result = ResolveResult(
            path: conflict.path, original: conflict.original, kept: kept == .copy ? "copy" : "original",
            backup: backup, sameContent: conflict.sameContent)
        try call.report(result, [result.line])
    }

    /// The copy as it is listed now, with its bytes compared.
    private static func find(_ file: WrittenPath) throws -> Conflict {
        do { _ = try LocalFileSystem.local.attributes(at: file.text, followLinks: false) } catch {
            throw FileCoordinationError.reading(file.text, error)
        }
        // By name alone first: the other copies in the folder need not be read.
        let isMeant = { (conflict: Conflict) in WrittenPath(conflict.path).name.utf8.elementsEqual(file.name.utf8) }
        let names = SiblingConflictSource(options: .init(isRecursive: false))
        guard let listed = try names.report(at: file.folder).conflicts.first(where: isMeant) else {
            throw CommandError(
                "'\(file.text)' is no conflict copy by its name and what lies beside it",
                remedy: "list the conflict copies with 'foldersync conflicts'")
        }
        let contents = SiblingConflictSource(options: .init(isRecursive: false, comparesContent: true))
        return try contents.report(at: listed.root).conflicts.first(where: isMeant) ?? listed
    }
}

extension ResolveResult {
    fileprivate var line: String {
        let (copy, original) = ("'\(printable(path))'", "'\(printable(original))'")
        let deed =
            kept == "copy"
            ? "\(original) has the content of \(copy) now, which is gone" : "removed \(copy); \(original) stays"
        if let backup { return deed + "; what went is in '\(printable(backup))'" }
        return deed + (sameContent == true ? "; both had the same content" : "")
    }
}
