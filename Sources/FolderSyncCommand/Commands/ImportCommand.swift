import FileCoordination
import LLVSCore

/// What an import did.
private struct ImportResult: Encodable {
    let version: String
    let changed: Bool
    let added: Int
    let edited: Int
    let removed: Int
    let unchanged: Int
    /// Values without a file that stay because an export into the folder did not end.
    let unexported: Int
    /// Values that stay because no file could have their name.
    let kept: [String]
    let skipped: [SkippedItem]
}

extension Command {
    static let importing = Command(
        syntax: CommandSyntax(
            name: "import", summary: "Saves the files of a folder as values, in one version.",
            arguments: [.store, .init(name: "DIR", help: "the folder; it is only read")],
            options: [
                .init(
                    name: "--replace",
                    help: "make the values equal to DIR, whatever came to the store since DIR was in step with it")
            ],
            details: [
                """
                Each regular file below DIR becomes the value named by its relative path; values without a file are removed.
                If nothing changed, no version is made. A folder without files is refused: it may just not be mounted.
                """,
                """
                If DIR was imported or exported before, what counts is what changed in it since then: what others saved
                meanwhile stays, or is merged with it. --replace undoes that as well. If an export into DIR did not end,
                values without a file stay.
                """,
                """
                Not kept: mode bits, owners, times, links, pipes, sockets and devices, empty folders, names that are not UTF-8.
                They are reported, and so are files that cannot be read or change meanwhile; what is stored of those stays.
                Values whose names no file can have stay too.
                """,
            ])
    ) { call in
        let open = try OpenStore(at: call["STORE"])
        let folder = try open.folder(call["DIR"])
        let bar = call.progressBar("reading")
        defer { bar.clear() }
        let scan = try DirectoryScan(of: folder.text, progress: { bar.show($0) })
        let held = HeldVersion(of: folder, in: open.store)
        let replaces = call.arguments.has("--replace")
        let known = replaces ? nil : try held.loadAny()
        let current = try await open.current()
        let base = known?.version ?? current
        var plan = try ImportPlan(scan, of: folder.text, against: base, of: open.store) { bar.show($0, of: $1) }
        let unexported = known?.isWhole == false ? plan.keepRemovals() : 0
        if plan.writes.isEmpty, plan.unchanged == 0, !plan.removals.isEmpty {
            // An empty mount point looks like this: absence is no command.
            throw CommandError(
                "'\(call["DIR"])' has no files: importing it would remove every value; nothing was changed",
                remedy: "check that it is mounted, or remove values with 'foldersync rm'")
        }
        let version = try await save(&plan, to: open, basedOn: base, bar)
        if unexported == 0 { try held.set(version) }
        bar.clear()
        let count = { (kind: ImportPlan.Kind) in plan.writes.count { $0.kind == kind } }
        let result = ImportResult(
            version: version.description, changed: !plan.isEmpty, added: count(.addition), edited: count(.edit),
            removed: plan.removals.count, unchanged: plan.unchanged, unexported: unexported,
            kept: plan.kept.map(\.rawValue),
            skipped: plan.skipped)
        try call.report(result, lines(result, try open.names.short(version)))
    }

    /// Saves the plan in one version; files that vanish or change meanwhile are left out, and it is tried again.
    private static func save(
        _ plan: inout ImportPlan, to open: OpenStore, basedOn base: Version.ID, _ bar: ProgressBar
    ) async throws -> Version.ID {
        for _ in 0..<20 {
            if plan.isEmpty { return base }
            do {
                let count = ReadCount(plan, bar)
                return try await open.coordinator.save(plan.changes(onRead: count.add), basedOn: base).id
            } catch let error as FileUnavailable {
                plan.leaveOut(error)
            }
        }
        throw CommandError(
            "the files of the folder change faster than they can be read",
            remedy: "import it when whatever writes there is done")
    }

    private static func lines(_ result: ImportResult, _ version: String) -> [String] {
        var lines = [
            result.changed
                ? "imported as version \(version): \(result.added) added, \(result.edited) edited, "
                    + "\(result.removed) removed, \(result.unchanged) unchanged"
                : "nothing changed (\(counted(result.unchanged, "file")))"
        ]
        if result.unexported > 0 {
            lines.append(
                "\(counted(result.unexported, "value")) without a file stay: an export into the folder did not end; "
                    + "export again, or import with --replace")
        }
        lines += result.skipped.summary("skipped")
        lines += result.kept.map { SkippedItem(file: $0, reason: "no file can have the name") }.summary("kept")
        return lines
    }
}
