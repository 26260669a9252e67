import Synchronization

/// Asks a probe in regular intervals whether a place has changed, for places that nothing can watch: network mounts, FUSE,
/// servers.
///
/// `init` starts nothing. ``run()`` looks at once and then in the pace of the cadence until its task is cancelled; the first
/// look is what later ones are compared with. Looks never overlap: one that is due while another is under way is that one.
/// A look that fails makes the monitor ``State/offline(reason:)`` and ends nothing; there is no further back-off than the
/// cadence. What changed while it was offline is told when the place is back.
public actor ExternalChangeMonitor {
    /// How often it looks.
    public enum Cadence: Hashable, Sendable {
        /// While the user works with what may change.
        case active
        /// While nobody waits for it.
        case inactive
        /// Never by itself; ``ExternalChangeMonitor/checkNow()`` still looks.
        case paused
    }

    /// The pauses between the end of a look and the next.
    public struct Intervals: Hashable, Sendable {
        /// With ``Cadence/active``.
        public var active: Duration
        /// With ``Cadence/inactive``.
        public var inactive: Duration

        /// 5 seconds and one minute. Less than 10 milliseconds is taken for 10.
        public init(active: Duration = .seconds(5), inactive: Duration = .seconds(60)) {
            self.active = active
            self.inactive = inactive
        }

        func pause(at cadence: Cadence) -> Duration? {
            switch cadence {
            case .active: max(active, .milliseconds(10))
            case .inactive: max(inactive, .milliseconds(10))
            case .paused: nil
            }
        }
    }

    /// What the last look said.
    public enum State: Hashable, Sendable {
        /// There was none yet.
        case unknown
        /// The place could be looked at.
        case online
        /// The place cannot be looked at now, and why.
        case offline(reason: String)
    }

    let probe: any ChangeProbe
    private let intervals: Intervals
    private let clock: any Clock<Duration>
    /// How often it looks; see ``setCadence(_:)``.
    public private(set) var cadence: Cadence
    private var isRunning = false
    nonisolated let cadenceChanges = Milestones()

    // See ExternalChangeMonitor+Checking.
    var isChecking = false
    /// The number of the last look that began.
    var begun = 0
    /// The number of the last look that was not cancelled.
    var done = 0
    nonisolated let ends = Milestones()
    var known: ChangeFingerprint?
    nonisolated let changed = LatestValue<ChangeFingerprint>()
    nonisolated let stated = LatestValue<State>()
    nonisolated let current = Mutex(State.unknown)

    /// A monitor that does nothing yet.
    ///
    /// - Parameters:
    ///   - probe: What looks; see ``FileProbe``, ``FolderProbe`` and ``ClosureProbe``.
    ///   - cadence: How often to begin with.
    ///   - intervals: What the cadences mean.
    ///   - clock: What measures the intervals.
    public init(
        probe: any ChangeProbe, cadence: Cadence = .active, intervals: Intervals = Intervals(),
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.probe = probe
        self.cadence = cadence
        self.intervals = intervals
        self.clock = clock
    }

    /// What the last look said.
    public nonisolated var state: State { current.withLock { $0 } }

    /// The changes from now on, by what was seen last: a slow consumer gets the latest only. Ends with ``run()``.
    public nonisolated var changes: AsyncStream<ChangeFingerprint> { changed.stream() }

    /// The present state and those that follow: a slow consumer gets the latest only. Ends with ``run()``.
    public nonisolated var states: AsyncStream<State> { stated.stream(first: state) }

    /// Looks from now on with this cadence. If it is the present one, nothing happens: the pause under way goes on.
    /// Otherwise the pause since the last look counts: a look that is overdue is made at once.
    public func setCadence(_ new: Cadence) {
        guard new != cadence else { return }
        cadence = new
        cadenceChanges.advance()
    }

    /// Looks until the task is cancelled, which ends the open streams. Does nothing while it already runs.
    public func run() async {
        guard !isRunning else { return }
        isRunning = true
        await look(by: clock)
        isRunning = false
        changed.end()
        stated.end()
    }

    private func look<C: Clock>(by clock: C) async where C.Duration == Duration {
        var last: C.Instant?
        while !Task.isCancelled {
            let seen = cadenceChanges.count
            let pause = intervals.pause(at: cadence).map { pause in
                last.map { pause - $0.duration(to: clock.now) } ?? .zero
            }
            if let pause, pause <= .zero {
                await checkOrJoin()
                last = clock.now
            } else {
                await sleep(for: pause, by: clock, unlessChangedSince: seen)
            }
        }
    }

    /// Returns when the pause is over, which `nil` never is, when the cadence changes, or when the task is cancelled.
    private func sleep(
        for pause: Duration?, by clock: some Clock<Duration>, unlessChangedSince seen: Int
    ) async {
        await withTaskGroup(of: Void.self) { [cadenceChanges] group in
            group.addTask { await cadenceChanges.wait(beyond: seen) }
            if let pause {
                // Cancelled is over, too.
                group.addTask { do { try await clock.sleep(for: pause) } catch {} }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
