/// When a commit survives a power cut. A crash of the process or a `kill -9` loses no commit either way.
public enum Durability: Hashable, Sendable {
    /// At the next ``Storage/sync()``, or some time later: a power cut may take the last commits, wholly and in order, and
    /// never damages what is left.
    case normal
    /// Before ``Storage/write(_:)`` returns. Costs a disk flush a commit.
    case full
}
