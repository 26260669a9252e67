extension WatchTree {
    /// Entries that are looked at before hints are asked for: each costs some microseconds, and a change must not wait. Before
    /// the first listing is whole nobody waits for one.
    var sliceLength: Int { isSilent ? 16 : 2 }

    func enqueue(_ folder: WatchedFolder, _ queue: WatchedFolder.Queue = .urgent) {
        guard !folder.isGone, folder.queue != .urgent, folder.queue != queue else { return }
        folder.queue = queue
        if queue == .urgent { urgent.append(folder) } else { waiting.append(folder) }
    }

    /// Looks at everything suspected until nothing is.
    func settle() {
        onCatchingUp()
        drainHints()
        while betweenSlices() {
            if lookAtSuspects() { continue }
            if let folder = nextQueued() {
                list(folder)
            } else if beginRescan() {
                continue
            } else {
                onCatchingUp()
                if drainHints() { continue }
                return
            }
            drainHints()
        }
    }

    /// Between two slices of a listing: what happened meanwhile comes first. False if the listing is to be given up.
    func pause(in folder: WatchedFolder) -> Bool {
        drainHints()
        lookAtSuspects()
        listUrgent()
        return betweenSlices() && !folder.isGone
    }

    /// One level deep only, and not a folder that is being listed already.
    private func listUrgent() {
        guard !urgent.isEmpty, !isInsideListing else { return }
        isInsideListing = true
        defer { isInsideListing = false }
        let folders = urgent
        urgent = []
        for folder in folders {
            if folder.lookedAt != nil {
                urgent.append(folder)
            } else {
                folder.queue = .none
                list(folder)
            }
        }
    }

    /// The last first: a tree is walked to its depth, and the queue stays short.
    private func nextQueued() -> WatchedFolder? {
        if let folder = urgent.popLast() {
            folder.queue = .none
            return folder
        }
        while let folder = waiting.popLast() {
            // It may have become urgent, and been listed, meanwhile.
            guard folder.queue == .rescan else { continue }
            folder.queue = .none
            return folder
        }
        return nil
    }

    /// Whether there is a reason to go through the whole tree. Events that are lost from here on ask for another time.
    private func beginRescan() -> Bool {
        let wantsAll = wantsRescan
        guard wantsAll || rescannedGeneration != generation else { return false }
        wantsRescan = false
        rescannedGeneration = generation
        rescans += 1
        forEachFolder { if wantsAll || $0.generation != generation { enqueue($0, .rescan) } }
        return true
    }
}
