/// A place where something may have come and gone without being looked at: who was just told of a path there may have seen it.
struct WatchDoubt {
    /// Relative to the root; empty for the root itself.
    let path: String
    /// Whether only what is in it is meant, not the path itself.
    let isInside: Bool
    /// Whether only what is not there, as far as is known, is meant.
    let isOfMissing: Bool
    /// Relative to the root: the folder that is to be read again by who reads folders. Nil if nothing can have been in it that
    /// is not told of.
    let folder: String?
    /// Whether it is no more than a guess, made at every poll in which something changed there.
    let isPolled: Bool

    /// Of the path and what is below it.
    init(path: String, folder: String?, isPolled: Bool = false) {
        (self.path, self.folder, self.isPolled) = (path, folder, isPolled)
        (isInside, isOfMissing) = (false, false)
    }

    /// Of what is in the folder.
    init(inside path: String, isOfMissing: Bool = false, isPolled: Bool = false) {
        (self.path, self.isOfMissing, self.isPolled) = (path, isOfMissing, isPolled)
        (folder, isInside) = (path, true)
    }
}
