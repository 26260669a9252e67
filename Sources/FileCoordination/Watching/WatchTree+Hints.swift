extension WatchTree {
    /// Takes in what waits at the source. Nothing is looked at yet.
    func drainHints() {
        guard let source else { return }
        let events: [RawWatchEvent]
        do { events = try source.drain() } catch {
            giveUpSource(error)
            return
        }
        for event in events { take(event) }
    }

    private func take(_ event: RawWatchEvent) {
        if event.kind == .overflow {
            overflows += 1
            suspectAll()
            return
        }
        // The watch of a folder that was given up meanwhile.
        guard let places = watches[event.watch] else { return }
        for folder in places {
            switch event.kind {
            case .entry(let bytes, let hint):
                guard let name = String(validating: bytes, as: UTF8.self) else {
                    enqueue(folder)
                    continue
                }
                if !filter.ignores(name, in: folder.path, kind: nil) { suspect(name, in: folder, hint) }
            case .folderChanged: suspectItself(folder)
            case .watchEnded:
                folder.watch = nil
                revision += 1
                suspectItself(folder)
                enqueue(folder)
            case .overflow: break
            }
        }
        if event.kind == .watchEnded { watches[event.watch] = nil }
    }

    func suspectItself(_ folder: WatchedFolder) {
        guard let place = FilePlace(folder.path) else {
            rootIsSuspect = true
            return
        }
        if let parent = folders[place.folder == "." ? "" : place.folder] { suspect(place.name, in: parent, .gone) }
    }

    /// Looks at everything suspected until nothing is, taking in new hints between the folders.
    func settle(unless isStopped: () -> Bool) {
        drainHints()
        var listed = 0
        while !isStopped() {
            if rootIsSuspect { lookForRoot() }
            if !suspected.isEmpty {
                let folders = suspected
                suspected = []
                for folder in folders { checkSuspects(of: folder) }
                if queue.isEmpty { drainHints() }
                continue
            }
            guard !queue.isEmpty else { return }
            // The last first: a tree is walked to its depth, and the queue stays short.
            let folder = queue.removeLast()
            folder.isQueued = false
            if folders[folder.path] === folder { list(folder) }
            listed += 1
            if listed.isMultiple(of: 16) || queue.isEmpty { drainHints() }
        }
    }

    private func checkSuspects(of folder: WatchedFolder) {
        let names = folder.suspects
        folder.suspects = [:]
        guard folders[folder.path] === folder else { return }
        // Beyond this one listing is cheaper than many looks.
        if names.count > max(32, folder.entries.count / 8) {
            for (name, hint) in names where hint == .closed { note(folder.path(of: name), folder.entries[name], hint) }
            enqueue(folder)
            return
        }
        for (name, hint) in names {
            do {
                let path = fullPath(folder.path(of: name))
                let attributes = try files.attributes(at: path, followLinks: false)
                // What is left out counts as not there: it may have taken the place of something else.
                let isIgnored = filter.ignores(name, in: folder.path, kind: attributes.kind)
                update(name, in: folder, to: isIgnored ? nil : attributes, isIgnored ? .gone : hint)
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

    /// Compares with what is remembered, notes a difference, and follows it into folders.
    func update(_ name: String, in folder: WatchedFolder, to attributes: FileAttributes?, _ hint: ChangeHint) {
        let (old, new) = (folder.entries[name], attributes.map(Fingerprint.init))
        let isFolder = new?.kind == .directory
        guard old != new else {
            // Written to since it was last looked at, perhaps within one tick of the file system's clock.
            if hint == .closed, new?.kind == .file { note(folder.path(of: name), old, hint) }
            if isFolder, folders[folder.path(of: name)] == nil { enter(folder.path(of: name)) }
            return
        }
        if old?.kind == .directory { leave(folder.path(of: name)) }
        folder.entries[name] = new
        note(folder.path(of: name), old, isFolder ? .settled : new == nil ? .gone : hint)
        if isFolder { enter(folder.path(of: name)) }
    }

    private func enter(_ path: String) {
        guard filter.walks(path) else { return }
        let folder = WatchedFolder(path: path)
        folders[path] = folder
        revision += 1
        enqueue(folder)
    }

    /// Forgets a folder and all below, and notes every name in it as gone.
    func leave(_ path: String) {
        guard let folder = folders.removeValue(forKey: path) else { return }
        revision += 1
        unwatch(folder)
        for (name, old) in folder.entries {
            if old.kind == .directory { leave(folder.path(of: name)) }
            note(folder.path(of: name), old, .gone)
        }
    }

    func unwatch(_ folder: WatchedFolder) {
        guard let watch = folder.watch else { return }
        folder.watch = nil
        revision += 1
        watches[watch]?.removeAll { $0 === folder }
        // The same directory may be known by another path by now, which goes on using the watch.
        if watches[watch]?.isEmpty ?? false {
            watches[watch] = nil
            source?.remove(watch)
        }
    }
}
