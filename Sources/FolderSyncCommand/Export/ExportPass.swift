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
    var known: [String: [ExportRecord.Content]]
    var outcome: ExportOutcome
    private var sweptFolders: Set<String> = []

    init(exporter: Exporter, record: ExportRecord, plan: ExportPlan, known: [String: [ExportRecord.Content]]) {
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

    private func fullPath(_ path: String) -> String { exporter.folder.text + "/" + path }

    // MARK: Deleting

    /// Deletes what export wrote and the version does not have, then folders that export made and that are empty now.
    mutating func deleteWhatIsGone() throws {
        let gone = known.keys.filter { !plan.paths.contains($0) && !plan.folders.contains($0) }
            .sorted { $1.utf8.lexicographicallyPrecedes($0.utf8) }
        var forgotten: [(path: String, contents: [ExportRecord.Content]?)] = []
        for path in gone where !path.hasSuffix("/") {
            try Task.checkCancellation()
            if try deleteFile(path) { forgotten.append((path, nil)) }
        }
        // Descending: what is in a folder comes before it.
        for path in gone where path.hasSuffix("/") {
            if try deleteFolder(path) { forgotten.append((path, nil)) }
        }
        try record.update(forgotten)
        for (path, _) in forgotten { known[path] = nil }
    }

    /// Returns whether the file is no longer there.
    private mutating func deleteFile(_ path: String) throws -> Bool {
        do {
            guard try obstacle(abovePath: path) == nil, let found = try attributes(path) else { return true }
            guard found.kind == .file else {
                leave(path, "something else is there, which export did not write")
                return false
            }
            let digest = try digest(path)
            guard known[path]?.contains(where: { $0.hash == digest }) == true else {
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
    private func deleteFolder(_ path: String) throws -> Bool {
        let plain = String(path.dropLast())
        guard try obstacle(abovePath: plain) == nil, try attributes(plain)?.kind == .directory else { return true }
        do {
            try files.removeDirectory(fullPath(plain))
            return true
        } catch {
            return error == .noSuchFile
        }
    }

    // MARK: Examining

    /// Decides what to do about a file of the version; what needs no writing is counted or reported here.
    mutating func examine(_ file: ExportPlan.File) throws -> Write? {
        let path = file.path.text
        let contents = known[path] ?? []
        if exporter.trustsRecord, contents.count == 1, contents[0].hash == file.hash {
            outcome.unchanged += 1
            return nil
        }
        do {
            if let obstacle = try obstacle(abovePath: path) {
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

    private mutating func settle(_ path: String, _ contents: [ExportRecord.Content]) throws {
        try record.update([(path, contents)])
        known[path] = contents
    }

    /// Why nothing can be below the folder at `path`'s parents, or nil: no link is followed, and files are no folders.
    private func obstacle(abovePath path: String) throws -> String? {
        var end = path.startIndex
        while let slash = path[end...].firstIndex(of: "/") {
            let parent = String(path[..<slash])
            switch try attributes(parent)?.kind {
            case .directory: break
            case nil: return nil
            case .link: return "'\(parent)' is a link"
            case .file, .other: return "'\(parent)' is not a folder"
            }
            end = path.index(after: slash)
        }
        return nil
    }

    private func attributes(_ path: String) throws -> FileAttributes? {
        do { return try files.attributes(at: fullPath(path), followLinks: false) } catch {
            if error == .noSuchFile || error == .notDirectory { return nil }
            throw FileCoordinationError.reading(fullPath(path), error)
        }
    }

    private func digest(_ path: String) throws -> Digest {
        try FileContent(path, in: exporter.folder.text, files: files).content(onRead: { _ in }).digest()
    }

    // MARK: Writing

    /// Records what the files will be, makes that durable, writes them, and records what they are.
    mutating func write(_ batch: [Write]) throws {
        if batch.isEmpty { return }
        var intents: [(path: String, contents: [ExportRecord.Content]?)] = []
        var settled: [(path: String, contents: [ExportRecord.Content]?)] = []
        var sizes: [UInt64] = []
        for write in batch {
            let path = write.file.path.text
            let size = try exporter.store.size(of: write.file.id, at: plan.version) ?? 0
            sizes.append(size)
            let new = ExportRecord.Content(hash: write.file.hash, size: size)
            intents.append((path, (known[path] ?? []).filter { $0 != new } + [new]))
            for folder in missingFolders(above: write.file.path) { intents.append((folder, [])) }
        }
        try record.update(intents)
        try record.sync()
        // What is written is its own even if a later file fails.
        defer { for (path, contents) in intents { known[path] = contents } }
        for (write, size) in zip(batch, sizes) {
            try Task.checkCancellation()
            let path = write.file.path.text
            if try replace(write) {
                settled.append((path, [ExportRecord.Content(hash: write.file.hash, size: size)]))
            }
        }
        try record.update(settled)
    }

    private func missingFolders(above path: RelativePath) -> [String] {
        (1..<path.components.count).map { path.components.prefix($0).joined(separator: "/") + "/" }
            .filter { known[$0] == nil && !exists($0) }
    }

    private func exists(_ folder: String) -> Bool {
        do { return try attributes(String(folder.dropLast())) != nil } catch { return true }
    }

    /// Returns whether the file is now as the version has it.
    private mutating func replace(_ write: Write) throws -> Bool {
        let path = write.file.path.text
        do {
            if let obstacle = try makeFolders(above: write.file.path) {
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
            sweep(String(fullPath(path).dropLast(write.file.path.components.last?.count ?? 0)))
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
    private mutating func sweep(_ folder: String) {
        guard sweptFolders.insert(folder).inserted else { return }
        // A leftover that stays does no harm: it is tried again by the next write in an hour.
        do { try coordinated.sweepTemporaryFiles(in: folder, olderThan: .zero) } catch {}
    }

    /// Makes the folders that are missing, each only below one that is really a folder. Returns what is in the way, or nil.
    private func makeFolders(above path: RelativePath) throws -> String? {
        for count in 1..<path.components.count {
            let folder = path.components.prefix(count).joined(separator: "/")
            switch try attributes(folder)?.kind {
            case .directory: break
            case .link: return "'\(folder)' is a link"
            case .file, .other: return "'\(folder)' is not a folder"
            case nil:
                do { try files.makeDirectory(fullPath(folder), permissions: .directory) } catch {
                    throw FileCoordinationError.makingDirectory(fullPath(folder), error)
                }
            }
        }
        return nil
    }

    // MARK: Reporting

    private mutating func leave(_ path: String, _ reason: String) {
        outcome.left.append(SkippedItem(file: path, reason: reason))
    }

    /// One file's trouble does not stop the others; a disk's does.
    private mutating func leave(_ path: String, unlessFatal error: any Error) throws {
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
