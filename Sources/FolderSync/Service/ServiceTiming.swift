extension FolderSyncService {
    /// How often things are done.
    public struct Timing: Hashable, Sendable {
        /// The longest time between two passes, whatever the watcher says.
        public var atMost: Duration
        /// The shortest time from the end of a pass to the beginning of the next: however many changes come, they make no more
        /// passes than that.
        public var minimumPause: Duration
        /// How often the store is looked at for saves of other processes: a read of one number.
        public var lookingForSavesEvery: Duration
        /// The pause after the first failure; doubled at each further one.
        public var firstRetry: Duration
        /// The longest pause after failures.
        public var longestRetry: Duration
        /// How long passes must have succeeded for the pauses to begin anew.
        public var forgetsFailuresAfter: Duration

        /// A pass at least each minute and at most every fifth of a second; saves of others seen within a second; retries after
        /// 5 seconds to 5 minutes, beginning anew after 5 good minutes.
        public init(
            atMost: Duration = .seconds(60), minimumPause: Duration = .milliseconds(200),
            lookingForSavesEvery: Duration = .seconds(1), firstRetry: Duration = .seconds(5),
            longestRetry: Duration = .seconds(300), forgetsFailuresAfter: Duration = .seconds(300)
        ) {
            self.atMost = atMost
            self.minimumPause = minimumPause
            self.lookingForSavesEvery = lookingForSavesEvery
            self.firstRetry = firstRetry
            self.longestRetry = longestRetry
            self.forgetsFailuresAfter = forgetsFailuresAfter
        }
    }
}

/// Any clock, by the time since it was first asked.
struct ServiceTime: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = Self.elapsed(of: clock)
    }

    var now: Duration { elapsed() }

    func sleep(_ duration: Duration) async throws { try await clock.sleep(for: duration) }

    private static func elapsed<C: Clock<Duration>>(of clock: C) -> @Sendable () -> Duration {
        let origin = clock.now
        return { origin.duration(to: clock.now) }
    }
}
