import FileCoordination

/// Which files seem to be in the middle of being written: a file counts when it has been the same for a while, and so does the
/// absence of one.
struct MirrorLooks {
    private struct Look {
        let size: Int64?
        let modified: Int64?
        let inode: UInt64?
        /// When it was first seen so, in milliseconds.
        let since: Int64
        /// When the path was first found to be changing.
        let first: Int64

        func shows(_ file: FileAttributes?) -> Bool {
            size == file?.size && modified == file?.modified && inode == file?.inode
        }
    }

    /// What never rests is taken as it is after this time, in milliseconds.
    private static let patience: Int64 = 30_000

    /// How long a file must have been the same, in milliseconds.
    let settle: Int64
    private var looks: [RelativePath: Look] = [:]
    private var seen: Set<RelativePath> = []

    init(settle: Int64) { self.settle = settle }

    /// Whether the path can be taken as it is; nil attributes: there is no file.
    mutating func isSettled(_ path: RelativePath, _ file: FileAttributes?, now: Int64) -> Bool {
        if settle <= 0 { return true }
        seen.insert(path)
        if let file, file.modified / 1_000_000 <= now - settle { return true }
        let look = looks[path]
        if let look, now >= look.first, now - look.first >= Self.patience { return true }
        if let look, look.shows(file), now >= look.since {
            return now - look.since >= settle
        }
        looks[path] = Look(
            size: file?.size, modified: file?.modified, inode: file?.inode, since: now, first: look?.first ?? now)
        return false
    }

    /// After a look at everything: what is no longer different is forgotten.
    mutating func endRound() {
        looks = looks.filter { seen.contains($0.key) }
        seen = []
    }
}
