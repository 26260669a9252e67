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
        if !folder.deferred.isEmpty, let earlier = folder.deferred.removeValue(forKey: name) {
            suspectNow(name, in: folder, earlier)
        }
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
        folder.suspects[name, default: Suspicion(hint: hint)].add(hint)
    }

    func suspectItself(_ folder: WatchedFolder) {
        guard let parent = folder.parent else {
            rootIsSuspect = true
            rootMayHaveLeft = true
            return
        }
        suspect(folder.name, in: parent, .gone)
    }
}
