/// What hints say of a name that was not looked at since.
struct Suspicion {
    private(set) var hint: ChangeHint
    /// Whether it was gone, at least for a moment.
    private(set) var hasGone = false
    /// Whether something was there, at least for a moment.
    private(set) var hasCome = false

    init(hint: ChangeHint) { self.hint = hint }

    mutating func add(_ new: ChangeHint) {
        // A close is the strongest hint: the file is whole. Else the last one counts.
        if hint != .closed || new == .gone { hint = new }
        if new == .gone { hasGone = true } else { hasCome = true }
    }
}

/// One folder as it was last seen.
final class WatchedFolder {
    enum Queue {
        case none
        case urgent
        case rescan
    }

    let name: String
    /// Nil for the root, and once the folder was given up.
    var parent: WatchedFolder?
    var subfolders: [PathKey: WatchedFolder] = [:]
    var snapshot = FolderSnapshot()
    var watch: Int32?
    /// The next folder with the same watch: the same directory at another path.
    var sameWatch: WatchedFolder?
    /// Names to look at.
    var suspects: [PathKey: Suspicion] = [:]
    /// Names that were gone at least for a moment, and that its next listing looks at.
    var unsettled: [PathKey: Suspicion] = [:]
    /// Names to look at in a moment; see ``WatchTree/deferral``.
    var deferred: [PathKey: ChangeHint] = [:]
    /// Names that were looked at while the folder is being listed: what was seen then is newer than the listing.
    var lookedAt: Set<PathKey>?
    /// When it was last listed, by the steady clock.
    var listedAt: Int64 = 0
    /// How often events had been lost when it was last listed.
    var generation = 0
    var skippedNames: Int32 = 0
    /// The directory that was listed last; 0 before that. The path may have led to another one by then.
    var inode: UInt64 = 0
    /// The device it is on; 0 before it was listed.
    var device: UInt64 = 0
    /// Whether others can change it without an event.
    var isBlind = false
    /// Its `mtime` when it was listed last, if no hint tells of everything in it; 0 if that may change without a trace.
    var modified: Int64 = 0
    /// In the same way, its `ctime` when its parent was listed last.
    var changed: Int64 = 0
    /// Whether names in it may have come and gone between its last two listings without a hint.
    var hidNames = false
    var queue = Queue.none
    var isUnreadable = false
    /// Whether a look found its path leading elsewhere, or nowhere, since it was last listed.
    var isInDoubt = false
    var isListed = false
    /// Whether a listing was tried: until then what is in it is not known.
    var wasTried = false
    /// No longer part of the tree.
    var isGone = false

    init(name: String, parent: WatchedFolder?) {
        self.name = name
        self.parent = parent
    }

    /// Whether hints do not tell of everything in it.
    var isUnwatched: Bool { watch == nil || isBlind }

    /// Whether there may be names in it that were not looked at.
    var hasUnseen: Bool {
        isUnwatched || !isListed || isInDoubt || queue == .urgent || lookedAt != nil || !suspects.isEmpty
            || !deferred.isEmpty || !unsettled.isEmpty
    }

    /// Relative to the root; empty for the root itself.
    var path: String {
        guard let parent else { return "" }
        if parent.parent == nil { return name }
        var path = parent.path
        path.append("/")
        path.append(name)
        return path
    }

    func path(of name: String) -> String { parent == nil ? name : "\(path)/\(name)" }
}
