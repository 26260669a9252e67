public import FileCoordination
import Synchronization

/// Takes everything a watcher tells and keeps it, so that tests can ask what was told.
public final class WatchRecorder: Sendable {
    private struct State {
        var events: [WatchEvent] = []
        /// Their paths: asked for every few milliseconds.
        var paths: Set<String> = []
        var ended = false
    }
    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// The watcher that is listened to.
    public let watcher: DirectoryWatcher

    /// Starts the watcher, begins to listen, and returns when what is there is known.
    public init(_ watcher: DirectoryWatcher) async {
        self.watcher = watcher
        let stream = watcher.events
        let listening = Task { [weak self] in
            for await batch in stream {
                self?.state.withLock { state in
                    state.events += batch
                    state.paths.formUnion(batch.map(\.path))
                }
            }
            self?.state.withLock { $0.ended = true }
        }
        task.withLock { $0 = listening }
        await watcher.start()
        // The first event says so too; taking it here keeps it out of the test's way.
        _ = await eventually { !events.isEmpty }
    }

    deinit { watcher.stop() }

    /// All that was told, in order.
    public var events: [WatchEvent] { state.withLock { $0.events } }
    /// Whether the stream has ended.
    public var ended: Bool { state.withLock { $0.ended } }
    /// Cancels the listening task.
    public func cancel() { task.withLock { $0 }?.cancel() }
    /// Forgets what was told so far.
    public func forget() { state.withLock { ($0.events, $0.paths) = ([], []) } }

    /// What was told last of the path; nil if nothing was.
    public func last(_ path: String) -> WatchEvent.Kind? { events.last { $0.path == path }?.kind }
    /// How often something was told of the path.
    public func count(_ path: String) -> Int { events.filter { $0.path == path }.count }

    /// Whether all of these paths are told of before the deadline.
    public func hears(of paths: [String], within limit: Duration = .seconds(30)) async -> Bool {
        await eventually(within: limit) { state.withLock { $0.paths.isSuperset(of: paths) } }
    }

    /// Whether these are all told as gone, as the last thing said of them, before the deadline.
    public func hearsOfEnd(of paths: [String], within limit: Duration = .seconds(30)) async -> Bool {
        await eventually(within: limit) { paths.allSatisfy { last($0) == .removed } }
    }
}
