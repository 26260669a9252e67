import FileCoordination
import LLVSCore

/// What an export did.
struct ExportOutcome: Encodable {
    var version: String
    var written = 0
    var unchanged = 0
    var deleted = 0
    /// Ids that no file can have.
    var skipped: [SkippedItem] = []
    /// Files that are not as the version has them, because they are not export's own, or could not be written.
    var left: [SkippedItem] = []
}

/// Makes a folder equal to a version, and touches nothing in it but what an export wrote.
///
/// Before a file is written, its new content is recorded beside the old: whenever the process ends, the next export knows
/// both as its own. No link below the folder is followed.
struct Exporter {
    /// Files recorded and written together.
    private static let batchSize = 64

    let store: Store
    let folder: RealPath
    /// Whether files whose record is as wanted are taken to be there, unread: for one export after another.
    var trustsRecord = false
    var files: any FileSystem = .local
    var progress: (Int, Int) -> Void = { _, _ in }

    private var record: ExportRecord { ExportRecord(of: folder, in: store) }

    init(_ store: Store, to folder: RealPath) {
        self.store = store
        self.folder = folder
    }

    func run(_ version: Version.ID) throws -> ExportOutcome {
        try makeFolder()
        let plan = try ExportPlan(of: version, in: store)
        var known = try record.load()
        // An entry of its own, so that the store knows the folder even if nothing is in it.
        if known[.root] == nil { try record.update([(.root, [])]) }
        known[.root] = nil
        let held = HeldVersion(of: folder, in: store)
        try held.begin(version)
        var pass = ExportPass(exporter: self, record: record, plan: plan, known: known)
        try pass.deleteWhatIsGone()
        var batch: [ExportPass.Write] = []
        for (number, file) in plan.files.enumerated() {
            try Task.checkCancellation()
            progress(number, plan.files.count)
            if let write = try pass.examine(file) { batch.append(write) }
            if batch.count == Self.batchSize || number == plan.files.count - 1 {
                try pass.write(batch)
                batch = []
            }
        }
        // Edits of its files are based on this version, if they are imported; unless others' files are among them.
        if pass.outcome.left.isEmpty { try held.set(version) }
        return pass.outcome
    }

    private func makeFolder() throws {
        do {
            if try files.attributes(at: folder.text, followLinks: true).kind != .directory {
                throw CommandError("'\(folder)' is not a folder", remedy: "give the path of a folder")
            }
        } catch let error as Errno {
            guard error == .noSuchFile else { throw FileCoordinationError.reading(folder.text, error) }
            do { try files.makeDirectory(folder.text, permissions: .directory) } catch {
                throw FileCoordinationError.makingDirectory(folder.text, error)
            }
        }
    }
}
