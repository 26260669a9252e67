/// The watcher's thread: sleeps, takes hints in, looks, and tells what changed.
final class WatchLoop {
    /// So many paths are told at a time, so that a large number does not keep a single one waiting.
    private static let mostAtOnce = 512

    let core: WatchCore
    let tree: WatchTree
    private let waker: WatchWaker
    var coalescer: ChangeCoalescer
    /// For each pending path, what the consumer believes.
    var told: [PathKey: Fingerprint?] = [:]
    /// Pending paths that are told even if nothing seems to differ: files that were closed after writing, for example.
    private var certain: Set<PathKey> = []
    /// Pending paths that somebody may have looked at meanwhile, each with whether it was a directory: their end is told even if
    /// nothing was.
    var seen: [PathKey: Bool] = [:]
    /// How often subscribers had been told to read a tree.
    var knownReadings = 0
    /// Places that were told again on no more than a guess, each with the round and how often in a row.
    var guessed: [PathKey: (round: Int, count: Int)] = [:]
    /// When the looks are due that were put off in the last round; nil if that is not known yet.
    var putOff: Int64?
    private var status = WatchStatus()
    private var knownLosses = 0
    private var knownCounts = WatchTree.Counts()
    /// Why there is no source of hints.
    var sourceFailure: FileCoordinationError?
    /// Why a folder could not be watched.
    private(set) var watchFailure: FileCoordinationError?
    var hasToldPolling = false
    private let time: WatchTime
    private var nextRescan: ContinuousClock.Instant?
    private var nextPoll: ContinuousClock.Instant
    private var isArmed = false

    /// Runs until the watcher is stopped; the calling thread is the watcher's.
    static func run(_ core: WatchCore) {
        do {
            let loop = try WatchLoop(core)
            loop.run()
            loop.close()
        } catch {
            let failure = FileCoordinationError.watching(core.root, error)
            core.tell([WatchEvent(.polling(failure), path: core.root, isDirectory: true)])
        }
        core.finish()
    }

    private init(_ core: WatchCore) throws(Errno) {
        self.core = core
        waker = try WatchWaker()
        core.use(waker)
        let (source, failure) = Self.makeSource(core)
        sourceFailure = failure
        tree = WatchTree(root: core.root, files: core.files, source: source, filter: WatchFilter(core.options))
        coalescer = ChangeCoalescer(timing: core.options.timing)
        time = WatchTime(core.options.clock)
        nextRescan = core.options.periodicRescan.map { [time] in time.now + $0 }
        nextPoll = time.now + core.options.pollInterval
    }

    private func close() {
        tree.source?.close()
        waker.close()
    }

    private func run() {
        tree.betweenSlices = { [unowned self] in serve() }
        tree.onCatchingUp = { [unowned self] in if !tree.polls { tryToBeginRound() } }
        arm()
        while !core.isStopped {
            waker.sleep(watching: tree.source?.descriptor, for: timeUntilNext())
            if core.isStopped { return }
            if core.polls { checkLooks() }
            tree.settle()
            runTimers()
            _ = serve()
            tellLosses()
            report()
        }
    }

    /// The first listing tells nothing but that it is done.
    private func arm() {
        tree.rootIsSuspect = true
        tree.isSilent = true
        tree.settle()
        tree.isSilent = false
        knownLosses = tree.generation
        isArmed = true
        report()
        core.armed()
        _ = serve()
    }

    private func timeUntilNext() -> Duration {
        let next = min(nextRescan ?? nextPoll, nextPoll, coalescer.nextDue ?? nextPoll)
        var sleep = max(.zero, next - time.now)
        for limit in [time.longestSleep, tree.timeUntilDeferred] { if let limit { sleep = min(sleep, limit) } }
        return sleep
    }

    private func runTimers() {
        let now = time.now
        if let interval = core.options.periodicRescan, let next = nextRescan, next <= now {
            nextRescan = now + interval
            tree.rootIsSuspect = true
            tree.wantsRescan = true
            tree.settle()
        }
        if nextPoll <= now {
            let begun = ContinuousClock.now
            retrySource()
            if tree.polls { tryToBeginRound() }
            // The kernel does not tell of a root whose parent was moved, nor of one that comes into being.
            tree.rootIsSuspect = true
            tree.suspectUnwatched()
            tree.settle()
            // Looking takes a tenth of the time at most, however large the tree is.
            nextPoll = time.now + max(core.options.pollInterval, (ContinuousClock.now - begun) * 10)
        }
    }

    /// What comes first, whatever else is being done: between two slices of work.
    ///
    /// - Returns: Whether the work goes on.
    private func serve() -> Bool {
        if core.isStopped { return false }
        if !tree.notes.isEmpty || !tree.doubts.isEmpty { takeNotes() }
        if let due = coalescer.nextDue, due <= time.now { tellDue() }
        if isArmed, tree.counts.unknown == 0, core.hasRequests { answerRequests() }
        return true
    }

    private func takeNotes() {
        let now = time.now
        var events: [WatchEvent] = []
        var toldNow: Set<PathKey> = []
        for note in tree.notes {
            if coalescer.tellsAtOnce(note.path, note.hint, at: now) {
                if let event = event(note.path, from: note.old, to: note.new, isCertain: true) { events.append(event) }
                if !tree.doubts.isEmpty { toldNow.insert(PathKey(note.path)) }
                continue
            }
            let key = PathKey(note.path)
            if told[key] == nil { told[key] = .some(note.old) }
            coalescer.observe(note.path, note.hint, at: now)
            // Who was told of it and looks now may find nothing, though it comes back as it was.
            if note.isCertain || note.hint == .gone { certain.insert(key) }
            if note.old == nil, mayHaveSeen(note.path) { seen[key] = note.new?.kind == .directory }
        }
        tree.notes = []
        takeDoubts(unless: toldNow, at: now)
        core.tell(events)
    }

    private func tellDue() {
        noteReadings()
        var events: [WatchEvent] = []
        for path in coalescer.takeDue(at: time.now, limit: Self.mostAtOnce) {
            let key = PathKey(path)
            let (old, new) = (told.removeValue(forKey: key) ?? nil, tree.fingerprint(of: path))
            let (isCertain, wasFolder) = (certain.remove(key) != nil, seen.removeValue(forKey: key))
            if let event = event(path, from: old, to: new, isCertain: isCertain || wasFolder != nil) {
                events.append(event)
            } else if old == nil, new == nil, let wasFolder {
                events.append(WatchEvent(.removed, path: tree.fullPath(path), isDirectory: wasFolder))
            }
        }
        core.tell(events)
    }

    /// What is to be said of a path of which the subscribers believe `old`; nil if nothing is.
    private func event(
        _ path: String, from old: Fingerprint?, to new: Fingerprint?, isCertain: Bool
    ) -> WatchEvent? {
        let kind: WatchEvent.Kind
        switch (old, new) {
        case (nil, nil): return nil
        case (nil, _): kind = .created
        case (_, nil): kind = .removed
        case (let old, let new):
            guard old != new || isCertain else { return nil }
            kind = .modified
        }
        let isDirectory = (new ?? old)?.kind == .directory
        return WatchEvent(kind, path: tree.fullPath(path), isDirectory: isDirectory)
    }

    /// Once for each rescan that followed a loss: what it found is told by itself.
    private func tellLosses() {
        guard tree.generation != knownLosses else { return }
        knownLosses = tree.generation
        tree.doubt(WatchDoubt(path: "", folder: ""))
        takeDoubts(unless: [], at: time.now)
        core.tell([WatchEvent(.rescan(.eventsLost), path: core.root, isDirectory: true)])
    }

    private func report() {
        let before = status
        status.rescans = tree.rescans + 1
        status.overflows = tree.generation
        if let failure = tree.watchFailure {
            let error = FileCoordinationError.watching(core.root, failure)
            if tree.source == nil { sourceFailure = error } else { watchFailure = error }
            tree.watchFailure = nil
        }
        if knownCounts != tree.counts {
            core.report(polls: tree.polls)
            knownCounts = tree.counts
            status.watchedFolders = knownCounts.watched
            status.polledFolders = knownCounts.folders - knownCounts.watched
            status.blindFolders = knownCounts.blind
            status.unreadableFolders = knownCounts.unreadable
            status.skippedNames = knownCounts.skippedNames
        }
        status.rootProblem = tree.rootFailure.map { .watching(core.root, $0) }
        status.phase = findPhase()
        guard status != before else { return }
        core.report(status)
        tellMode(before: before.phase, now: status.phase)
    }
}
