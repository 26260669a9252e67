/// What one subscriber of a ``DirectoryWatcher`` is told, in batches, parents before children.
///
/// Every subscription has a backlog of its own: a set of paths, which collapses into folders to be read again when it holds
/// more than ``WatchOptions/backlogLimit``. However slow one subscriber is, the others and the watch do not notice. The first
/// event is `.rescan(.started)`: what is there then, and is not told of otherwise, can be read after it. A subscription that
/// is made later is told what changes from then on. One that begins from a ``WatchToken`` is told what changed since the token
/// was taken, in place of `.rescan(.started)`.
///
/// Who looks at each path when it is told of it, and reads again what it is told to read, comes to know exactly what is there,
/// however late it looks. It may then see what is gone again before the watcher looks: of that the end is told as well. So look
/// before you take the next batch, and do not look through links, which are not followed here either. Where a folder is only
/// looked at in intervals, that is guessed from its times: a path there is told again as long as the folder goes on changing,
/// but at most 64 times in a row.
///
/// It ends when the task that iterates it is cancelled, with ``cancel()``, or with the watcher; the end comes at once,
/// whatever waits. The watch goes on as long as the watcher or a subscription of it is held. Iterated by several tasks, it
/// gives each batch to one of them; use an iterator of its own in each.
public struct WatchSubscription: AsyncSequence, Sendable {
    /// One batch.
    public typealias Element = [WatchEvent]
    /// It ends, and never fails.
    public typealias Failure = Never

    /// Shared by the copies of the subscription and its iterators; without them the subscription is over.
    private final class Share: Sendable {
        let watcher: DirectoryWatcher
        let mailbox: WatchMailbox

        init(_ watcher: DirectoryWatcher, since token: WatchToken?) {
            self.watcher = watcher
            mailbox = watcher.core.subscribe(since: token)
        }

        deinit { end() }

        func end() { watcher.core.unsubscribe(mailbox) }
    }

    /// The turns of one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: WatchSubscription
        private let reader = WatchReader()

        fileprivate init(_ subscription: WatchSubscription) { self.subscription = subscription }

        /// The next batch; nil at the end. Starts the watcher if nobody did.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [WatchEvent]? {
            await withTaskCancellationHandler {
                await subscription.take(by: reader)
            } onCancel: { [subscription] in
                subscription.cancel()
            }
        }

        /// The next batch; nil at the end. Starts the watcher if nobody did.
        public mutating func next() async -> [WatchEvent]? { await next(isolation: nil) }
    }

    private let share: Share

    init(_ watcher: DirectoryWatcher, since token: WatchToken?) { share = Share(watcher, since: token) }

    /// Begins, or goes on, where the last turn ended.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(self) }

    /// Ends this subscription at once; what waits in it is dropped. The watch and other subscriptions go on.
    public func cancel() { share.end() }

    /// What this subscriber knows now, for ``DirectoryWatcher/subscribe(since:)`` after a restart of the process. What was taken
    /// counts as told: do what is to be done with a batch, ask before you take the next one, and keep the token together with
    /// what you made of the batches, so that neither is newer than the other. Starts the watcher if nobody did, and answers when
    /// everything that is there is known; O(entries).
    ///
    /// - Throws: ``FileCoordinationError`` if the subscription or the watch has ended: nobody knows then what it missed.
    public func token() async throws(FileCoordinationError) -> WatchToken {
        let mailbox = share.mailbox
        guard !mailbox.hasEnded else {
            throw FileCoordinationError(
                .notSupported, .watch, path: share.watcher.core.root, because: "the subscription has ended",
                remedy: "take the token before it is cancelled")
        }
        let core = share.watcher.core
        core.begin()
        return try await core.takeToken { mailbox.waiting(in: core.round) }
    }

    /// How much waits, for tests.
    var backlog: Int { share.mailbox.count }

    func take(by reader: WatchReader) async -> [WatchEvent]? {
        let core = share.watcher.core
        core.begin()
        let polls = core.polls
        if share.mailbox.comeBack(reader, in: core.round, isChecked: !polls) || polls { core.wake() }
        return await share.mailbox.take(by: reader)
    }

    /// The elements that `transform` makes of each batch, without the batches of which it makes none. Pulled, so that nothing
    /// is buffered anywhere but in the mailbox.
    func stream<Other: Sendable>(
        _ transform: @escaping @Sendable ([WatchEvent]) -> [Other]
    ) -> AsyncStream<[Other]> {
        let reader = WatchReader()
        return AsyncStream {
            while let batch = await take(by: reader) {
                let elements = transform(batch)
                if !elements.isEmpty { return elements }
            }
            return nil
        } onCancel: {
            cancel()
        }
    }
}
