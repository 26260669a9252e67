public import Foundation

/// Tells what changes in a folder and everything below it.
///
/// Scans are the truth and the kernel's events are hints: nothing that is there when things settle goes untold. A folder is
/// watched before it is listed, moved-in trees are walked, and dropped events, lost watches and a root that is deleted and
/// made again lead to a new scan. If the kernel cannot watch everything, the rest is looked at in intervals, and
/// ``status`` and a `.polling` event say so.
///
/// Nothing starts until ``start()`` or the first turn of a subscription. Every ``subscribe()``, and every access of ``events`` or
/// ``changes``, is a subscription of its own; the cancellation of a task that iterates one ends that one. The watch ends with
/// ``stop()``, or when neither the watcher nor a subscription of it is held any more; then all descriptors are given back.
///
/// Links below the root are told of, never followed; the root may be one. Names that are not UTF-8 are counted in ``status``,
/// not told of; names are told apart by bytes, and told as they are. A folder whose path is longer than the system takes at
/// once (4,096 bytes on Linux) counts as unreadable.
///
/// A folder above the root that is moved away and back within some milliseconds is not noticed where the kernel watches: nothing
/// is missed of what is there, but a subscriber that looked meanwhile, and found nothing, is not told to look again. While the
/// root is away for longer, everything in it counts as removed.
///
/// No event tells of writes through a memory map, of writes through another name of the file, or of a mount
/// over a watched folder: ``WatchOptions/periodicRescan`` finds them. What other machines write on network and FUSE file
/// systems is looked for every ``WatchOptions/pollInterval``.
public final class DirectoryWatcher: Sendable {
    let core: WatchCore

    /// A watcher of the folder at `path`, which need not exist yet.
    public convenience init(
        _ path: String, options: WatchOptions = WatchOptions(), files: any FileSystem = .local
    ) {
        self.init(path, options: options, files: files) { () throws(Errno) in
            #if os(Linux)
                try InotifySource()
            #else
                nil
            #endif
        }
    }

    /// For tests: with another source of hints; nil means none.
    init(
        _ path: String, options: WatchOptions, files: any FileSystem,
        makeSource: @escaping @Sendable () throws(Errno) -> (any WatchEventSource)?
    ) {
        var root = path.hasPrefix("/") ? path : FilePlace.join(FileManager.default.currentDirectoryPath, path)
        while root.hasSuffix("/"), root.utf8.count > 1 { root.removeLast() }
        core = WatchCore(root: root, files: files, options: options, makeSource: makeSource)
    }

    deinit { core.stop() }

    /// How the watch is doing.
    public var status: WatchStatus { core.status }

    /// Whether it watches or polls, and why; see ``WatchStatus/mode``.
    public var mode: WatchMode? { core.status.mode }

    /// A new subscription: what changes from now on, and before that, with a token, what changed since it was taken.
    public func subscribe(since token: WatchToken? = nil) -> WatchSubscription { WatchSubscription(self, since: token) }

    /// A new subscription as a stream of its events, `.rescan(.started)` first; see ``WatchSubscription``.
    public var events: AsyncStream<[WatchEvent]> { subscribe().stream { $0 } }

    /// As ``events``, but what changed since the token was taken comes first, in place of `.rescan(.started)`.
    public func events(since token: WatchToken) -> AsyncStream<[WatchEvent]> { subscribe(since: token).stream { $0 } }

    /// A new subscription as a stream of changed paths: files and folders that were made, changed or removed, and folders of
    /// which everything may have changed. The latter appear when the kernel or the consumer lost track.
    ///
    /// What is there at the start is not told: take the stream, call ``start()``, then look.
    public var changes: AsyncStream<[URL]> {
        subscribe().stream(Self.urls)
    }

    /// As ``changes``, but what changed since the token was taken comes first. Take tokens from a ``WatchSubscription``.
    public func changes(since token: WatchToken) -> AsyncStream<[URL]> { subscribe(since: token).stream(Self.urls) }

    @Sendable
    private static func urls(_ batch: [WatchEvent]) -> [URL] { batch.filter(\.isChange).map(\.url) }

    /// Begins to watch, and returns when everything that is there is known: what changes afterwards is told.
    ///
    /// Starting again does nothing, and neither does starting after ``stop()``.
    public func start() async {
        core.begin()
        await core.waitUntilArmed()
    }

    /// Ends every subscription at once, whatever waits in it. Descriptors are given back within a moment, by the watcher's
    /// thread.
    public func stop() { core.stop() }
}

extension WatchEvent {
    fileprivate var isChange: Bool {
        switch kind {
        case .polling, .watching, .rescan(.started): false
        case .created, .modified, .removed, .rescan: true
        }
    }
}
