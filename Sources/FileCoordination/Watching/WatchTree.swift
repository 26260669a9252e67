/// What is remembered of a file to see whether it changed.
struct Fingerprint: Hashable, Sendable {
    let size: Int64
    let modified: Int64
    let changed: Int64
    let inode: UInt64
    let kind: FileKind

    /// A folder changes with everything in it, which is told by itself: only its identity counts.
    init(_ attributes: FileAttributes) {
        let isFolder = attributes.kind == .directory
        size = isFolder ? 0 : attributes.size
        modified = isFolder ? 0 : attributes.modified
        changed = isFolder ? 0 : attributes.changed
        inode = attributes.inode
        kind = attributes.kind
    }
}

/// One folder as it was last seen.
final class WatchedFolder {
    /// Relative to the root; empty for the root itself.
    let path: String
    var entries: [String: Fingerprint] = [:]
    var watch: Int32?
    var skippedNames = 0
    var isUnreadable = false
    var isListed = false
    var isQueued = false
    /// Names to look at.
    var suspects: [String: ChangeHint] = [:]

    init(path: String) { self.path = path }

    func path(of name: String) -> String { path.isEmpty ? name : "\(path)/\(name)" }
}

/// The watched tree as it was last seen, and the work of keeping that true: scans are the truth, events are hints.
///
/// A watch is added before its folder is listed, so nothing falls between; every difference between what is remembered and
/// what is found is noted. Used by one thread.
final class WatchTree {
    /// A difference: the path relative to the root, what was remembered, and why it was looked at.
    typealias Note = (path: String, old: Fingerprint?, hint: ChangeHint)

    let root: String
    let files: any FileSystem
    /// Nil once it failed: from then on everything is looked at in intervals.
    private(set) var source: (any WatchEventSource)?
    let filter: WatchFilter

    var folders: [String: WatchedFolder] = [:]
    var watches: [Int32: [WatchedFolder]] = [:]
    var queue: [WatchedFolder] = []
    var suspected: [WatchedFolder] = []
    var rootIdentity: FileIdentity?
    var rootIsSuspect = false
    var notes: [Note] = []
    /// Whether differences are not noted: while the tree is listed for the first time.
    var isSilent = false
    var overflows = 0
    /// Grows whenever a folder comes, goes, or is watched or read in another way than before.
    var revision = 0
    /// Why the last folder could not be watched.
    var watchFailure: Errno?

    init(
        root: String, files: any FileSystem, source: (any WatchEventSource)?, filter: WatchFilter
    ) {
        self.root = root
        self.files = files
        self.source = source
        self.filter = filter
    }

    func fullPath(_ path: String) -> String { path.isEmpty ? root : FilePlace.join(root, path) }

    /// What is remembered of a path; the root is known by its identity.
    func fingerprint(of path: String) -> Fingerprint? {
        if path.isEmpty { return rootIdentity?.fingerprint }
        guard let place = FilePlace(path) else { return nil }
        return folders[place.folder == "." ? "" : place.folder]?.entries[place.name]
    }

    /// The path is only made if it is kept: most of a first listing's time would go into that.
    func note(_ path: @autoclosure () -> String, _ old: Fingerprint?, _ hint: ChangeHint) {
        if !isSilent { notes.append((path(), old, hint)) }
    }

    func enqueue(_ folder: WatchedFolder) {
        guard !folder.isQueued else { return }
        folder.isQueued = true
        queue.append(folder)
    }

    func suspect(_ name: String, in folder: WatchedFolder, _ hint: ChangeHint) {
        if folder.suspects.isEmpty { suspected.append(folder) }
        // A close is the strongest hint: the file is whole. Else the last one counts.
        if folder.suspects[name] != .closed || hint == .gone { folder.suspects[name] = hint }
    }

    /// What was in the source is lost, and it would fail again.
    func giveUpSource(_ failure: Errno) {
        source?.close()
        source = nil
        watches = [:]
        for folder in folders.values { folder.watch = nil }
        watchFailure = failure
        overflows += 1
        revision += 1
        suspectAll()
    }

    /// Every folder is listed again.
    func suspectAll() {
        rootIsSuspect = true
        for folder in folders.values { enqueue(folder) }
    }

    /// Folders that no hint comes from are listed again.
    func suspectUnwatched() {
        for folder in folders.values where folder.watch == nil { enqueue(folder) }
    }
}

/// Which directory the root path leads to.
struct FileIdentity: Hashable {
    let device: UInt64
    let fingerprint: Fingerprint

    init(_ attributes: FileAttributes) {
        device = attributes.device
        fingerprint = Fingerprint(attributes)
    }
}
