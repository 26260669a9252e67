extension WatchTree {
    /// Whether the path still leads to the folder that is watched; if not, the new one is walked, or all is gone.
    func lookForRoot() {
        rootIsSuspect = false
        var found: FileIdentity?
        do {
            let attributes = try files.attributes(at: root, followLinks: true)
            if attributes.kind == .directory { found = FileIdentity(attributes) }
        } catch {
            // Other errors (no rights, a mount that hangs) say nothing about whether it is there.
            guard error == .noSuchFile || error == .notDirectory || error == .linkLoop else { return }
        }
        guard found != rootIdentity else { return }
        let old = rootIdentity
        rootIdentity = found
        revision += 1
        note("", old?.fingerprint, found == nil ? .gone : .settled)
        if found == nil {
            leave("")
        } else if let known = folders[""] {
            // Another directory under the same name: what is remembered is compared, what is watched is not.
            for folder in folders.values { unwatch(folder) }
            for folder in folders.values where folder !== known { enqueue(folder) }
            enqueue(known)
        } else {
            let folder = WatchedFolder(path: "")
            folders[""] = folder
            enqueue(folder)
        }
    }

    /// Watches the folder, then lists it and compares.
    func list(_ folder: WatchedFolder) {
        let path = fullPath(folder.path)
        revision += 1
        do throws(Errno) {
            // The root may be a link; nothing below is followed.
            let options: OpenOptions = folder.path.isEmpty ? [.read, .directory] : [.read, .directory, .noFollow]
            let opened = try files.open(path, options)
            try files.closing(opened) { () throws(Errno) in
                watch(folder, opened, path)
                try compare(folder, with: opened)
            }
            folder.isUnreadable = false
            folder.isListed = true
        } catch {
            if error == .noSuchFile || error == .notDirectory || error == .linkLoop {
                suspectItself(folder)
            } else {
                // Unreadable is not empty: what was there counts as there.
                folder.isUnreadable = true
            }
        }
    }

    private func watch(_ folder: WatchedFolder, _ opened: OpenFile, _ path: String) {
        guard let source else { return }
        do {
            let watch = try source.add(opened, path: path)
            if folder.watch == watch { return }
            unwatch(folder)
            folder.watch = watch
            // Known by another path: it was moved, or is mounted twice. The other path is looked at; hints go to both.
            for other in watches[watch] ?? [] { suspectItself(other) }
            watches[watch, default: []].append(folder)
        } catch {
            unwatch(folder)
            watchFailure = error
        }
    }

    private func compare(_ folder: WatchedFolder, with opened: OpenFile) throws(Errno) {
        let listing = try files.list(opened)
        // To find what is gone; nothing was known before the first listing.
        let isFirst = folder.entries.isEmpty
        var names: Set<String> = []
        if isFirst { folder.entries.reserveCapacity(listing.count) } else { names.reserveCapacity(listing.count) }
        folder.skippedNames = 0
        var looked = 0
        for entry in listing {
            guard let name = entry.name else {
                folder.skippedNames += 1
                continue
            }
            if filter.ignores(name, in: folder.path, kind: entry.kind) { continue }
            do {
                let attributes = try files.attributes(ofEntry: entry.nameBytes, in: opened)
                // It may be something else than the listing said, which may have said nothing.
                if attributes.kind != entry.kind, filter.ignores(name, in: folder.path, kind: attributes.kind) {
                    continue
                }
                if !isFirst { names.insert(name) }
                update(name, in: folder, to: attributes, .settled)
            } catch {
                // Gone since it was listed; other errors say nothing about whether it is there.
                if error != .noSuchFile, !isFirst { names.insert(name) }
            }
            looked += 1
            // So that the kernel's queue does not run over while a large folder is listed.
            if looked.isMultiple(of: 512) { drainHints() }
        }
        guard !isFirst, names.count < folder.entries.count else { return }
        for name in folder.entries.keys where !names.contains(name) { update(name, in: folder, to: nil, .gone) }
    }
}
