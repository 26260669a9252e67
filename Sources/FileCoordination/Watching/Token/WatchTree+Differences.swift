extension WatchTree {
    /// What differs from an earlier snapshot, parents before children. O(entries of both).
    func differences(from old: TreeSnapshot) -> [WatchEvent] {
        var events: [WatchEvent] = []
        if old.root != rootIdentity {
            let kind: WatchEvent.Kind = old.root == nil ? .created : rootIdentity == nil ? .removed : .modified
            events.append(WatchEvent(kind, path: root, isDirectory: true))
        }
        var pairs = [Pair(path: root, old: old.folders[0], new: top)]
        while let pair = pairs.popLast() {
            if pair.old?.isUnknown ?? false {
                events.append(WatchEvent(.rescan(.backlog), path: pair.path, isDirectory: true))
            }
            // Unreadable is not empty.
            if let new = pair.new, new.isUnreadable, !new.isListed { continue }
            compare(pair, of: old, into: &events, &pairs)
        }
        return events
    }

    private struct Pair {
        var path: String
        var old: TreeSnapshot.Folder?
        var new: WatchedFolder?
    }

    private func compare(
        _ pair: Pair, of old: TreeSnapshot, into events: inout [WatchEvent], _ pairs: inout [Pair]
    ) {
        let hasFolders = !(pair.old?.subfolders.isEmpty ?? true) || !(pair.new?.subfolders.isEmpty ?? true)
        FolderSnapshot.merge(
            pair.old?.entries ?? FolderSnapshot(), pair.new?.snapshot ?? FolderSnapshot()
        ) { name, before, after in
            let isSame = before == after && !(before?.isFresh ?? false)
            if isSame, !hasFolders { return }
            let text = String(decoding: name, as: UTF8.self)
            let path = FilePlace.join(pair.path, text)
            if !isSame {
                let kind: WatchEvent.Kind = before == nil ? .created : after == nil ? .removed : .modified
                let isDirectory = (after ?? before)?.kind == .directory
                events.append(WatchEvent(kind, path: path, isDirectory: isDirectory))
            }
            let then = pair.old?.subfolders[PathKey(text)].map { old.folders[$0] }
            let now = pair.new?.subfolders[PathKey(text)]
            if then != nil || now != nil { pairs.append(Pair(path: path, old: then, new: now)) }
        }
    }
}

extension WatchLoop {
    /// A place in the tree as events spell it, relative to the root; nil if it is not in the tree.
    func relative(_ path: String) -> String? {
        if path == core.root { return "" }
        // By bytes: a name may begin with a mark that combines with the slash.
        let prefix = (core.root.hasSuffix("/") ? core.root : core.root + "/").utf8
        return path.utf8.starts(with: prefix) ? String(path.utf8.dropFirst(prefix.count)) : nil
    }

    /// Only while every folder that is known has been listed: what is not looked at yet would seem to be gone.
    func answerRequests() {
        for request in core.takeRequests() {
            switch request {
            case .differences(let old, let deliver): deliver(tree.differences(from: old))
            case .snapshot(let unknown, let answer): answer(snapshot(forgetting: unknown()))
            }
        }
    }

    private func snapshot(forgetting unknown: WatchUnknown) -> TreeSnapshot {
        var snapshot = tree.snapshot()
        for path in coalescer.paths { snapshot.forget(path) }
        for path in unknown.paths { if let place = relative(path.text) { snapshot.forget(place) } }
        for path in unknown.folders { if let place = relative(path.text) { snapshot.forgetFolder(place) } }
        return snapshot
    }
}
