import FileCoordination
import LLVSCore

/// A mirrored directory compared with what is known of it.
struct MirrorComparison {
    /// A file that somebody made, edited or deleted.
    struct Change {
        let path: RelativePath
        /// Nil: deleted.
        let file: FileContent?
        /// What the file was before.
        let entry: MirrorEntry?
    }

    private(set) var changes: [Change] = []
    /// What is found to be as the store has it already.
    private(set) var updates: [MirrorRecord.Update] = []
    /// Files that may be in the middle of being written.
    private(set) var deferred: [RelativePath] = []
    /// What is not kept: links and the like.
    private(set) var skipped: [SkippedItem] = []
    /// Files and folders that could not be read; what is stored of them stays.
    private(set) var unreadable: [SkippedItem] = []
    /// Whether there is no file at all.
    private(set) var isEmpty = true
    /// How many recorded files are not there.
    private(set) var missing = 0

    /// Folders on which another file system was mounted: now, or until it went away; and those of which it went away.
    private(set) var mounts: Set<RelativePath> = []
    private(set) var unmounted: Set<RelativePath> = []

    private let source: Source

    /// What a comparison is made from.
    struct Source {
        let directory: MirrorDirectory
        let record: MirrorRecord
        let filter: MirrorFilter
        let store: Store
        let current: Version.ID
        let now: Int64
        /// Whether what is missing was deleted on purpose, also where something was mounted.
        let acceptsDeletions: Bool
        /// Whether it goes on when its task is cancelled: for the last look of all.
        var isLast = false
    }

    init(_ source: Source, digests: inout MirrorDigests, looks: inout MirrorLooks) throws {
        self.source = source
        let scan = try Self.scan(source)
        isEmpty = scan.files.isEmpty
        var found: Set<RelativePath> = []
        let shown = scan.files.map { RelativePath(trusted: Array($0.utf8)) }
        let spelling = try MirrorSpelling(shown, source.record, in: source.directory)
        for path in shown.map({ spelling($0) }) {
            if !source.isLast { try Task.checkCancellation() }
            // A service's stand-in for a file whose content is elsewhere.
            if MirrorUnknown.original(of: path) != nil { continue }
            found.insert(path)
            do { try compare(path, &digests, &looks) } catch let error as FileUnavailable {
                unreadable.append(SkippedItem(file: error.path, reason: error.reason))
            }
        }
        let unknown = MirrorUnknown(scan, source.record, found, accepting: source.acceptsDeletions)
        unmounted = unknown.unmounted
        mounts = unmounted.union(scan.mounts.map { RelativePath(trusted: Array($0.utf8)) })
        unreadable += unknown.items
        for item in scan.skipped {
            if scan.unknownFolders.contains(item.file) { unreadable.append(item) } else { skipped.append(item) }
        }
        for (path, entry) in source.record.entries.sorted(by: { $0.key < $1.key }) where !found.contains(path) {
            if unknown.contains(path) || source.filter.leavesOut(path) { continue }
            try compareMissing(path, entry, &looks)
        }
        digests.keep(found)
        looks.endRound()
    }

    private static func scan(_ source: Source) throws -> DirectoryScan {
        try DirectoryScan(
            of: source.directory.path.text, in: source.directory.files,
            leavingOut: { source.filter.leavesOut($0, in: $1, $2) })
    }

    /// Decides about a file that is there.
    private mutating func compare(
        _ path: RelativePath, _ digests: inout MirrorDigests, _ looks: inout MirrorLooks
    ) throws {
        let file = try FileContent(path.text, in: source.directory.path.text, files: source.directory.files)
        let entry = source.record.entries[path]
        let hash = try digests.digest(of: file, at: path, now: source.now)
        if let known = entry?.content(with: hash) {
            let settled = MirrorEntry(settled: known)
            if entry != settled { updates.append((path, settled)) }
        } else if let known = try storedAlready(path, hash, file.size, entry) {
            updates.append((path, MirrorEntry(settled: known)))
        } else if looks.isSettled(path, file.seen, now: source.now) {
            changes.append(Change(path: path, file: file, entry: entry))
        } else {
            deferred.append(path)
        }
    }

    /// The content of a file, if the current version has it at this path, or if it was saved on top of what the file was
    /// before: by an import that was interrupted before it could record that, or by somebody else.
    private func storedAlready(
        _ path: RelativePath, _ hash: Digest, _ size: UInt64, _ entry: MirrorEntry?
    ) throws -> MirrorContent? {
        let id = try Value.ID(utf8: path.utf8)
        let present = try source.store.reference(of: id, at: source.current)
        if let present, present.contentHash == hash {
            return MirrorContent(hash: hash, size: size, version: present.version)
        }
        // A file that is there again after it was deleted was brought back: that is a change, whatever it holds.
        if entry == nil, present == nil { return nil }
        let base = entry?.settled?.version ?? .root
        for revision in source.store.versions(of: id).prefix(64) {
            guard let reference = try revision.get().reference, reference.contentHash == hash else { continue }
            if try source.store.isAncestor(base, of: reference.version) {
                return MirrorContent(hash: hash, size: size, version: reference.version)
            }
        }
        return nil
    }

    /// Decides about a file that is recorded and not there.
    private mutating func compareMissing(_ path: RelativePath, _ entry: MirrorEntry, _ looks: inout MirrorLooks) throws
    {
        if entry.mayBeAbsent { return updates.append((path, nil)) }
        missing += 1
        let id = try Value.ID(utf8: path.utf8)
        if try source.store.reference(of: id, at: source.current) == nil { return updates.append((path, nil)) }
        if looks.isSettled(path, nil, now: source.now) {
            changes.append(Change(path: path, file: nil, entry: entry))
        } else {
            deferred.append(path)
        }
    }
}
