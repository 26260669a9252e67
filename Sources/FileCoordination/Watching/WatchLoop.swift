/// The watcher's thread: sleeps, takes hints in, looks, and tells what changed.
final class WatchLoop {
    private let core: WatchCore
    private let waker: WatchWaker
    private let tree: WatchTree
    private var coalescer: ChangeCoalescer
    /// For each pending path, what the consumer believes.
    private var told: [String: Fingerprint?] = [:]
    /// Pending paths that were closed after writing: told even if nothing seems to differ.
    private var closed: Set<String> = []
    private var status = WatchStatus()
    private var knownOverflows = 0
    private var knownRevision = -1
    private var pollingReason: FileCoordinationError?
    private let time: WatchTime
    private var nextRescan: ContinuousClock.Instant?
    private var nextPoll: ContinuousClock.Instant

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
        var source: (any WatchEventSource)?
        if core.options.pollsOnly {
            pollingReason = .watching(core.root, .notSupported)
        } else {
            do {
                source = try core.makeSource()
                if source == nil { pollingReason = .watching(core.root, .notSupported) }
            } catch { pollingReason = .watching(core.root, error) }
        }
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
        arm()
        while !core.isStopped {
            waker.sleep(watching: tree.source?.descriptor, for: timeUntilNext())
            if core.isStopped { return }
            tree.settle { core.isStopped }
            runTimers()
            takeNotes()
            tellDue()
            tellOverflows()
            report()
        }
    }

    /// The first listing tells nothing but that it is done.
    private func arm() {
        tree.rootIsSuspect = true
        tree.isSilent = true
        tree.settle { core.isStopped }
        tree.isSilent = false
        status.rescans = 1
        report()
        core.armed()
    }

    private func timeUntilNext() -> Duration {
        let next = min(nextRescan ?? nextPoll, nextPoll, coalescer.nextDue ?? nextPoll)
        let sleep = max(.zero, next - time.now)
        return time.longestSleep.map { min($0, sleep) } ?? sleep
    }

    private func runTimers() {
        let now = time.now
        if let interval = core.options.periodicRescan, let next = nextRescan, next <= now {
            nextRescan = now + interval
            status.rescans += 1
            tree.suspectAll()
            tree.settle { core.isStopped }
        }
        if nextPoll <= now {
            nextPoll = now + core.options.pollInterval
            // The kernel does not tell of a root whose parent was moved, nor of one that comes into being.
            tree.rootIsSuspect = true
            tree.suspectUnwatched()
            tree.settle { core.isStopped }
        }
    }

    private func takeNotes() {
        let now = time.now
        for note in tree.notes {
            if told[note.path] == nil { told[note.path] = .some(note.old) }
            coalescer.observe(note.path, note.hint, at: now)
            if note.hint == .closed { closed.insert(note.path) }
        }
        tree.notes = []
    }

    private func tellDue() {
        var events: [WatchEvent] = []
        for path in coalescer.takeDue(at: time.now) {
            let old = told.removeValue(forKey: path) ?? nil
            let wasClosed = closed.remove(path) != nil
            let new = tree.fingerprint(of: path)
            let kind: WatchEvent.Kind
            switch (old, new) {
            case (nil, nil): continue
            case (nil, _): kind = .created
            case (_, nil): kind = .removed
            case (let old, let new):
                guard old != new || wasClosed else { continue }
                kind = .modified
            }
            let isDirectory = (new ?? old)?.kind == .directory
            events.append(WatchEvent(kind, path: tree.fullPath(path), isDirectory: isDirectory))
        }
        core.tell(events)
    }

    private func tellOverflows() {
        guard tree.overflows != knownOverflows else { return }
        status.rescans += 1
        knownOverflows = tree.overflows
        core.tell([WatchEvent(.rescan(.eventsLost), path: core.root, isDirectory: true)])
    }

    /// Counts only if something changed: most hints change nothing here.
    private func report() {
        guard tree.revision != knownRevision || tree.overflows != status.overflows else { return }
        knownRevision = tree.revision
        var watched = 0
        var polled = 0
        status.unreadableFolders = 0
        status.skippedNames = 0
        for folder in tree.folders.values {
            if folder.watch == nil { polled += 1 } else { watched += 1 }
            if folder.isUnreadable { status.unreadableFolders += 1 }
            status.skippedNames += folder.skippedNames
        }
        status.watchedFolders = watched
        status.polledFolders = polled
        status.overflows = tree.overflows
        if let failure = tree.watchFailure {
            pollingReason = .watching(core.root, failure)
            tree.watchFailure = nil
        }
        let before = status.phase
        status.phase = phase(polled: polled)
        if case .polling(let reason) = status.phase, before != status.phase {
            core.tell([WatchEvent(.polling(reason), path: core.root, isDirectory: true)])
        }
        core.report(status)
    }

    private func phase(polled: Int) -> WatchStatus.Phase {
        if tree.rootIdentity == nil { return .rootMissing }
        guard let pollingReason, polled > 0 else { return .watching }
        return .polling(pollingReason)
    }
}
