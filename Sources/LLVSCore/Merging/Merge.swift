extension Value {
    /// How two versions differ in a value, in view of their common base.
    public enum Fork: Hashable, Sendable {
        /// One of the two.
        public enum Side: Hashable, Sendable {
            /// The version that comes first by (generation, id).
            case first
            /// The other.
            case second

            /// The other side.
            public var opposite: Side { self == .first ? .second : .first }
        }

        /// Inserted on one side.
        case inserted(Side)
        /// Inserted on both sides with different content: a conflict.
        case twiceInserted
        /// Removed on one side, unchanged on the other.
        case removed(Side)
        /// Removed on both sides. Never a conflict, and not listed in a merge: both sides have the same.
        case twiceRemoved
        /// Updated on one side.
        case updated(Side)
        /// Updated on both sides with different content: a conflict.
        case twiceUpdated
        /// Removed on the named side and updated on the other: a conflict.
        case removedAndUpdated(removedOn: Side)

        /// Whether an arbiter must decide.
        public var isConflicting: Bool {
            switch self {
            case .twiceInserted, .twiceUpdated, .removedAndUpdated: true
            case .inserted, .removed, .twiceRemoved, .updated: false
            }
        }
    }
}

/// Two versions on their way to become one: what an arbiter sees.
///
/// `first` and `second` are the same on every device. Valid only while the arbiter runs.
public struct Merge {
    /// The side that comes first by (generation, id).
    public let first: Version
    /// The other side.
    public let second: Version
    /// The maximal common ancestors; several in a criss-cross history.
    public let commonAncestors: [Version]
    /// Every value that the two sides have differently.
    public let forks: [Value.ID: Value.Fork]

    let source: MergeSource

    /// The ids of the values that need a decision, ascending.
    public var conflicts: [Value.ID] {
        forks.filter(\.value.isConflicting).keys.sorted()
    }

    /// A side's content and the version that stored it, or nil if the side does not have the value.
    public func reference(_ id: Value.ID, on side: Value.Fork.Side) throws -> Value.Reference? {
        try source.reference(id, on: side)
    }

    /// The content that a side has.
    public func content(_ id: Value.ID, on side: Value.Fork.Side) throws -> Value.Content? {
        try source.content(id, on: side)
    }

    /// The content at the common base, or nil if there was none or the common ancestors disagree.
    public func baseContent(_ id: Value.ID) throws -> Value.Content? {
        try source.baseContent(id)
    }

    /// When the content of a side was stored: stamp, generation and id of the version that did.
    public func recency(of reference: Value.Reference) throws -> Recency {
        try source.recency(of: reference.version)
    }

    /// The change that makes a side's content, or its absence, the result.
    public func keeping(_ side: Value.Fork.Side, of id: Value.ID) throws -> Value.Change {
        try reference(id, on: side).map { .preserve($0) } ?? .preserveRemoval(id)
    }
}

/// Reads for an arbiter, in the transaction of its merge.
struct MergeSource {
    let snapshot: StoreSnapshot
    let storage: any Storage
    let first: StoredVersion
    let second: StoredVersion
    let base: VirtualBase

    private func version(_ side: Value.Fork.Side) -> StoredVersion { side == .first ? first : second }

    func reference(_ id: Value.ID, on side: Value.Fork.Side) throws -> Value.Reference? {
        try snapshot.reference(id, version(side)).map { try snapshot.valueReference(id, $0) }
    }

    func content(_ id: Value.ID, on side: Value.Fork.Side) throws -> Value.Content? {
        try snapshot.reference(id, version(side)).map {
            try BodyStorage.content($0.body, hash: $0.contentHash, in: snapshot.reader, of: storage)
        }
    }

    func baseContent(_ id: Value.ID) throws -> Value.Content? {
        try base.reference(id, try base.content(id)).map {
            try BodyStorage.content($0.body, hash: $0.contentHash, in: snapshot.reader, of: storage)
        }
    }

    func recency(of id: Version.ID) throws -> Recency {
        Recency(of: try snapshot.get(id))
    }
}

extension Recency {
    init(of version: StoredVersion) {
        self.init(stamp: version.stamp, generation: version.generation, id: version.id)
    }
}
