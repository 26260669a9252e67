extension WatchTree {
    /// Forgets a folder and all below, and notes every name in it as gone.
    func leave(_ name: String, in parent: WatchedFolder) {
        guard let folder = parent.subfolders.removeValue(forKey: PathKey(name)) else { return }
        leave(folder, at: parent.path(of: name))
    }

    func leaveRoot() {
        guard let folder = top else { return }
        top = nil
        leave(folder, at: "")
    }

    private func leave(_ folder: WatchedFolder, at path: String) {
        if folder.hasUnseen { doubt(WatchDoubt(inside: path)) }
        unwatch(folder)
        folder.isGone = true
        folder.parent = nil
        counts.folders -= 1
        counts.skippedNames -= Int(folder.skippedNames)
        if folder.isBlind { counts.blind -= 1 }
        if folder.isUnreadable { counts.unreadable -= 1 }
        if !folder.wasTried { counts.unknown -= 1 }
        let subfolders = folder.subfolders
        folder.subfolders = [:]
        let prefix = path.isEmpty ? "" : path + "/"
        for (name, subfolder) in subfolders { leave(subfolder, at: prefix + name.text) }
        guard !isSilent else { return }
        folder.snapshot.visit { name, old in note(prefix + String(decoding: name, as: UTF8.self), old, nil, .gone) }
    }

    /// Ends the watch, unless the same directory is known by another path.
    func unwatch(_ folder: WatchedFolder) {
        guard let watch = folder.watch else { return }
        folder.watch = nil
        counts.watched -= 1
        let next = folder.sameWatch
        folder.sameWatch = nil
        guard let first = watches[watch] else { return }
        if first !== folder {
            var before = first
            while let other = before.sameWatch, other !== folder { before = other }
            if before.sameWatch === folder { before.sameWatch = next }
        } else if let next {
            watches[watch] = next
        } else {
            watches[watch] = nil
            source?.remove(watch)
        }
    }
}
