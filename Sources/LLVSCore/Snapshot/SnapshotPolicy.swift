/// When a program that takes snapshots by itself takes the next one. A value that decides and does nothing.
public enum SnapshotPolicy: Hashable, Sendable {
    /// After 1,000 new versions, or after a day if there is any new version; the first one as soon as there is a version.
    case auto
    /// Never.
    case disabled
    /// After this time, if there is any new version.
    case interval(Duration)
    /// After so many new versions, at least one.
    case newVersions(Int)

    /// Whether a snapshot is due.
    ///
    /// - Parameters:
    ///   - last: the manifest of the last snapshot, or nil if there is none.
    ///   - now: milliseconds since 1970. A clock that says less than when the last one was taken was wrong then or is now: a
    ///     snapshot by time is due, which sets that right.
    ///   - versionCount: the versions that the store has, as of ``Store/versionCount()``.
    public func isDue(since last: SnapshotManifest?, now: Int64, versionCount: Int) -> Bool {
        isDue(after: last.map { ($0.created, $0.versionCount) }, now: now, versionCount: versionCount)
    }

    /// As above, for a snapshot that is none on disk: when it was taken, and how many versions it has.
    package func isDue(after last: (created: Int64, versionCount: Int)?, now: Int64, versionCount: Int) -> Bool {
        let new = versionCount - (last?.versionCount ?? 0)
        // A store with fewer versions than the snapshot is another one, or was set back: the snapshot is worth more.
        guard self != .disabled, new > 0 else { return false }
        guard let last else { return true }
        switch self {
        case .disabled: return false
        case .newVersions(let count): return new >= count
        case .interval(let interval): return Self.hasPassed(interval, since: last.created, now)
        case .auto: return new >= 1_000 || Self.hasPassed(.seconds(86_400), since: last.created, now)
        }
    }

    private static func hasPassed(_ interval: Duration, since start: Int64, _ now: Int64) -> Bool {
        if now < start { return true }
        let (elapsed, overflow) = now.subtractingReportingOverflow(start)
        return overflow || .milliseconds(elapsed) >= interval
    }
}
