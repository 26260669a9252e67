/// The watched tree as it was last seen, and the work of keeping that true: scans are the truth, events are hints.
///
/// A watch is added before its folder is listed, so nothing falls between; every difference between what is remembered and
/// what is found is noted. All work is done in slices, between which new hints are served. Used by one thread.
final class WatchTree {
    /// A difference.
    struct Note {
        /// Relative to the root.
        var path: String
        /// What was remembered.
        var old: Fingerprint?
        /// What was found.
        var new: Fingerprint?
        /// Why it was looked at.
        var hint: ChangeHint
        /// Whether it counts as changed even if nothing seems to differ.
        var isCertain: Bool
    }

    /// What ``WatchStatus`` tells of the folders.
    struct Counts: Equatable {
        var folders = 0
        var watched = 0
        /// Folders on file systems that hide what others change.
        var blind = 0
        var unreadable = 0
        var skippedNames = 0
        /// Folders that were found but not yet listed.
        var unknown = 0
    }

    let root: String
    let files: any FileSystem
    /// Nil once it failed: from then on everything is looked at in intervals.
    var source: (any WatchEventSource)?
    let filter: WatchFilter
    let clock: () -> LookTime
    var changeClock = ChangeClock()

    var top: WatchedFolder?
    var watches: [Int32: WatchedFolder] = [:]
    var suspected: [WatchedFolder] = []
    /// For how long a file is not looked at that was made or written to, in nanoseconds. Nearly always it is closed by then,
    /// and that is what is told: the look at the open file would only stand in its way.
    var deferral: Int64 = 2_000_000
    var deferred: [(folder: WatchedFolder, name: PathKey, due: Int64)] = []
    /// Folders to list because something happened there, and those that only a rescan asks for.
    var urgent: [WatchedFolder] = []
    var waiting: [WatchedFolder] = []
    var rootIdentity: FileIdentity?
    var rootIsSuspect = false
    /// As it was when the root was looked for last; nil if hints tell of that.
    var rootWay: RootWay?
    /// Whether a hint says that the root was moved.
    var rootMayHaveLeft = false
    /// Places of which somebody may have seen more than is remembered.
    var doubts: [WatchDoubt] = []
    var notes: [Note] = []
    /// Whether differences are not noted: while the tree is listed for the first time.
    var isSilent = false
    var isInsideListing = false
    /// Its room is used for one folder after the other.
    var spareListing = FolderListing()
    var counts = Counts()
    /// How often events were lost.
    var generation = 0
    /// For which of the losses the last rescan was begun.
    var rescannedGeneration = 0
    var wantsRescan = false
    /// How often the whole tree was listed.
    var rescans = 0
    /// Why there is no folder at the root, or none that can be looked at.
    var rootFailure: Errno?
    /// Why a folder is blind.
    var blindness: FileCoordinationError?
    /// Why the last folder could not be watched.
    var watchFailure: Errno?
    /// Called when nothing that was hinted at waits for a look, right before hints are asked for.
    var onCatchingUp: () -> Void = {}
    /// Called between any two slices, to tell what was found so far; false ends the work.
    var betweenSlices: () -> Bool = { true }

    init(
        root: String, files: any FileSystem, source: (any WatchEventSource)?, filter: WatchFilter,
        clock: @escaping () -> LookTime = LookTime.now
    ) {
        self.root = root
        self.files = files
        self.source = source
        self.filter = filter
        self.clock = clock
    }

    deinit {
        // Children hold their parents.
        forEachFolder { $0.parent = nil }
    }

    func fullPath(_ path: String) -> String { path.isEmpty ? root : FilePlace.join(root, path) }

    /// The folder at a path relative to the root.
    func folder(at path: String) -> WatchedFolder? {
        var folder = top
        for name in path.pathParts { folder = folder?.subfolders[PathKey(name)] }
        return folder
    }

    /// What is remembered of a path; the root is known by its identity.
    func fingerprint(of path: String) -> Fingerprint? {
        if path.isEmpty { return rootIdentity?.fingerprint }
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return top?.snapshot[path] }
        return folder(at: String(path[..<slash]))?.snapshot[String(path[path.utf8.index(after: slash)...])]
    }

    func forEachFolder(_ body: (WatchedFolder) -> Void) {
        guard let top else { return }
        var stack = [top]
        while let folder = stack.popLast() {
            stack.append(contentsOf: folder.subfolders.values)
            body(folder)
        }
    }

    /// The path is only made if it is kept: most of a first listing's time would go into that.
    func note(
        _ path: @autoclosure () -> String, _ old: Fingerprint?, _ new: Fingerprint?, _ hint: ChangeHint,
        isCertain: Bool = false
    ) {
        guard !isSilent else { return }
        notes.append(Note(path: path(), old: old, new: new, hint: hint, isCertain: isCertain || hint == .closed))
    }

    /// Says that something may have come and gone there that was not looked at.
    func doubt(_ doubt: @autoclosure () -> WatchDoubt) {
        if !isSilent { doubts.append(doubt()) }
    }

    /// What was in the source is lost, and it would fail again.
    func giveUpSource(_ failure: Errno) {
        source?.close()
        source = nil
        watches = [:]
        forEachFolder {
            $0.watch = nil
            $0.sameWatch = nil
        }
        counts.watched = 0
        watchFailure = failure
        loseEvents()
    }

    /// Everything is listed again after what is being done now, and again if events are lost while that goes on.
    func loseEvents() {
        generation += 1
        rootIsSuspect = true
    }
}
