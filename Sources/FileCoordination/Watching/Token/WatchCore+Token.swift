/// What one subscriber has not been told, by absolute paths as in events.
struct WatchUnknown: Hashable, Sendable {
    var paths: Set<PathKey> = []
    /// Folders of which everything below may be unknown to it.
    var folders: Set<PathKey> = []
}

/// What others ask of the watcher's thread.
enum WatchRequest: Sendable {
    /// Nil in answer when the watcher has ended.
    case snapshot(unknown: @Sendable () -> WatchUnknown, answer: @Sendable (TreeSnapshot?) -> Void)
    case differences(since: TreeSnapshot, deliver: @Sendable ([WatchEvent]) -> Void)
}

extension WatchCore {
    /// A token for a subscriber, as soon as the watcher is armed.
    ///
    /// - Parameter unknown: What waits for this subscriber; asked on the watcher's thread, at the moment of the snapshot.
    /// - Throws: If the watcher does not run.
    func takeToken(
        unknown: @escaping @Sendable () -> WatchUnknown
    ) async throws(FileCoordinationError) -> WatchToken {
        let snapshot = await withCheckedContinuation { continuation in
            request(.snapshot(unknown: unknown) { continuation.resume(returning: $0) })
        }
        guard let snapshot else {
            throw FileCoordinationError(
                .notSupported, .watch, path: root, because: "the watcher does not run",
                remedy: "take the token before it is stopped")
        }
        return WatchToken(snapshot)
    }

    /// Calls `deliver` on the watcher's thread with everything that differs from the token, as soon as the watcher is armed.
    ///
    /// The subscriber's mailbox must get live events already: some may be told twice then, but none falls between.
    func tellDifferences(since token: WatchToken, to deliver: @escaping @Sendable ([WatchEvent]) -> Void) {
        // A token was checked when it was made.
        do { request(.differences(since: try TreeSnapshot(decoding: token.encoded), deliver: deliver)) } catch {
            deliver([WatchEvent(.rescan(.backlog), path: root, isDirectory: true)])
        }
    }
}

extension WatchRequest {
    /// When nobody will answer any more.
    func refuse() {
        if case .snapshot(_, let answer) = self { answer(nil) }
    }
}
