extension WatchTree {
    /// Whether the path still leads to the folder that is watched; if not, the new one is walked, or all is gone.
    func lookForRoot() {
        rootIsSuspect = false
        var found: FileIdentity?
        do {
            let attributes = try files.attributes(at: root, followLinks: true)
            if attributes.kind == .directory { found = FileIdentity(attributes) }
            rootFailure = found == nil ? .notDirectory : nil
        } catch {
            rootFailure = error
            // Other errors (no rights, a mount that hangs) say nothing about whether it is there.
            guard error == .noSuchFile || error == .notDirectory || error == .linkLoop else { return }
        }
        let mayHaveLeft = rootMayHaveLeft
        rootMayHaveLeft = false
        // Another folder may have been there in between, or is no more.
        if mayHaveLeft || found != rootIdentity { doubt(WatchDoubt(path: "", folder: "")) }
        checkRootWay()
        guard found != rootIdentity else { return }
        let old = rootIdentity
        rootIdentity = found
        note("", old?.fingerprint, found?.fingerprint, found == nil ? .gone : .settled)
        if found == nil {
            leaveRoot()
        } else if top != nil {
            // Another directory under the same name. What is remembered is compared; the old watches give way one by one.
            forEachFolder { enqueue($0) }
        } else {
            let folder = WatchedFolder(name: "", parent: nil)
            top = folder
            counts.folders += 1
            counts.unknown += 1
            enqueue(folder)
        }
    }

    /// Watches the folder, then lists it and compares.
    func list(_ folder: WatchedFolder) {
        guard !folder.isGone else { return }
        let trust = Trust(folder, generation)
        let known = (folder.watch, folder.inode, folder.isListed)
        folder.generation = generation
        folder.lookedAt = []
        defer { folder.lookedAt = nil }
        do throws(Errno) {
            let path = fullPath(folder.path)
            let opened = try files.open(path, Self.openOptions(of: folder))
            let found = try files.closing(opened) { () throws(Errno) -> FolderSnapshot? in
                watch(folder, opened, path)
                try identify(folder, opened, path)
                return try look(through: opened, of: folder)
            }
            setTried(folder, isUnreadable: false)
            if let found {
                let before = folder.snapshot
                compare(folder, with: found, trust)
                tellDoubts(of: folder, from: before, known)
            }
        } catch {
            // Unreadable is not empty: what was there counts as there.
            let isMissing = error == .noSuchFile || error == .notDirectory || error == .linkLoop
            setTried(folder, isUnreadable: !isMissing)
            if folder.parent == nil { rootFailure = error }
            if isMissing { suspectItself(folder) }
            folder.isInDoubt = true
        }
    }

    /// What was in it before it was watched, or between two looks where no hint tells of that, may be gone without a trace.
    private func tellDoubts(
        of folder: WatchedFolder, from before: FolderSnapshot, _ known: (watch: Int32?, inode: UInt64, isListed: Bool)
    ) {
        let unsettled = folder.unsettled
        folder.unsettled = [:]
        for (name, suspicion) in unsettled {
            tellDoubt(of: name.text, in: folder, suspicion, from: before[name.text])
        }
        if !known.isListed || folder.hidNames {
            doubt(WatchDoubt(inside: folder.path, isOfMissing: true, isPolled: known.isListed))
        } else if known.watch != folder.watch || known.inode != folder.inode {
            doubt(WatchDoubt(inside: folder.path))
        }
    }

    private func setTried(_ folder: WatchedFolder, isUnreadable: Bool) {
        guard !folder.isGone else { return }
        if !folder.wasTried { counts.unknown -= 1 }
        folder.wasTried = true
        if folder.isUnreadable != isUnreadable { counts.unreadable += isUnreadable ? 1 : -1 }
        folder.isUnreadable = isUnreadable
    }

    private func watch(_ folder: WatchedFolder, _ opened: OpenFile, _ path: String) {
        guard let source else { return }
        do {
            let watch = try source.add(opened, path: path)
            if folder.watch == watch { return }
            unwatch(folder)
            // Known by another path: it was moved, or is mounted twice. The other path is looked at; hints go to both.
            var other = watches[watch]
            folder.sameWatch = other
            while let known = other {
                suspectItself(known)
                other = known.sameWatch
            }
            folder.watch = watch
            watches[watch] = folder
            counts.watched += 1
        } catch {
            unwatch(folder)
            watchFailure = error
        }
    }

    /// Looks at every name, with pauses; nil if that was given up.
    private func look(through opened: OpenFile, of folder: WatchedFolder) throws(Errno) -> FolderSnapshot? {
        var listing = FolderListing()
        swap(&listing, &spareListing)
        defer { swap(&listing, &spareListing) }
        var now = clock()
        var (looked, skipped, isWhole) = (0, 0, true)
        let path = folder.path
        // Opening and watching took as long as a slice.
        guard pause(in: folder) else { return nil }
        try files.visitEntries(of: opened) { (name, kind) throws(Errno) in
            guard let text = name.withMemoryRebound(to: UInt8.self, { String(validating: $0, as: UTF8.self) }) else {
                skipped += 1
                return true
            }
            if filter.ignores(text, in: path, kind: kind) { return true }
            do throws(Errno) {
                let attributes = try files.attributes(ofEntry: name, in: opened)
                // It may be something else than the listing said, which may have said nothing.
                if attributes.kind != kind, filter.ignores(text, in: path, kind: attributes.kind) { return true }
                checkWhetherAway(text, in: folder, attributes)
                let isFresh = changeClock.isFresh(attributes, at: now)
                listing.append(name, Fingerprint(attributes, isFresh: isFresh))
            } catch {
                // Other errors than this say nothing about whether it is there.
                if error != .noSuchFile, let old = folder.snapshot[name] { listing.append(name, old) }
            }
            looked += 1
            guard looked.isMultiple(of: sliceLength) else { return true }
            isWhole = pause(in: folder)
            now = clock()
            return isWhole
        }
        let found = listing.finish()
        guard isWhole, !folder.isGone else { return nil }
        counts.skippedNames += skipped - Int(folder.skippedNames)
        folder.skippedNames = Int32(clamping: skipped)
        folder.listedAt = now.steady
        return found
    }

    private func compare(_ folder: WatchedFolder, with listed: FolderSnapshot, _ trust: Trust) {
        var found = listed
        for name in folder.lookedAt ?? [] { found.set(name.text, folder.snapshot[name.text]) }
        let old = folder.snapshot
        folder.snapshot = found
        folder.isListed = true
        // What a rescan finds new is as urgent as the rescan.
        let queue: WatchedFolder.Queue = isSilent ? .rescan : .urgent
        FolderSnapshot.merge(old, found) { name, before, after in
            let isFolder = after?.kind == .directory
            if before == after, !isFolder, !trust.doubts(before) { return }
            let text = String(decoding: name, as: UTF8.self)
            if before != after {
                follow(text, in: folder, from: before, to: after, .settled, queue)
            } else if isFolder {
                if let known = folder.subfolders[PathKey(text)] {
                    if let after { checkIdentity(of: known, after) }
                } else {
                    enter(text, in: folder, queue)
                }
            } else if let after {
                note(folder.path(of: text), before, after, .settled, isCertain: true)
                if trust.isOld(folder.listedAt) { folder.snapshot.set(name, after.settled) }
            }
        }
    }
}

/// Whether what was remembered of a folder before a listing can be believed where nothing seems to differ.
private struct Trust {
    /// Whether every change since the last look would have raised an event.
    private let isWatched: Bool
    private let isFirst: Bool
    private let listedAt: Int64

    init(_ folder: WatchedFolder, _ generation: Int) {
        isWatched = folder.watch != nil && !folder.isBlind && folder.generation == generation
        isFirst = !folder.isListed
        listedAt = folder.listedAt
    }

    func doubts(_ before: Fingerprint?) -> Bool {
        guard let before else { return false }
        return before.isFresh && !isWatched && !isFirst
    }

    /// Whether what is unchanged since the last look cannot be fresh any more, whatever the clocks say.
    func isOld(_ now: Int64) -> Bool { !isWatched && now - listedAt > ChangeClock.coarseTick }
}

extension Fingerprint {
    fileprivate var settled: Fingerprint { Fingerprint(inode: inode, digest: digest, kind: kind) }
}
