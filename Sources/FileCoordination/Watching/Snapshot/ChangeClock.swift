#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The moment of a look, in nanoseconds.
struct LookTime: Sendable {
    /// By the clock that this machine shows, since 1970.
    let wall: Int64
    /// By a clock that nobody sets.
    let steady: Int64

    static func now() -> LookTime {
        LookTime(wall: read(CLOCK_REALTIME), steady: read(CLOCK_MONOTONIC))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// Judges whether a file changed so shortly before a look that the times of its file system cannot tell that change from
/// one right after the look.
///
/// A file system's times come in ticks: of a timer (some milliseconds), or of one or two seconds (FAT, HFS+, old servers). Of
/// two writes of the same size in one tick the second leaves no trace. So what changed less than a tick before it was looked
/// at is *fresh*, and a later look that no event stands behind counts it as changed.
///
/// The times may come from a clock other than ours. What is known of that clock is a bound: it has shown every time that was
/// seen. A file is fresh if it is by our clock, or by the bound; so no clock that runs ahead or behind hides a change. The
/// price: the newest file of a file system may count as fresh though it is old.
struct ChangeClock {
    /// Timers run at 100 Hz at the slowest, exFAT counts in 10 ms.
    static let fineTick: Int64 = 20_000_000
    /// FAT counts in two seconds.
    static let coarseTick: Int64 = 2_020_000_000

    /// How far the file system's clock is at least ahead of ours.
    private var lead: Int64?

    /// How long a change stays fresh, by the form of the times: whole seconds mean a coarse file system.
    static func tick(_ attributes: FileAttributes) -> Int64 {
        let isCoarse = attributes.modified % 1_000_000_000 == 0 && attributes.changed % 1_000_000_000 == 0
        return isCoarse ? coarseTick : fineTick
    }

    mutating func isFresh(_ attributes: FileAttributes, at now: LookTime) -> Bool {
        let tick = Self.tick(attributes)
        let ahead = attributes.changed.subtractingSaturated(now.wall)
        if lead.map({ $0 < ahead }) ?? true { lead = ahead }
        if ahead > -tick, ahead < tick { return true }
        return ahead > (lead ?? ahead).subtractingSaturated(tick)
    }
}

extension Int64 {
    /// Times are foreign data, and may be anything.
    fileprivate func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (self < 0 ? .min : .max) : difference
    }
}
