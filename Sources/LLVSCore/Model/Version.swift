/// A version of the store: like a commit.
public struct Version: Sendable {
    /// The name of the version.
    public let id: ID
}
