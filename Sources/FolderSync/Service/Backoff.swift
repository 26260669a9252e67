/// How long to wait after failures. A value that decides and does nothing.
struct Backoff {
    private let timing: FolderSyncService.Timing
    private var failures = 0
    private var goodSince: Duration?

    init(_ timing: FolderSyncService.Timing) { self.timing = timing }

    mutating func succeeded(at now: Duration) { goodSince = goodSince ?? now }

    /// The pause before the next try: doubled at each failure, until things have been good for long enough.
    mutating func failed(at now: Duration) -> Duration {
        if let goodSince, now - goodSince >= timing.forgetsFailuresAfter { failures = 0 }
        goodSince = nil
        defer { failures += 1 }
        return min(timing.firstRetry * (1 << min(failures, 10)), timing.longestRetry)
    }
}
