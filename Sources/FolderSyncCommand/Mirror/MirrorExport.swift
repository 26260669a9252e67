import FileCoordination
import LLVSCore

/// What an export into the directory did.
struct MirrorExport {
    var written: [String] = []
    var deleted: [String] = []
    /// Files that changed since they were last imported: to be imported first.
    var changed: [String] = []
    /// Files that are not as the version has them, because they cannot be.
    var left: [SkippedItem] = []
    /// Values that no file can have the name of.
    var skipped: [SkippedItem] = []

    var isEmpty: Bool { written.isEmpty && deleted.isEmpty }
}

/// Makes a mirrored directory equal to a version. A file is replaced or deleted only if it holds what was imported from it
/// or exported to it last, as read at the last moment.
///
/// What is about to be done is recorded before, and that it is done after it is durable: whenever the process ends, the next
/// import knows both contents as the store's own, and what is not there yet as not deleted.
struct MirrorExportPass {
    private static let batchSize = 64

    let store: Store
    let directory: MirrorDirectory
    let filter: MirrorFilter
    /// The inode of the directory, so that nothing is written into the mount point of one that goes away.
    let inode: UInt64
    /// Folders of which what was mounted on them is gone: nothing is written or deleted there.
    var unmounted: Set<RelativePath> = []
    var record: MirrorRecord
    private(set) var result = MirrorExport()
    private var sweptFolders: Set<RelativePath?> = []

    init(store: Store, directory: MirrorDirectory, filter: MirrorFilter, inode: UInt64, record: MirrorRecord) {
        self.store = store
        self.directory = directory
        self.filter = filter
        self.inode = inode
        self.record = record
    }

    private var coordinated: CoordinatedFile {
        CoordinatedFile(files: directory.files, durability: .content, followLinks: false)
    }

    mutating func run(_ version: Version.ID) throws {
        let plan = try ExportPlan(of: version, in: store)
        let skipped = Set(plan.skipped.map { Array($0.file.utf8) })
        let gone = record.entries.keys.filter {
            !plan.has(.file($0)) && !skipped.contains($0.utf8) && !filter.leavesOut($0)
        }
        // Descending: what is in a folder comes before it.
        for batch in gone.sorted(by: >).batches(of: Self.batchSize) { try delete(batch) }
        let wanted = plan.files.filter { file in
            let entry = record.entries[file.path]
            return (entry?.settled?.hash != file.hash || entry?.pending != nil) && !filter.leavesOut(file.path)
        }
        for batch in wanted.batches(of: Self.batchSize) { try write(batch, at: version) }
        result.skipped = plan.skipped
    }

    // MARK: Deleting

    private mutating func delete(_ batch: [RelativePath]) throws {
        try checkDirectory()
        try record.update(
            batch.map { path in (path, MirrorEntry(settled: record.entries[path]?.settled, pending: .deletion)) })
        try record.sync()
        var done: [RelativePath] = []
        for path in batch {
            try Task.checkCancellation()
            if try delete(path) { done.append(path) }
        }
        for folder in Set(done.map(\.parents.last)) { directory.sync(folder) }
        try checkDirectory()
        try record.update(done.map { ($0, nil) })
    }

    /// Returns whether there is no file any more that the record knows.
    private mutating func delete(_ path: RelativePath) throws -> Bool {
        guard let entry = record.entries[path], let settled = entry.settled else { return true }
        do {
            if let obstacle = try obstacle(above: path) {
                leave(path, obstacle)
                return false
            }
            try coordinated.deleteIfUnchanged(at: directory.full(path), since: settled.state)
            result.deleted.append(path.text)
            removeEmptyFolders(above: path)
            return true
        } catch {
            try leave(path, unlessFatal: error)
            return false
        }
    }

    /// Removes the folders that a deletion left empty.
    private func removeEmptyFolders(above path: RelativePath) {
        for folder in path.parents.reversed() {
            // Where something else is in it, it stays; that is how this ends.
            do { try directory.files.removeDirectory(directory.full(folder)) } catch { return }
        }
    }

    // MARK: Writing

    private mutating func write(_ batch: [ExportPlan.File], at version: Version.ID) throws {
        try checkDirectory()
        var done: [MirrorRecord.Update] = []
        var intents: [MirrorRecord.Update] = []
        for file in batch {
            let content = MirrorContent(
                hash: file.hash, size: try store.size(of: file.id, at: version) ?? 0, version: file.storedBy)
            intents.append(
                (file.path, MirrorEntry(settled: record.entries[file.path]?.settled, pending: .write(content))))
        }
        try record.update(intents)
        try record.sync()
        for (file, intent) in zip(batch, intents) {
            try Task.checkCancellation()
            guard case .write(let content) = intent.entry?.pending else { continue }
            if try write(file, at: version) { done.append((file.path, MirrorEntry(settled: content))) }
        }
        for folder in Set(done.map(\.path.parents.last)) { directory.sync(folder) }
        // Of a directory that went away meanwhile, nothing is known to be done.
        try checkDirectory()
        try record.update(done)
    }

    /// Returns whether the file is now as the version has it.
    private mutating func write(_ file: ExportPlan.File, at version: Version.ID) throws -> Bool {
        let path = file.path
        do {
            if let obstacle = try makeFolders(above: path) {
                leave(path, obstacle)
                return false
            }
            sweep(path.parents.last)
            guard let content = try store.content(of: file.id, at: version) else { return false }
            let expected = record.entries[path]?.expected ?? .absent
            try coordinated.writeIfUnchanged(to: directory.full(path), since: expected) { writer in
                try content.forEachPiece(of: 1 << 18) { piece in
                    try Task.checkCancellation()
                    try writer.write(Array(piece))
                }
            }
            result.written.append(path.text)
            return true
        } catch {
            try leave(path, unlessFatal: error)
            return false
        }
    }

    /// Removes what an export that was killed was writing in the folder.
    private mutating func sweep(_ folder: RelativePath?) {
        guard sweptFolders.insert(folder).inserted else { return }
        // A leftover that stays does no harm: it is tried again by the next write in an hour.
        do {
            try coordinated.sweepTemporaryFiles(
                in: folder.map { directory.full($0) } ?? directory.path.text, olderThan: .zero)
        } catch {}
    }

    /// Makes the folders that are missing, each only below one that is really a folder. Returns what is in the way, or nil.
    private func makeFolders(above path: RelativePath) throws -> String? {
        for folder in path.parents {
            if unmounted.contains(folder) { return "what was mounted on '\(folder.text)' is not there" }
            if let kind = try kind(of: folder) {
                if kind != .directory { return "'\(folder.text)' is not a folder" }
                continue
            }
            do { try directory.files.makeDirectory(directory.full(folder), permissions: .directory) } catch {
                throw FileCoordinationError.makingDirectory(directory.full(folder), error)
            }
        }
        return nil
    }

    /// Why the path cannot be reached, or nil: no link is followed.
    private func obstacle(above path: RelativePath) throws -> String? {
        for folder in path.parents {
            if unmounted.contains(folder) { return "what was mounted on '\(folder.text)' is not there" }
            if let kind = try kind(of: folder), kind != .directory { return "'\(folder.text)' is not a folder" }
        }
        return nil
    }

    private func kind(of path: RelativePath) throws -> FileKind? {
        do { return try directory.files.attributes(at: directory.full(path), followLinks: false).kind } catch {
            if error == .noSuchFile || error == .notDirectory { return nil }
            throw FileCoordinationError.reading(directory.full(path), error)
        }
    }

    private func checkDirectory() throws {
        if try directory.attributes().inode == inode { return }
        throw CommandError(
            "'\(directory.path)' became another directory while it was written to; nothing was deleted",
            remedy: "check that it is mounted, and run the command again")
    }

    // MARK: Reporting

    private mutating func leave(_ path: RelativePath, _ reason: String) {
        result.left.append(SkippedItem(file: path.text, reason: reason))
    }

    /// One file's trouble does not stop the others; a disk's does.
    private mutating func leave(_ path: RelativePath, unlessFatal error: any Error) throws {
        guard let error = error as? FileCoordinationError else { throw error }
        if error.code == .changed { return result.changed.append(path.text) }
        guard Self.concernsOneFile.contains(error.code) else { throw error }
        leave(path, error.what)
    }

    private static let concernsOneFile: Set<FileCoordinationError.Code> = [
        .notPermitted, .isDirectory, .notDirectory, .notRegularFile, .invalidName, .noSuchFile, .fileExists, .busy,
        .link, .tooLarge, .noParent,
    ]
}

extension Array {
    fileprivate func batches(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min(count, $0 + size)]) }
    }
}
