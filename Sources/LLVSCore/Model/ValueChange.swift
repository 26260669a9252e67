extension Value {
    /// One thing that a new version does to a value.
    public enum Change: Sendable {
        /// Adds a value that was not there.
        case insert(Value)
        /// Gives a value new content.
        case update(Value)
        /// Takes a value away.
        case remove(ID)
        /// Keeps a value as another version has it, without storing it again.
        case preserve(Reference)
        /// Keeps a value removed, as another version has it.
        case preserveRemoval(ID)

        /// The id of the value concerned.
        public var valueID: ID {
            switch self {
            case .insert(let value), .update(let value): value.id
            case .remove(let id), .preserveRemoval(let id): id
            case .preserve(let reference): reference.id
            }
        }
    }

    /// A value as one version has it: what the content is, and who stored it.
    public struct Reference: Hashable, Sendable {
        /// The id of the value.
        public let id: ID
        /// The SHA-256 of its content.
        public let contentHash: Digest
        /// The version that stored this content: the one with the change, not every later one that still has it.
        public let version: Version.ID

        /// A reference to the content of `id` that `version` stored.
        public init(id: ID, contentHash: Digest, version: Version.ID) {
            self.id = id
            self.contentHash = contentHash
            self.version = version
        }
    }
}
