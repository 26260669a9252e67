/// How a conflict is dealt with.
public struct ConflictResolution: Hashable, Sendable {
    /// Which content stays, under the original's name.
    public enum Kept: Hashable, Sendable {
        /// The original's: the copy is removed.
        case original
        /// The copy's: it replaces the original's, or becomes the original if there is none.
        case copy
    }

    /// Which content stays.
    public var kept: Kept
    /// A folder that gets what does not stay, or nil if it goes. It must exist, and should be outside the shared folder.
    public var backupFolder: String?

    /// Keeps the original's content and no backup unless told otherwise.
    public init(keeping kept: Kept = .original, backupFolder: String? = nil) {
        self.kept = kept
        self.backupFolder = backupFolder
    }
}
