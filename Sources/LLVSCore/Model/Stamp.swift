/// A moment of a hybrid logical clock: near the wall clock where that is right, and later than every ancestor's always.
///
/// Only decisions use it; people are shown ``Version/time``.
public struct Stamp: Hashable, Sendable {
    /// Milliseconds since 1970.
    public let milliseconds: UInt64
    /// Tells apart what falls into one millisecond.
    public let counter: UInt32

    /// Before every other stamp: the root's.
    public static let zero = Stamp(milliseconds: 0)

    /// The wall clocks a writer believes: the years 2000 to 2200.
    public static let believedMilliseconds: ClosedRange<UInt64> = 946_684_800_000...7_289_654_399_999

    /// The stamp of these parts.
    public init(milliseconds: UInt64, counter: UInt32 = 0) {
        self.milliseconds = milliseconds
        self.counter = counter
    }

    /// The stamp of a version made when the wall clock shows `now`, in milliseconds since 1970, on versions of these stamps:
    /// the clock, brought into ``believedMilliseconds``, or one tick after the greatest of them if that is later.
    public static func authored(now: Int64, after earlier: [Stamp]) -> Stamp {
        let believed = believedMilliseconds
        let clock = Stamp(milliseconds: min(max(UInt64(max(now, 0)), believed.lowerBound), believed.upperBound))
        guard let greatest = earlier.max() else { return clock }
        return max(clock, greatest.next)
    }

    /// One tick later. The counter carries into the milliseconds; the last stamp of all, which no clock comes near, stays.
    public var next: Stamp {
        if counter < .max { return Stamp(milliseconds: milliseconds, counter: counter + 1) }
        return milliseconds < .max ? Stamp(milliseconds: milliseconds + 1) : self
    }
}

extension Stamp: Comparable {
    /// Whether `left` is earlier.
    public static func < (left: Self, right: Self) -> Bool {
        (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
    }
}
