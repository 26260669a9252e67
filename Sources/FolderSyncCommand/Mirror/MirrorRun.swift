import FileCoordination
import FolderSync
import LLVSCore

/// One run of `foldersync mirror`, once or until it is told to stop.
struct MirrorRun: Sendable {
    let open: OpenStore
    let place: MirrorPlace
    let attachment: FolderAttachment
    let filter: MirrorFilter
    let acceptsDeletions: Bool
    let output: Output
    let printsJSON: Bool

    /// How long a file must have been the same before it is imported.
    static let settle = Duration.milliseconds(300)

    func makeMirror() throws -> Mirror {
        let mirror = try Mirror(
            place.directory, of: open.store, coordinator: open.coordinator, filter: filter, settle: 300)
        mirror.acceptsDeletions = acceptsDeletions
        return mirror
    }

    func makePrinter() throws -> MirrorPrinter {
        let printer = MirrorPrinter(output, printsJSON: printsJSON)
        try printer.print([.started(place.directory, attachment.folder, open.path)])
        return printer
    }

    func print(_ result: MirrorImport, by printer: MirrorPrinter) throws {
        try printer.print(
            "skipped", result.skipped.map { SkippedItem(file: $0.file, reason: $0.reason + ", not kept") })
        try printer.print("left", result.unreadable)
        try printer.print(try MirrorEvent.imported(result, open.names))
    }

    func print(
        _ result: (version: Version.ID, export: MirrorExport, conflicts: [ResolvedFork]), by printer: MirrorPrinter
    ) throws {
        try printer.print(try MirrorEvent.exported(result.export, result.version, open.names))
        try printer.print(try result.conflicts.map { try .conflict($0, open.path, open.names) })
        try printer.print("left", result.export.left)
        try printer.print("skipped", result.export.skipped)
    }

    // MARK: Once

    /// Imports, exchanges and exports, again while files change meanwhile.
    /// - Throws: If something is left to be done.
    func once() async throws {
        let mirror = try makeMirror()
        let printer = try makePrinter()
        let exchange = FolderExchange(store: open.store, attachment: attachment)
        var left: [SkippedItem] = []
        if mirror.isNew { _ = try await pass(exchange, printer) }
        for _ in 0..<4 {
            left = try await importAll(mirror, printer)
            left += try await pass(exchange, printer)
            guard let exported = try await mirror.export() else { break }
            try print(exported, by: printer)
            left += exported.export.left
            if exported.export.changed.isEmpty { break }
            left += exported.export.changed.map {
                SkippedItem(file: $0, reason: "it changes all the time, or another spelling of its name is there")
            }
        }
        if left.isEmpty { return try printer.print([.settled(mirror.held, open.names)]) }
        try printer.print("left", left)
        throw CommandError(
            "\(counted(left.count, "thing")) could not be brought in step", remedy: "mend it, and run the command again"
        )
    }

    /// Returns what could not be imported. Files that are being written to are given a moment.
    private func importAll(_ mirror: Mirror, _ printer: MirrorPrinter) async throws -> [SkippedItem] {
        var result = try await mirror.importChanges()
        try print(result, by: printer)
        for _ in 0..<5 where !result.deferred.isEmpty {
            try await Task.sleep(for: Self.settle)
            result = try await mirror.importChanges()
            try print(result, by: printer)
        }
        return result.unreadable + result.deferred.map { SkippedItem(file: $0, reason: "it is being written to") }
    }

    /// Returns what could not be exchanged.
    private func pass(_ exchange: FolderExchange, _ printer: MirrorPrinter) async throws -> [SkippedItem] {
        do {
            let outcome = try await exchange.pass(open.coordinator)
            try print(outcome, by: printer)
            if let failure = outcome.sendFailure { return [SkippedItem(file: "", reason: "\(failure)")] }
            return outcome.merge.left.map { SkippedItem(file: $0.head.description, reason: $0.reason) }
        } catch let error as FolderSyncError {
            try printer.print([.offline("\(error)")])
            return [SkippedItem(file: attachment.folder, reason: error.what)]
        }
    }

    func print(_ outcome: PassOutcome, by printer: MirrorPrinter) throws {
        var result = SyncResult()
        result.add(outcome)
        try printer.print(
            "waiting",
            result.waiting + result.damaged + result.foreign + result.future + result.unsendable + result.unmerged)
    }
}
