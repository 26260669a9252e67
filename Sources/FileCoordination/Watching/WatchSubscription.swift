/// What one subscriber of a ``DirectoryWatcher`` is told, in batches, parents before children.
///
/// Every subscription has a backlog of its own: a set of paths, which collapses into folders to be read again when it holds
/// more than ``WatchOptions/backlogLimit``. However slow one subscriber is, the others and the watch do not notice. The first
/// event is `.rescan(.started)`: what is there then, and is not told of otherwise, can be read after it. A subscription that
/// is made later is told what changes from then on.
///
/// It ends when the task that iterates it is cancelled, with ``cancel()``, or with the watcher; the end comes at once,
/// whatever waits. The watch goes on as long as the watcher or a subscription of it is held. Iterated by several tasks, it
/// gives each batch to one of them.
public struct WatchSubscription: AsyncSequence, Sendable {
    /// One batch.
    public typealias Element = [WatchEvent]
    /// It ends, and never fails.
    public typealias Failure = Never

    /// Shared by the copies of the subscription and its iterators; without them the subscription is over.
    private final class Share: Sendable {
        let watcher: DirectoryWatcher
        let mailbox: WatchMailbox

        init(_ watcher: DirectoryWatcher) {
            self.watcher = watcher
            mailbox = watcher.core.subscribe()
        }

        deinit { end() }

        func end() { watcher.core.unsubscribe(mailbox) }
    }

    /// The turns of one task.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let subscription: WatchSubscription

        /// The next batch; nil at the end. Starts the watcher if nobody did.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> [WatchEvent]? {
            await withTaskCancellationHandler {
                await subscription.take()
            } onCancel: { [subscription] in
                subscription.cancel()
            }
        }

        /// The next batch; nil at the end. Starts the watcher if nobody did.
        public mutating func next() async -> [WatchEvent]? { await next(isolation: nil) }
    }

    private let share: Share

    init(_ watcher: DirectoryWatcher) { share = Share(watcher) }

    /// Begins, or goes on, where the last turn ended.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(subscription: self) }

    /// Ends this subscription at once; what waits in it is dropped. The watch and other subscriptions go on.
    public func cancel() { share.end() }

    /// How much waits, for tests.
    var backlog: Int { share.mailbox.count }

    func take() async -> [WatchEvent]? {
        share.watcher.core.begin()
        return await share.mailbox.take()
    }

    /// The elements that `transform` makes of each batch, without the batches of which it makes none. Pulled, so that nothing
    /// is buffered anywhere but in the mailbox.
    func stream<Other: Sendable>(
        _ transform: @escaping @Sendable ([WatchEvent]) -> [Other]
    ) -> AsyncStream<[Other]> {
        AsyncStream {
            while let batch = await take() {
                let elements = transform(batch)
                if !elements.isEmpty { return elements }
            }
            return nil
        } onCancel: {
            cancel()
        }
    }
}
