import FileCoordination
import LLVSCore

/// What turns the values of a version into the files of a folder: additions, edits and removals.
struct ImportPlan {
    enum Kind {
        case addition
        case edit
    }

    struct Write {
        let file: FileContent
        let id: Value.ID
        let kind: Kind
    }

    private(set) var writes: [Write] = []
    private(set) var removals: [Value.ID] = []
    private(set) var unchanged = 0
    /// What was left out, as the scan has it, and files that cannot be read.
    private(set) var skipped: [SkippedItem]
    /// Values that stay because no file could have their id: what `export` cannot write, `import` must not remove.
    private(set) var kept: [Value.ID] = []

    var isEmpty: Bool { writes.isEmpty && removals.isEmpty }

    /// Compares the scanned folder with a version, by content: sizes first, then hashes.
    init(
        _ scan: DirectoryScan, of folder: String, against version: Version.ID, of store: Store,
        files: any FileSystem = .local, progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        skipped = scan.skipped
        var stored: [Value.ID: Digest] = [:]
        try store.forEachValue(at: version) {
            stored[$0.id] = $0.contentHash
            return true
        }
        var present: Set<Value.ID> = []
        for (number, path) in scan.files.enumerated() {
            progress(number, scan.files.count)
            let id = try Value.ID(path)
            present.insert(id)
            do {
                let file = try FileContent(path, in: folder, files: files)
                try add(file, id, stored: stored[id], at: version, of: store)
            } catch let error as FileUnavailable {
                skipped.append(SkippedItem(file: error.path, reason: error.reason))
            }
        }
        let folders = FolderNames(stored.keys)
        for id in stored.keys.sorted() where !present.contains(id) {
            if scan.unknownFolders.contains(where: { id.utf8.starts(with: $0.utf8) }) { continue }
            if RelativePath(id) == nil || folders.contains(id) {
                kept.append(id)
            } else {
                removals.append(id)
            }
        }
    }

    private mutating func add(
        _ file: FileContent, _ id: Value.ID, stored: Digest?, at version: Version.ID, of store: Store
    ) throws {
        guard let stored else { return writes.append(Write(file: file, id: id, kind: .addition)) }
        if try store.size(of: id, at: version) == file.size,
            try file.content(onRead: { _ in }).digest() == stored
        {
            unchanged += 1
        } else {
            writes.append(Write(file: file, id: id, kind: .edit))
        }
    }

    /// Goes on without a file that vanished or changed: what is stored of it stays.
    mutating func leaveOut(_ file: FileUnavailable) {
        writes.removeAll { $0.file.path.utf8.elementsEqual(file.path.utf8) }
        skipped.append(SkippedItem(file: file.path, reason: file.reason))
    }

    /// Values without a file stay. Returns how many.
    mutating func keepRemovals() -> Int {
        defer { removals = [] }
        return removals.count
    }

    /// The changes for one version.
    func changes(onRead: @escaping @Sendable (Int) -> Void) -> [Value.Change] {
        writes.map { .insert(Value(id: $0.id, content: $0.file.content(onRead: onRead))) }
            + removals.map { .remove($0) }
    }
}
