/// A watched tree at one moment, as a value.
struct TreeSnapshot: Sendable {
    struct Folder: Sendable {
        var entries = FolderSnapshot()
        /// Places in ``TreeSnapshot/folders``.
        var subfolders: [PathKey: Int] = [:]
        /// Whether anything in it or below may be unknown to the one for whom this is.
        var isUnknown = false
    }

    /// Nil if there was no folder at the path.
    var root: FileIdentity?
    /// The first is the root.
    var folders = [Folder()]

    /// What is at the path is not known, so it will differ from whatever is there then.
    mutating func forget(_ path: String) {
        let names = path.pathParts
        guard let last = names.last else {
            root = FileIdentity(device: 0, fingerprint: .unknown)
            return
        }
        let folder = place(of: names.dropLast())
        var seen = folders[folder].entries[last] ?? .unknown
        seen.isFresh = true
        folders[folder].entries.set(last, seen)
    }

    /// Nothing at or below the path is known.
    mutating func forgetFolder(_ path: String) {
        let folder = place(of: path.pathParts[...])
        folders[folder].isUnknown = true
    }

    /// The place of the folder. Where there is none, as below a folder that is gone and not told of yet, one is made.
    private mutating func place(of names: ArraySlice<String>) -> Int {
        var place = 0
        for name in names {
            if let next = folders[place].subfolders[PathKey(name)] {
                place = next
                continue
            }
            if folders[place].entries[name] == nil { folders[place].entries.set(name, .unknown) }
            folders.append(Folder())
            folders[place].subfolders[PathKey(name)] = folders.count - 1
            place = folders.count - 1
        }
        return place
    }
}

extension WatchTree {
    /// The tree as it is remembered now. O(folders): the entries are shared until they change.
    func snapshot() -> TreeSnapshot {
        var copy = TreeSnapshot()
        copy.root = rootIdentity
        guard let top else { return copy }
        copy.folders[0].entries = top.snapshot
        var places = [(top, 0)]
        while let (folder, place) = places.popLast() {
            for (name, subfolder) in folder.subfolders {
                copy.folders[place].subfolders[name] = copy.folders.count
                places.append((subfolder, copy.folders.count))
                copy.folders.append(TreeSnapshot.Folder(entries: subfolder.snapshot))
            }
            // What is suspected may have changed in a way that leaves no trace.
            for name in (Array(folder.suspects.keys) + folder.deferred.keys).map(\.text) {
                guard var seen = copy.folders[place].entries[name] else { continue }
                seen.isFresh = true
                copy.folders[place].entries.set(name, seen)
            }
        }
        return copy
    }
}
