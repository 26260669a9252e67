/// What a write waits for before it returns.
public enum FileDurability: Hashable, Sendable {
    /// The file and its folder are synced: a power cut after the call loses nothing. The default.
    case full
    /// The content is synced before its name is: after a power cut the old file or the new one is there, whole.
    case content
    /// Nothing is synced: as atomic for every reader, for what can be made again. A power cut may leave an empty file.
    case fast
}

/// What a write does where something is already.
public enum ExistingFile: Hashable, Sendable {
    /// Replaces the file, or makes it if it is absent. The default.
    case replace
    /// Makes the file, or throws `.fileExists` and leaves what is there: anything, a link that points nowhere included.
    ///
    /// Of several that do this at once one succeeds, in any number of processes. The file system must be able to rename
    /// without replacing (`RENAME_NOREPLACE`) or to make hard links; one that can do neither gives `.notSupported`, for
    /// anything else would either show half a file or replace one that appears meanwhile.
    case fail
}
