extension WatchTree {
    /// Remembers which directory is listed, and whether others can change it without an event: that is asked once for each file
    /// system that the walk comes to.
    func identify(_ folder: WatchedFolder, _ opened: OpenFile, _ path: String) throws(Errno) {
        let attributes = try files.attributes(of: opened)
        folder.inode = attributes.inode
        findFileSystem(of: folder, attributes.device, path)
        folder.hidNames = folder.isUnwatched && folder.modified != attributes.modified
        if folder.isUnwatched { folder.modified = isFresh(attributes) ? 0 : attributes.modified }
        // Names were swapped between the look at the name and this. Where looks are repeated anyway, inodes may be unsteady.
        folder.isInDoubt = false
        if let parent = folder.parent, !folder.isBlind, parent.snapshot[folder.name]?.inode != folder.inode {
            suspectItself(folder)
        }
    }

    func isFresh(_ attributes: FileAttributes) -> Bool { changeClock.isFresh(attributes, at: clock()) }

    /// A folder that no hint tells of may have been away between two listings of its parent, in which names came and went: it
    /// was changed itself then. Anything may have been in its place.
    func checkWhetherAway(_ name: String, in parent: WatchedFolder, _ attributes: FileAttributes) {
        guard parent.isUnwatched, attributes.kind == .directory, let folder = parent.subfolders[PathKey(name)] else {
            return
        }
        if parent.hidNames, parent.isListed, folder.changed != attributes.changed {
            parent.unsettled[PathKey(name), default: Suspicion(hint: .gone)].add(.gone)
        }
        folder.changed = isFresh(attributes) ? 0 : attributes.changed
    }

    /// Whether no name in a folder that is polled has come or gone since it was listed.
    func isQuiet(_ folder: WatchedFolder) -> Bool {
        guard folder.isUnwatched, folder.modified != 0 else { return false }
        do {
            let now = try files.attributes(at: fullPath(folder.path), followLinks: folder.parent == nil)
            return now.inode == folder.inode && now.modified == folder.modified
        } catch { return false }
    }

    /// Whether there are folders that hints do not tell everything of.
    var polls: Bool { counts.watched < counts.folders || counts.blind > 0 }

    /// A folder is listed again that was looked at while its path led elsewhere: the path leads back, so nothing else shows it.
    func checkIdentity(of folder: WatchedFolder, _ seen: Fingerprint) {
        guard !folder.isBlind else { return }
        if folder.isInDoubt || folder.inode != 0 && folder.inode != seen.inode { enqueue(folder) }
    }

    private func findFileSystem(of folder: WatchedFolder, _ device: UInt64, _ path: String) {
        guard device != folder.device else { return }
        folder.device = device
        if let parent = folder.parent, parent.device == device {
            setBlind(folder, parent.isBlind)
            return
        }
        let type = files.fileSystemType(at: path)
        if type.hidesChanges { blindness = .hiddenChanges(path, type) }
        setBlind(folder, type.hidesChanges)
    }

    private func setBlind(_ folder: WatchedFolder, _ isBlind: Bool) {
        guard folder.isBlind != isBlind else { return }
        folder.isBlind = isBlind
        counts.blind += isBlind ? 1 : -1
    }

    /// Folders that no hint comes from, or not for every change, are listed again, and those that could not be read.
    func suspectUnwatched() {
        guard polls || counts.unreadable > 0 else { return }
        forEachFolder { if $0.isUnwatched || $0.isUnreadable { enqueue($0, .rescan) } }
    }

    /// Hints come from there from now on: each folder is watched when it is listed the next time.
    func use(_ newSource: any WatchEventSource) {
        source?.close()
        source = newSource
    }
}
