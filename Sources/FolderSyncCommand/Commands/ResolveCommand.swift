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
    /// What did not stay, in that folder: under its name, or with a number after it.
    let backupFile: String?
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
                .init(name: "--force", help: "also if it is only 'possible', or the original is not there"), .device,
            ],
            details: [
                """
                The original stays as it is, or with --take gets the copy's content; then the copy is removed. What goes is kept in
                ~/.local/state/foldersync/resolved, unless both had the same content; nothing deletes it there but you. Of a copy
                of a copy, the original is the file without any tag.
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
        let devices = Set(arguments.list(CommandSyntax.Option.device.name))
        let conflict = try find(file, devices)
        let kept: ConflictResolution.Kept = arguments.has("--take") ? .copy : .original
        if !arguments.has("--force") { try refuseDoubtful(conflict, keeping: kept) }
        let wanted = arguments.value("--keep-backup") ?? (conflict.sameContent == true ? nil : BackupFolder.usual())
        let backup = arguments.has("--no-backup") ? nil : try wanted.map(BackupFolder.make)
        let backupFile = try SiblingConflictSource(options: .init(deviceNames: devices))
            .resolve(conflict, by: ConflictResolution(keeping: kept, backupFolder: backup))
        let result = ResolveResult(
            path: conflict.path, original: conflict.root, kept: kept == .copy ? "copy" : "original",
            backup: backup, backupFile: backupFile, sameContent: conflict.sameContent)
        try call.report(result, [result.line])
    }

    private static func refuseDoubtful(_ conflict: Conflict, keeping kept: ConflictResolution.Kept) throws {
        if conflict.confidence == .possible {
            throw CommandError(
                "'\(conflict.path)' may be an ordinary file: people name files so too",
                remedy: "look at it, and add --force if it is a conflict copy")
        }
        if !conflict.rootExists, kept == .original {
            throw CommandError(
                "'\(conflict.root)' is not there, so that '\(conflict.path)' may be all that is left of it",
                remedy: "add --take to give it that name, or --force to remove it all the same")
        }
    }

    /// The copy as it is listed now, with its bytes compared.
    private static func find(_ file: WrittenPath, _ devices: Set<String>) throws -> Conflict {
        do { _ = try LocalFileSystem.local.attributes(at: file.text, followLinks: false) } catch {
            throw FileCoordinationError.reading(file.text, error)
        }
        // By name alone first: the other copies in the folder need not be read.
        let isMeant = { (conflict: Conflict) in WrittenPath(conflict.path).name.utf8.elementsEqual(file.name.utf8) }
        let names = SiblingConflictSource(options: .init(isRecursive: false, deviceNames: devices))
        guard let listed = try names.report(at: file.folder).conflicts.first(where: isMeant) else {
            throw CommandError(
                "'\(file.text)' is no conflict copy by its name and what lies beside it",
                remedy: "list the conflict copies with 'foldersync conflicts'")
        }
        let contents = SiblingConflictSource(
            options: .init(isRecursive: false, comparesContent: true, deviceNames: devices))
        return try contents.report(at: listed.root).conflicts.first(where: isMeant) ?? listed
    }
}

extension CommandSyntax.Option {
    static let device = Self(
        name: "--device", value: "NAME", repeats: true,
        help: "a device of yours: some services add only that to a name")
}

extension ResolveResult {
    fileprivate var line: String {
        let (copy, original) = ("'\(printable(path))'", "'\(printable(original))'")
        let deed =
            kept == "copy"
            ? "\(original) now has the content of \(copy), which is removed"
            : "removed \(copy); \(original) is as it was"
        if let backup, backupFile != nil { return deed + "; what went is in '\(printable(backup))'" }
        return deed + (sameContent == true ? "; both had the same content" : "")
    }
}
