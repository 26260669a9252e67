/// A version of a store, like a commit: what it stands on, when and by what it was made, and what it changes.
///
/// Its ``id`` is the digest of everything else in it, so that nothing of it can be altered; see ``ID``.
public struct Version: Hashable, Identifiable, Sendable {
    /// What made a version.
    public enum Kind: UInt8, Hashable, Sendable {
        /// An app or a person supplied the changes, a resolution of conflicts included.
        case authored = 1
        /// Derived from two versions by an arbiter.
        case merge = 2
        /// Of two versions one added no authored one: the other's values, unchanged.
        case join = 3
    }

    /// The encoding this software writes. It fixes the bytes of a version, and how merges are made.
    public static let currentEncoding: UInt16 = 1

    /// The version every store begins with: no values, no parents, generation 0. It is never stored or sent.
    public static let root = Version(
        id: .root, kind: .authored, encoding: currentEncoding, parents: [], basisIndex: 0, generation: 0, stamp: .zero,
        time: 0, metadata: .empty, changesDigest: ChangeList.empty.digest)

    /// The name of the version.
    public let id: ID
    /// What made it.
    public let kind: Kind
    /// The number of its encoding.
    public let encoding: UInt16
    /// The versions it stands on: at most two, ascending. The root is not listed, so that its children have none.
    public let parents: [ID]
    /// Which parent the changes are against; 0 if there are fewer than two.
    public let basisIndex: UInt8
    /// One more than the greatest of its parents'; the root's is 0.
    public let generation: UInt64
    /// Later than every ancestor's.
    public let stamp: Stamp
    /// The wall clock of whoever made it, in milliseconds since 1970. Shown to people, and for nothing else.
    public let time: Int64
    /// What the app noted.
    public let metadata: Metadata
    /// The SHA-256 of its encoded ``ChangeList``.
    public let changesDigest: Digest

    /// The version the changes are against: one of the parents, or the root.
    public var basis: ID { parents.isEmpty ? .root : parents[Int(basisIndex)] }

    /// The branch it was made on, if any.
    public var branch: Branch? { metadata.branch }

    /// How it compares with another in age.
    public var recency: Recency { Recency(self) }
}
