/// What is known of the folders that the root's path leads through, itself included. Where no hint tells that one of them was
/// away for a moment, their times do: a folder that is moved is changed itself, and so are the names beside it.
struct RootWay {
    private struct Step {
        /// The folder's `ctime` and `mtime`; 0 if they may change without a trace.
        var changed: Int64
        var modified: Int64
    }

    /// The root first.
    private var steps: [Step] = []

    /// The way as it is now. Costs a look at each folder.
    init(to root: String, _ files: any FileSystem, freshness isFresh: (FileAttributes) -> Bool) {
        var path: String? = root
        while let folder = path {
            do {
                let attributes = try files.attributes(at: folder, followLinks: true)
                let isFresh = isFresh(attributes)
                steps.append(
                    Step(changed: isFresh ? 0 : attributes.changed, modified: isFresh ? 0 : attributes.modified))
            } catch {
                // What cannot be looked at says nothing.
                steps.append(Step(changed: -1, modified: -1))
            }
            path = folder.parentPath
        }
    }

    /// Whether a folder may have been moved since this was the way.
    func hasMoved(until now: RootWay) -> Bool {
        zip(steps, now.steps).dropLast().enumerated().contains { place, step in
            step.0.changed != step.1.changed && steps[place + 1].modified != now.steps[place + 1].modified
        }
    }
}

extension WatchTree {
    /// Whether a folder on the way to the root may have been away since the root was looked for last.
    var rootMayHaveBeenAway: Bool {
        rootWay?.hasMoved(until: RootWay(to: root, files, freshness: isFresh)) ?? false
    }

    /// Looks at the way where that is not left to hints.
    func checkRootWay() {
        guard polls else {
            rootWay = nil
            return
        }
        let way = RootWay(to: root, files, freshness: isFresh)
        if let rootWay, rootWay.hasMoved(until: way) { doubt(WatchDoubt(path: "", folder: "", isPolled: true)) }
        rootWay = way
    }
}
