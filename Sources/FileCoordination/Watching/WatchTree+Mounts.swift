extension WatchTree {
    /// Whether others can change the folder without an event: asked once for each file system that the walk comes to.
    func findFileSystem(of folder: WatchedFolder, _ opened: OpenFile, _ path: String) throws(Errno) {
        let device = try files.attributes(of: opened).device
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

    /// Folders that no hint comes from, or not for every change, are listed again.
    func suspectUnwatched() {
        guard counts.watched < counts.folders || counts.blind > 0 else { return }
        forEachFolder { if $0.watch == nil || $0.isBlind { enqueue($0, .rescan) } }
    }

    /// Hints come from there from now on: each folder is watched when it is listed the next time.
    func use(_ newSource: any WatchEventSource) {
        source?.close()
        source = newSource
    }
}
