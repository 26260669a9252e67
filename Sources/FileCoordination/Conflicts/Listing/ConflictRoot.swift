/// What copies are copies of in the end, as the key of a group.
///
/// A file that is there is known by its bytes: beside it there may be another one that differs in normalization only. One
/// that is gone is known by its letters: its copies may come from systems that spell it composed and decomposed, and are
/// still copies of one file.
enum ConflictRoot: Hashable {
    case there(PathKey)
    case gone(String)

    init(_ conflict: Conflict) {
        self = conflict.rootExists ? .there(PathKey(conflict.root)) : .gone(conflict.root)
    }
}

extension FileSystem {
    /// Whether the conflict is a copy of the file, which may be gone: of its original or its root.
    func isCopy(_ conflict: Conflict, of path: String) -> Bool {
        isSpelling(path, of: conflict.original) || isSpelling(path, of: conflict.root)
    }

    /// Whether both paths have the same letters, and do not lead to two files. People and settings do not always spell a
    /// name as the disk does, so bytes alone would miss copies.
    private func isSpelling(_ path: String, of other: String) -> Bool {
        if PathKey(path) == PathKey(other) { return true }
        guard path == other else { return false }
        do {
            let first = try attributes(at: path, followLinks: false)
            let second = try attributes(at: other, followLinks: false)
            return first.inode == second.inode && first.device == second.device
        } catch {
            // What is not there is no second file.
            return true
        }
    }
}
