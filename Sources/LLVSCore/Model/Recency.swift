/// What decides which of two versions is the more recent, without trusting a clock further than it can be.
///
/// This is the only place that compares stamps. It is no order of many: where clocks are broken, a can be more recent than b,
/// b than c, and c than a. So it is not `Comparable`, and only two are ever compared.
public struct Recency: Hashable, Sendable {
    /// The version's stamp.
    public let stamp: Stamp
    /// The version's generation.
    public let generation: UInt64
    /// The version's id.
    public let id: Version.ID

    /// Stamps further apart than this are not compared: five years of 365¼ days, in milliseconds.
    public static let comparableMilliseconds: UInt64 = 157_788_000_000

    /// The recency of a version of these.
    public init(stamp: Stamp, generation: UInt64, id: Version.ID) {
        self.stamp = stamp
        self.generation = generation
        self.id = id
    }

    /// The recency of `version`.
    public init(_ version: Version) {
        self.init(stamp: version.stamp, generation: version.generation, id: version.id)
    }

    /// Whether this is the more recent of the two: by greater stamp, then id. If the stamps' milliseconds are more than five
    /// years apart, one clock is broken, and it is by greater generation, then id.
    public func isMoreRecent(than other: Recency) -> Bool {
        let (earlier, later) = (
            min(stamp.milliseconds, other.stamp.milliseconds), max(stamp.milliseconds, other.stamp.milliseconds)
        )
        if later - earlier > Self.comparableMilliseconds {
            return (generation, id) > (other.generation, other.id)
        }
        return isPlainlyLater(than: other)
    }

    /// Whether this comes later by stamp, then id, however far apart the stamps are. This is an order of any number: it picks
    /// the winner of a join of two sides that hold the same authored versions.
    public func isPlainlyLater(than other: Recency) -> Bool { (stamp, id) > (other.stamp, other.id) }
}
