import FileCoordination
import LLVSCore

/// One pass of an ``Exporter`` over its folder.
struct ExportPass {
    /// A file to be made or replaced.
    struct Write {
        let file: ExportPlan.File
        /// What was there when it was examined.
        let existing: FileAttributes?
    }

    let exporter: Exporter
    let record: ExportRecord
    let plan: ExportPlan
    /// The record as it is in the store.
    var known: [ExportRecord.Key: [ExportRecord.Content]]
    var outcome: ExportOutcome
    private var sweptFolders: Set<RelativePath> = []

    init(
        exporter: Exporter, record: ExportRecord, plan: ExportPlan, known: [ExportRecord.Key: [ExportRecord.Content]]
    ) {
        self.exporter = exporter
        self.record = record
        self.plan = plan
        self.known = known
        outcome = ExportOutcome(version: plan.version.description, skipped: plan.skipped)
    }

    private var files: any FileSystem { exporter.files }
    private var coordinated: CoordinatedFile {
        CoordinatedFile(files: exporter.files, durability: .content, followLinks: false)
    }

    private func fullPath(_ path: RelativePath) -> String { exporter.folder.text + "/" + path.text }

    // MARK: Deleting

    /// Deletes what export wrote and the version does not have, then folders that export made and that are empty now.
    mutating func deleteWhatIsGone() throws {
        // Descending: what is in a folder comes before it.
        let gone = known.keys.filter { !plan.has($0) }.sorted { $1.path < $0.path }
        var forgotten: [ExportRecord.Update] = []
        for key in gone where !key.isFolder {
            try Task.checkCancellation()
            if try deleteFile(key.path) { forgotten.append((key, nil)) }
        }
        for key in gone where key.isFolder {
            if try deleteFolder(key.path) { forgotten.append((key, nil)) }
        }
        try record.update(forgotten)
        for (key, _) in forgotten { known[key] = nil }
    }

    /// Returns whether the file is no longer there.
    private mutating func deleteFile(_ path: RelativePath) throws -> Bool {
        do {
            guard try obstacle(above: path) == nil, let found = try attributes(path) else { return true }
            guard found.kind == .file else {
                leave(path, "something else is there, which export did not write")
                return false
            }
            let digest = try digest(path)
            guard known[.file(path)]?.contains(where: { $0.hash == digest }) == true else {
                leave(path, "no longer in the version, but edited since it was exported")
                return false
            }
            try coordinated.delete(at: fullPath(path))
            outcome.deleted += 1
            return true
        } catch {
            try leave(path, unlessFatal: error)
            return false
        }
    }

    /// Returns whether the folder is no longer there. Someone else's files keep it.
    private func deleteFolder(_ path: RelativePath) throws -> Bool {
        guard try obstacle(above: path) == nil, try attributes(path)?.kind == .directory else { return true }
        do {
            try files.removeDirectory(fullPath(path))
            return true
        } catch {
            return error == .noSuchFile
        }
    }

    // MARK: Examining

    /// Decides what to do about a file of the version; what needs no writing is counted or reported here.
    mutating func examine(_ file: ExportPlan.File) throws -> Write? {
        let path = file.path
        let contents = known[.file(path)] ?? []
        if exporter.trustsRecord, contents.count == 1, contents[0].hash == file.hash {
            outcome.unchanged += 1
            return nil
        }
        do {
            if let obstacle = try obstacle(above: path) {
                leave(path, obstacle)
                return nil
            }
            guard let found = try attributes(path) else { return Write(file: file, existing: nil) }
            guard found.kind == .file else {
                leave(path, found.kind == .link ? "a link is there" : "something that is no file is there")
                return nil
            }
            let digest = try digest(path)
            if digest == file.hash {
                outcome.unchanged += 1
                if contents.count > 1 { try settle(path, contents.filter { $0.hash == digest }) }
            } else if contents.contains(where: { $0.hash == digest }) {
                return Write(file: file, existing: found)
            } else {
                let isForeign = contents.isEmpty
                leave(path, isForeign ? "a file is there that export did not write" : "edited since it was exported")
            }
        } catch {
            try leave(path, unlessFatal: error)
        }
        return nil
    }

    private mutating func settle(_ path: RelativePath, _ contents: [ExportRecord.Content]) throws {
        try record.update([(.file(path), contents)])
        known[.file(path)] = contents
    }

    /// Why there can be nothing at a path, or nil: no link is followed, and files are no folders.
    private func obstacle(above path: RelativePath) throws -> String? {
        for parent in path.parents {
            guard let kind = try attributes(parent)?.kind else { return nil }
            if let obstacle = Self.obstacle(kind, parent) { return obstacle }
        }
        return nil
    }

    private static func obstacle(_ kind: FileKind, _ parent: RelativePath) -> String? {
        switch kind {
        case .directory: nil
        case .link: "'\(parent.text)' is a link"
        case .file, .other: "'\(parent.text)' is not a folder"
        }
    }

    private func attributes(_ path: RelativePath) throws -> FileAttributes? {
        do { return try files.attributes(at: fullPath(path), followLinks: false) } catch {
            if error == .noSuchFile || error == .notDirectory { return nil }
            throw FileCoordinationError.reading(fullPath(path), error)
        }
    }

    private func digest(_ path: RelativePath) throws -> Digest {
        try FileContent(path.text, in: exporter.folder.text, files: files).content(onRead: { _ in }).digest()
    }

    // MARK: Writing

    /// Records what the files will be, makes that durable, writes them, and records what they are.
    mutating func write(_ batch: [Write]) throws {
        if batch.isEmpty { return }
        var intents: [ExportRecord.Update] = []
        var settled: [ExportRecord.Update] = []
        for write in batch {
            let path = write.file.path
            let size = try exporter.store.size(of: write.file.id, at: plan.version) ?? 0
            let new = ExportRecord.Content(hash: write.file.hash, size: size)
            intents.append((.file(path), (known[.file(path)] ?? []).filter { $0 != new } + [new]))
            settled.append((.file(path), [new]))
            for folder in path.parents where known[.folder(folder)] == nil && !exists(folder) {
                intents.append((.folder(folder), []))
            }
        }
        try record.update(intents)
        try record.sync()
        // What is written is its own even if a later file fails.
        defer { for (key, contents) in intents { known[key] = contents } }
        var done: [ExportRecord.Update] = []
        for (write, update) in zip(batch, settled) {
            try Task.checkCancellation()
            if try replace(write) { done.append(update) }
        }
        try record.update(done)
    }

    private func exists(_ folder: RelativePath) -> Bool {
        do { return try attributes(folder) != nil } catch { return true }
    }

    /// Returns whether the file is now as the version has it.
    private mutating func replace(_ write: Write) throws -> Bool {
        let path = write.file.path
        do {
            if let obstacle = try makeFolders(above: path) {
                leave(path, obstacle)
                return false
            }
            let found = try attributes(path)
            guard found?.modified == write.existing?.modified, found?.inode == write.existing?.inode,
                found?.size == write.existing?.size
            else {
                leave(path, "it changed while it was being exported")
                return false
            }
            sweep(path.parents.last ?? RelativePath(trusted: []))
            guard let content = try exporter.store.content(of: write.file.id, at: plan.version) else { return false }
            try coordinated.write(to: fullPath(path)) { writer in
                try content.forEachPiece(of: 1 << 18) { piece in
                    try Task.checkCancellation()
                    try writer.write(Array(piece))
                }
            }
            outcome.written += 1
            return true
        } catch {
            try leave(path, unlessFatal: error)
            return false
        }
    }

    /// Removes what an export that was killed was writing in the folder.
    private mutating func sweep(_ folder: RelativePath) {
        guard sweptFolders.insert(folder).inserted else { return }
        // A leftover that stays does no harm: it is tried again by the next write in an hour.
        do { try coordinated.sweepTemporaryFiles(in: fullPath(folder), olderThan: .zero) } catch {}
    }

    /// Makes the folders that are missing, each only below one that is really a folder. Returns what is in the way, or nil.
    private func makeFolders(above path: RelativePath) throws -> String? {
        for folder in path.parents {
            if let kind = try attributes(folder)?.kind {
                if let obstacle = Self.obstacle(kind, folder) { return obstacle }
                continue
            }
            do { try files.makeDirectory(fullPath(folder), permissions: .directory) } catch {
                throw FileCoordinationError.makingDirectory(fullPath(folder), error)
            }
        }
        return nil
    }

    // MARK: Reporting

    private mutating func leave(_ path: RelativePath, _ reason: String) {
        outcome.left.append(SkippedItem(file: path.text, reason: reason))
    }

    /// One file's trouble does not stop the others; a disk's does.
    private mutating func leave(_ path: RelativePath, unlessFatal error: any Error) throws {
        switch error {
        case let error as FileUnavailable: leave(path, error.reason)
        case let error as FileCoordinationError where Self.concernsOneFile.contains(error.code):
            leave(path, error.what)
        default: throw error
        }
    }

    private static let concernsOneFile: Set<FileCoordinationError.Code> = [
        .notPermitted, .isDirectory, .notDirectory, .notRegularFile, .invalidName, .noSuchFile, .fileExists, .busy,
        .link, .tooLarge, .noParent,
    ]
}
