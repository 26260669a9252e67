/// What a store keeps: content under an id, both the app's.
public struct Value: Sendable {
    /// The name the content is stored under.
    public let id: ID
    /// The bytes, or where they come from.
    public let content: Content

    /// A value of `content` under `id`.
    public init(id: ID, content: Content) {
        self.id = id
        self.content = content
    }
}
