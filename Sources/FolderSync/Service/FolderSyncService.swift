import FileCoordination
public import LLVSCore

/// Keeps a store and a shared folder in step for as long as it runs: watch, retrieve, merge, send.
///
/// `init` starts nothing; ``run()`` works until its task is cancelled. A pass follows each settled change of the folder, each
/// save (of this process or another), each ``wake()``, and a timer as a safety net. When the folder is away, it is tried
/// again with growing pauses.
public final class FolderSyncService: Sendable {
    /// What the service is doing.
    public enum State: Hashable, Sendable {
        /// A pass is under way.
        case working
        /// In step as of this pass.
        case following(PassOutcome)
        /// The folder cannot be used now; tried again after the pause.
        case offline(reason: String, retryAfter: Duration)
        /// Ended: by cancellation, or by what only a person can resolve.
        case stopped(reason: String?)
    }

    /// How often things are done.
    public struct Timing: Hashable, Sendable {
        /// The longest time between two passes, whatever the watcher says.
        public var atMost: Duration
        /// How often the store is looked at for saves: a read of one number.
        public var lookingForSavesEvery: Duration
        /// The pause after the first failure; doubled at each further one.
        public var firstRetry: Duration
        /// The longest pause after failures.
        public var longestRetry: Duration

        /// A pass at least each minute, saves seen within a second, retries after 5 seconds to 5 minutes.
        public init(
            atMost: Duration = .seconds(60), lookingForSavesEvery: Duration = .seconds(1),
            firstRetry: Duration = .seconds(5), longestRetry: Duration = .seconds(300)
        ) {
            self.atMost = atMost
            self.lookingForSavesEvery = lookingForSavesEvery
            self.firstRetry = firstRetry
            self.longestRetry = longestRetry
        }
    }

    private let coordinator: StoreCoordinator
    private let exchange: FolderExchange
    private let timing: Timing
    private let onState: @Sendable (State) -> Void
    private let wakes: AsyncStream<Void>
    private let waker: AsyncStream<Void>.Continuation

    /// A service. `onState` is told each change of state, in order.
    public init(
        coordinator: StoreCoordinator, exchange: FolderExchange, timing: Timing = Timing(),
        onState: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.coordinator = coordinator
        self.exchange = exchange
        self.timing = timing
        self.onState = onState
        (wakes, waker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Asks for a pass now, without waiting for the next look. Any number of calls make one pass.
    public func wake() { waker.yield() }

    /// Works until the task is cancelled.
    /// - Throws: ``FolderSyncError`` for what only a person can resolve: another store's folder, a newer format.
    public func run() async throws {
        let watcher = DirectoryWatcher(exchange.attachment.folder)
        defer { watcher.stop() }
        let changes = watcher.changes
        do {
            // Before the first pass: what comes during it is told.
            await watcher.start()
            try await withThrowingTaskGroup { group in
                group.addTask { [waker] in
                    for await _ in changes { waker.yield() }
                    try await Task.sleep(for: .seconds(Int64.max >> 4))
                }
                group.addTask { [waker, timing] in
                    while true {
                        try await Task.sleep(for: timing.atMost)
                        waker.yield()
                    }
                }
                group.addTask { try await self.lookForSaves() }
                group.addTask { try await self.passes() }
                try await group.next()
                group.cancelAll()
            }
            onState(.stopped(reason: nil))
        } catch is CancellationError {
            onState(.stopped(reason: nil))
        } catch {
            onState(.stopped(reason: "\(error)"))
            throw error
        }
    }

    private func lookForSaves() async throws {
        var seen = try await exchange.versionCount()
        while true {
            try await Task.sleep(for: timing.lookingForSavesEvery)
            let count = try await exchange.versionCount()
            if count != seen { waker.yield() }
            seen = count
        }
    }

    private func passes() async throws {
        var failures = 0
        waker.yield()
        for await _ in wakes {
            try Task.checkCancellation()
            onState(.working)
            do {
                let outcome = try await exchange.pass(coordinator)
                failures = 0
                onState(.following(outcome))
            } catch let error where error is FolderSyncError || error is StoreError {
                if let error = error as? FolderSyncError, error.needsPerson { throw error }
                let retry = min(timing.firstRetry * (1 << min(failures, 10)), timing.longestRetry)
                failures += 1
                onState(.offline(reason: "\(error)", retryAfter: retry))
                try await Task.sleep(for: retry)
                waker.yield()
            }
        }
        try Task.checkCancellation()
    }
}

extension FolderSyncError {
    fileprivate var needsPerson: Bool { Self.needsPersonCodes.contains(code) }

    private static let needsPersonCodes: Set<Code> = [
        .otherStore, .secondCard, .newerFormat, .notAttached, .transformMissing, .wrongKey,
    ]
}
