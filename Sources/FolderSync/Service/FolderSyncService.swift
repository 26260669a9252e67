public import FileCoordination
public import LLVSCore
import Synchronization

/// Keeps a store and a shared folder in step for as long as it runs: watch, retrieve, merge, send.
///
/// `init` starts nothing; ``run()`` works until its task is cancelled. A pass follows each settled change of the folder, each
/// save (of this process at once, of another soon), each ``wake()``, and a timer as a safety net; however many they are, there
/// is a pause between two passes. When the folder is away, it is tried again with growing pauses.
///
/// A store may have several folders, each with a service of its own; they share its coordinator and take turns. Where the
/// kernel tells of no changes (network file systems, FUSE), the folder is looked at in intervals.
///
/// Cancelling ends a pass at the next file or version: what is done is kept, what is not is done by the next pass.
public final class FolderSyncService: Sendable {
    private let coordinator: StoreCoordinator
    private let exchange: FolderExchange
    private let timing: Timing
    private let watching: WatchOptions
    private let time: ServiceTime

    private let requests = PassRequests()
    private let state = Mutex(ConnectionState.stopped(reason: nil))
    private let stateStreams = LatestValue<ConnectionState>()
    private let outcomes = PassOutcomes()

    /// A service.
    /// - Parameters:
    ///   - watching: how the folder is watched; with `pollsOnly`, it is listed every `pollInterval`.
    ///   - clock: what pauses are measured with, those of watching too.
    public init(
        coordinator: StoreCoordinator, exchange: FolderExchange, timing: Timing = Timing(),
        watching: WatchOptions = WatchOptions(), clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.coordinator = coordinator
        self.exchange = exchange
        self.timing = timing
        var watching = watching
        watching.clock = clock
        self.watching = watching
        time = ServiceTime(clock)
    }

    /// What the service is doing.
    public var connection: ConnectionState { state.withLock { $0 } }

    /// The state, and each change of it; a slow consumer gets the newest. Ends with ``run()``.
    public var states: AsyncStream<ConnectionState> {
        state.withLock { stateStreams.stream(first: $0) }
    }

    /// What each pass did, from now on. For a slow consumer those that wait are told as one: counts are added up, and what waits
    /// or is damaged is as of the last. Ends with ``run()``.
    public var passes: AsyncStream<PassOutcome> { outcomes.stream() }

    /// How far a long step is; a slow consumer gets the newest.
    public var progress: AsyncStream<SyncProgress> { exchange.progressSteps }

    /// Asks for a pass now, without waiting for the next look or the end of a pause after a failure. Any number of calls make one
    /// pass.
    public func wake() { requests.add(.wake) }

    /// Works until the task is cancelled. Not twice at once.
    /// - Throws: ``FolderSyncError`` for what only a person can resolve: another store's folder, a newer format.
    public func run() async throws {
        defer {
            stateStreams.end()
            outcomes.end()
        }
        do {
            become(.connecting)
            try await work()
            become(.stopped(reason: nil))
        } catch is CancellationError {
            become(.stopped(reason: nil))
        } catch {
            become(.stopped(reason: "\(error)"))
            throw error
        }
    }

    private func become(_ new: ConnectionState) {
        state.withLock { state in
            if state == new { return }
            state = new
            stateStreams.send(new)
        }
        coordinator.note(new, of: "folder \(exchange.attachment.folder)")
    }

    private func work() async throws {
        let watcher = DirectoryWatcher(exchange.attachment.folder, options: watching, files: exchange.folder.files)
        defer { watcher.stop() }
        let changes = watcher.changes
        // Before the first pass: what comes during it is told.
        await watcher.start()
        try await withThrowingTaskGroup { group in
            group.addTask { [requests] in
                for await _ in changes { requests.add(.folder) }
                try await Task.sleep(for: .seconds(Int64.max >> 4))
            }
            group.addTask { try await self.lookForSaves() }
            group.addTask { try await self.makePasses() }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    /// A commit of this process rings; others are looked for.
    private func lookForSaves() async throws {
        let news = coordinator.store.news
        var asked: Int64?
        while true {
            let count = news.count
            let unseen = try await unseenCount()
            // A pass may not get as far as looking at them: then the same number is no reason for another.
            if let unseen, unseen != asked { requests.add(.store) }
            asked = unseen
            try await withThrowingTaskGroup(of: Void.self) { [time, timing] group in
                group.addTask { await news.wait(beyond: count) }
                group.addTask { try await time.sleep(timing.lookingForSavesEvery) }
                defer { group.cancelAll() }
                try await group.next()
            }
            try Task.checkCancellation()
        }
    }

    /// A store that cannot be read now is the affair of the passes, which say so.
    private func unseenCount() async throws -> Int64? {
        do {
            return try await exchange.unseenCount()
        } catch let error as StoreError where error.code != .closed {
            return nil
        }
    }

    private func makePasses() async throws {
        var backoff = Backoff(timing)
        while true {
            requests.take()
            do {
                let outcome = try await exchange.pass(coordinator)
                backoff.succeeded(at: time.now)
                outcomes.send(outcome)
                become(outcome.needsBootstrap.map { .needsBootstrap(reason: $0) } ?? .following)
                let end = time.now
                try await requests.wait(for: .any, atMost: timing.atMost, time)
                try await pause(until: end + timing.minimumPause)
            } catch let error where error is FolderSyncError || error is StoreError {
                if let error = error as? FolderSyncError, error.needsPerson { throw error }
                try await pause(after: error, backoff.failed(at: time.now))
            }
        }
    }

    private func pause(until moment: Duration) async throws {
        let left = moment - time.now
        if left > .zero { try await time.sleep(left) }
    }

    /// A folder that shows signs of life is tried again after the shortest of these pauses, and at once if someone asks.
    private func pause(after error: any Error, _ pause: Duration) async throws {
        become(.offline(reason: "\(error)", retryAfter: pause))
        let first = min(timing.firstRetry, pause)
        let begin = time.now
        try await requests.wait(for: .wake, atMost: first, time)
        let isOver = time.now - begin >= first
        if isOver { try await requests.wait(for: [.wake, .folder], atMost: pause - first, time) }
        try await self.pause(until: begin + min(timing.minimumPause, pause))
    }
}

extension FolderSyncError {
    fileprivate var needsPerson: Bool { Self.needsPersonCodes.contains(code) }

    private static let needsPersonCodes: Set<Code> = [
        .otherStore, .secondCard, .newerFormat, .notAttached, .transformMissing, .wrongKey,
    ]
}
