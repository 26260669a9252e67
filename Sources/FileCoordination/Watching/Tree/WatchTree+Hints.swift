extension WatchTree {
    /// Takes in what waits at the source, and says whether there was anything. Nothing is looked at yet.
    @discardableResult
    func drainHints() -> Bool {
        // Afterwards: most of it is closed by then.
        defer { suspectDeferred() }
        guard let source else { return false }
        let events: [RawWatchEvent]
        do { events = try source.drain() } catch {
            giveUpSource(error)
            return true
        }
        for event in events { take(event) }
        return !events.isEmpty
    }

    private func take(_ event: RawWatchEvent) {
        if event.kind == .overflow {
            loseEvents()
            return
        }
        // Nil for the watch of a folder that was given up meanwhile.
        var place = watches[event.watch]
        while let folder = place {
            place = folder.sameWatch
            switch event.kind {
            case .entry(let bytes, let hint):
                if let name = String(validating: bytes, as: UTF8.self) {
                    if !filter.ignores(name, in: folder.path, kind: nil) { suspect(name, in: folder, hint) }
                } else {
                    enqueue(folder)
                }
            case .folderChanged: suspectItself(folder)
            case .watchEnded:
                folder.watch = nil
                folder.sameWatch = nil
                counts.watched -= 1
                suspectItself(folder)
                enqueue(folder)
            case .overflow: break
            }
        }
        if event.kind == .watchEnded { watches[event.watch] = nil }
    }

    private func suspect(_ text: String, in folder: WatchedFolder, _ hint: ChangeHint) {
        let name = PathKey(text)
        if hint == .created || hint == .modified, deferral > 0, folder.suspects[name] == nil {
            if folder.deferred.updateValue(hint, forKey: name) == nil {
                deferred.append((folder, name, clock().steady + deferral))
            }
            return
        }
        if !folder.deferred.isEmpty { folder.deferred[name] = nil }
        suspectNow(name, in: folder, hint)
    }

    /// When the next deferred look is due.
    var timeUntilDeferred: Duration? { deferred.first.map { .nanoseconds(max(0, $0.due - clock().steady)) } }

    /// What was deferred and has not been looked at for another reason meanwhile.
    private func suspectDeferred() {
        guard !deferred.isEmpty else { return }
        let now = clock().steady
        let end = deferred.firstIndex { $0.due > now } ?? deferred.count
        for (folder, name, _) in deferred[..<end] {
            guard let hint = folder.deferred.removeValue(forKey: name), !folder.isGone else { continue }
            suspectNow(name, in: folder, hint)
        }
        deferred.removeFirst(end)
    }

    private func suspectNow(_ name: PathKey, in folder: WatchedFolder, _ hint: ChangeHint) {
        if folder.suspects.isEmpty { suspected.append(folder) }
        // A close is the strongest hint: the file is whole. Else the last one counts.
        if folder.suspects[name] != .closed || hint == .gone { folder.suspects[name] = hint }
    }

    func suspectItself(_ folder: WatchedFolder) {
        guard let parent = folder.parent else {
            rootIsSuspect = true
            return
        }
        suspect(folder.name, in: parent, .gone)
    }

    /// Looks at what hints named, and says whether there was anything.
    @discardableResult
    func lookAtSuspects() -> Bool {
        guard rootIsSuspect || !suspected.isEmpty else { return false }
        if rootIsSuspect { lookForRoot() }
        let folders = suspected
        suspected = []
        for folder in folders { lookAtSuspects(in: folder) }
        return true
    }

    private func lookAtSuspects(in folder: WatchedFolder) {
        let names = folder.suspects.map { ($0.key.text, $0.value) }
        folder.suspects = [:]
        guard !folder.isGone else { return }
        // Beyond this one listing is cheaper than many looks.
        if names.count > max(32, folder.snapshot.count / 8) {
            for (name, hint) in names where hint == .closed {
                note(folder.path(of: name), folder.snapshot[name], hint)
            }
            enqueue(folder)
            return
        }
        let path = fullPath(folder.path)
        for (name, hint) in names {
            do {
                let attributes = try files.attributes(at: FilePlace.join(path, name), followLinks: false)
                if filter.ignores(name, in: folder.path, kind: attributes.kind) {
                    // It counts as not there, but may have taken the place of something else.
                    update(name, in: folder, to: nil, .gone)
                    continue
                }
                let isFresh = changeClock.isFresh(attributes, at: clock())
                update(name, in: folder, to: Fingerprint(attributes, isFresh: isFresh), hint)
            } catch {
                if error == .noSuchFile || error == .notDirectory {
                    update(name, in: folder, to: nil, .gone)
                } else {
                    // It may be there. The folder's listing looks at it without its path, which may be too long.
                    enqueue(folder)
                }
            }
        }
    }

    /// Remembers what a look at one name saw, and notes and follows a difference.
    private func update(_ name: String, in folder: WatchedFolder, to new: Fingerprint?, _ hint: ChangeHint) {
        let old = folder.snapshot[name]
        folder.lookedAt?.insert(PathKey(name))
        if let old, old == new {
            // Written to since it was last looked at: without a trace, if that was within one tick.
            let isCertain = hint == .closed || old.isFresh && hint == .modified
            if isCertain, old.kind == .file { note(folder.path(of: name), old, hint, isCertain: true) }
            if let new, new.isFresh != old.isFresh { folder.snapshot.set(name, new) }
            guard old.kind == .directory else { return }
            if let known = folder.subfolders[PathKey(name)] {
                checkIdentity(of: known, old)
            } else {
                enter(name, in: folder)
            }
            return
        }
        if old == nil, new == nil { return }
        folder.snapshot.set(name, new)
        follow(name, in: folder, from: old, to: new, hint)
    }

    /// Notes that what is remembered of a name changed, and follows it into folders.
    func follow(
        _ name: String, in folder: WatchedFolder, from old: Fingerprint?, to new: Fingerprint?, _ hint: ChangeHint,
        _ queue: WatchedFolder.Queue = .urgent
    ) {
        if old?.kind == .directory { leave(name, in: folder) }
        let isFolder = new?.kind == .directory
        note(folder.path(of: name), old, isFolder ? .settled : new == nil ? .gone : hint)
        if isFolder { enter(name, in: folder, queue) }
    }

    func enter(_ name: String, in parent: WatchedFolder, _ queue: WatchedFolder.Queue = .urgent) {
        guard filter.isRecursive else { return }
        let folder = WatchedFolder(name: name, parent: parent)
        parent.subfolders[PathKey(name)] = folder
        counts.folders += 1
        counts.unknown += 1
        enqueue(folder, queue)
    }
}
