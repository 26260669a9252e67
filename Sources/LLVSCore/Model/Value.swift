/// A value of the store: bytes under an id.
public struct Value: Sendable {
    /// The name the value is stored under.
    public let id: ID
}
