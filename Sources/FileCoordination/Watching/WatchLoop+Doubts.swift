/// A subscriber looks at what it is told, and may do so late. What it sees then is told of as well, or was told before, unless
/// it is gone before the watcher looks: of that the end is told.
extension WatchLoop {
    /// A new round begins once everything that was hinted at before the last one was looked at.
    func tryToBeginRound() {
        let due = putOff ?? tree.deferred.last?.due ?? 0
        putOff = due
        guard (tree.deferred.first?.due ?? .max) > due else { return }
        putOff = nil
        core.beginRound()
        if !guessed.isEmpty { guessed = guessed.filter { core.round < $0.value.round + 3 } }
    }

    /// Whether a subscriber may have looked at the path since it was told of it last.
    func mayHaveSeen(_ path: String) -> Bool {
        let round = core.round
        return core.mailboxes.contains { $0.mayHaveSeen(tree.fullPath(path), in: round) }
    }

    /// Who was told to read a tree may have seen everything that is pending.
    func noteReadings() {
        let readings = core.mailboxes.reduce(0) { $0 + $1.readings }
        guard readings != knownReadings else { return }
        knownReadings = readings
        for key in told.keys where seen[key] == nil { seen[key] = false }
    }

    /// Paths that were told and are in doubt are told again, as they are then.
    func takeDoubts(unless toldNow: Set<PathKey>, at now: ContinuousClock.Instant) {
        let doubts = tree.doubts
        tree.doubts = []
        let round = core.round
        let mailboxes = doubts.isEmpty ? [] : core.mailboxes.filter { $0.isLooking(in: round) }
        guard !mailboxes.isEmpty else { return }
        for doubt in doubts {
            let readsAgain = doubt.folder.map { !doubt.isPolled || mayGuess("\($0)/", most: 1) } ?? false
            let seen = mailboxes.flatMap { $0.looks(at: doubt, in: round, readsAgain: readsAgain) }
            for event in seen { tellAgain(event, doubt, unless: toldNow, at: now) }
        }
    }

    private func tellAgain(
        _ event: WatchEvent, _ doubt: WatchDoubt, unless toldNow: Set<PathKey>, at now: ContinuousClock.Instant
    ) {
        guard event.kind.isOfOnePath, let path = relative(event.path) else { return }
        let (key, known) = (PathKey(path), tree.fingerprint(of: path))
        guard !toldNow.contains(key), !doubt.isOfMissing || isMissing(path, in: doubt.path) else { return }
        // What may be no more than a temporary file was not told of.
        guard !isLeftOut(path, known?.kind ?? (event.isDirectory ? .directory : .file)) else { return }
        guard !doubt.isPolled || told[key] != nil || mayGuess(path, most: 64) else { return }
        seen[key] = event.isDirectory
        guard told[key] == nil else { return }
        told[key] = .some(known)
        coalescer.observe(path, .gone, at: now)
    }

    private func isLeftOut(_ path: String, _ kind: FileKind) -> Bool {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return tree.filter.ignores(path, in: "", kind: kind)
        }
        let name = String(path[path.utf8.index(after: slash)...])
        return tree.filter.ignores(name, in: String(path[..<slash]), kind: kind)
    }

    /// Whether the first part of the path below the folder is nothing that can have it. Else it is the affair of that folder.
    private func isMissing(_ path: String, in folder: String) -> Bool {
        guard tree.fingerprint(of: path) == nil else { return false }
        let rest = path.utf8.dropFirst(folder.isEmpty ? 0 : folder.utf8.count + 1)
        let first = rest.prefix { $0 != UInt8(ascii: "/") }
        return first.endIndex == rest.endIndex
            || tree.fingerprint(of: String(path[..<first.endIndex]))?.kind != .directory
    }

    /// What was guessed is looked at, and so may be guessed again: but not for as long as something changes.
    private func mayGuess(_ place: String, most: Int) -> Bool {
        var (round, count) = guessed[PathKey(place)] ?? (core.round, 0)
        if core.round >= round + 3 { count = 0 }
        guard count < most else { return false }
        round = core.round
        guessed[PathKey(place)] = (round, count + 1)
        return true
    }

    /// Nothing can have come and gone unseen at a path if no name in the folders on its way, and on the root's, has changed from
    /// when they were listed until its reader came back. That is so nearly always, as polls are rare.
    func checkLooks() {
        var known: [ObjectIdentifier: Bool] = [:]
        lazy var wasAway = tree.rootMayHaveBeenAway
        for mailbox in core.mailboxes {
            for var look in mailbox.takeUnchecked() {
                if !look.reads, !wasAway { look.events.removeAll { isQuiet($0.path, &known) } }
                mailbox.keep(look)
            }
        }
    }

    private func isQuiet(_ path: String, _ known: inout [ObjectIdentifier: Bool]) -> Bool {
        guard let names = relative(path)?.pathParts, var folder = tree.top else { return false }
        for name in names {
            let isQuiet = known[ObjectIdentifier(folder)] ?? tree.isQuiet(folder)
            known[ObjectIdentifier(folder)] = isQuiet
            guard isQuiet else { return false }
            guard let next = folder.subfolders[PathKey(name)] else { return true }
            folder = next
        }
        return true
    }
}

extension WatchEvent.Kind {
    fileprivate var isOfOnePath: Bool {
        switch self {
        case .created, .modified, .removed: true
        case .rescan, .polling, .watching: false
        }
    }
}
