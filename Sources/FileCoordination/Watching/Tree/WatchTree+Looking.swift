extension WatchTree {
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
        if names.count > max(32, folder.snapshot.count / 8) { return listLater(folder, names) }
        do throws(Errno) {
            let opened = try files.open(fullPath(folder.path), Self.openOptions(of: folder))
            try files.closing(opened) { () throws(Errno) in
                guard try leads(to: folder, opened) else { return doubt(folder, names) }
                for (name, suspicion) in names {
                    let before = folder.snapshot[name]
                    look(at: name, in: folder, opened, suspicion)
                    tellDoubt(of: name, in: folder, suspicion, from: before)
                }
            }
        } catch { doubt(folder, names) }
    }

    /// The root may be a link; nothing below is followed.
    static func openOptions(of folder: WatchedFolder) -> OpenOptions {
        folder.parent == nil ? [.read, .directory] : [.read, .directory, .noFollow]
    }

    /// Whether this is the directory that the hints are about. While folders are renamed a path may lead to another one for a
    /// moment, in which a name says nothing. Where inodes may be unsteady, looks are repeated anyway.
    private func leads(to folder: WatchedFolder, _ opened: OpenFile) throws(Errno) -> Bool {
        if folder.isBlind { return true }
        let attributes = try files.attributes(of: opened)
        return attributes.inode == folder.inode && attributes.device == folder.device
    }

    /// What was hinted at is found by listing the folder as soon as its path leads there again.
    private func doubt(_ folder: WatchedFolder, _ names: [(String, Suspicion)]) {
        folder.isInDoubt = true
        listLater(folder, names)
    }

    private func listLater(_ folder: WatchedFolder, _ names: [(String, Suspicion)]) {
        for (name, suspicion) in names {
            if suspicion.hasGone { folder.unsettled[PathKey(name)] = suspicion }
            guard suspicion.hint == .closed else { continue }
            let known = folder.snapshot[name]
            note(folder.path(of: name), known, known, suspicion.hint)
        }
        enqueue(folder)
    }

    /// A name that was gone may have been something else meanwhile.
    func tellDoubt(of name: String, in folder: WatchedFolder, _ suspicion: Suspicion, from before: Fingerprint?) {
        guard suspicion.hasGone else { return }
        let now = folder.snapshot[name]
        // Simply gone: that is told.
        if !suspicion.hasCome, now == nil, before != nil { return }
        let isMore = suspicion.hasCome || before == now
        doubt(
            WatchDoubt(
                path: folder.path(of: name), folder: isMore ? folder.path : nil, isPolled: folder.isUnwatched))
    }

    private func look(at name: String, in folder: WatchedFolder, _ opened: OpenFile, _ suspicion: Suspicion) {
        do throws(Errno) {
            let attributes = try files.attributes(ofEntry: Array(name.utf8), in: opened)
            if filter.ignores(name, in: folder.path, kind: attributes.kind) {
                // It counts as not there, but may have taken the place of something else.
                return update(name, in: folder, to: nil, .gone)
            }
            let isFresh = changeClock.isFresh(attributes, at: clock())
            update(name, in: folder, to: Fingerprint(attributes, isFresh: isFresh), suspicion.hint)
        } catch {
            // After any other error it may be there: the folder's listing keeps what was known.
            if error == .noSuchFile { return update(name, in: folder, to: nil, .gone) }
            folder.unsettled[PathKey(name)] = suspicion
            enqueue(folder)
        }
    }

    /// Remembers what a look at one name saw, and notes and follows a difference.
    private func update(_ name: String, in folder: WatchedFolder, to new: Fingerprint?, _ hint: ChangeHint) {
        let old = folder.snapshot[name]
        folder.lookedAt?.insert(PathKey(name))
        if let old, old == new {
            // Written to since it was last looked at: without a trace, if that was within one tick.
            let isCertain = hint == .closed || old.isFresh && hint == .modified
            if isCertain, old.kind == .file { note(folder.path(of: name), old, new, hint, isCertain: true) }
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
        note(folder.path(of: name), old, new, isFolder ? .settled : new == nil ? .gone : hint)
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
