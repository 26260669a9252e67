import Synchronization

/// Hands outcomes to any number of consumers. For a slow one, those that wait are one, so that no count is lost and no memory
/// grows.
final class PassOutcomes: Sendable {
    private final class Mailbox: Sendable {
        let waiting = Mutex<PassOutcome?>(nil)
        let ticks: AsyncStream<Void>
        let ticker: AsyncStream<Void>.Continuation

        init() { (ticks, ticker) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

        func next() async -> PassOutcome? {
            for await _ in ticks {
                if let outcome = waiting.withLock({ $0.take() }) { return outcome }
            }
            // Ended: what came last is told all the same.
            return waiting.withLock { $0.take() }
        }
    }

    private struct Weak {
        weak var mailbox: Mailbox?
    }
    private let mailboxes = Mutex<[Weak]>([])

    /// What comes from now on.
    func stream() -> AsyncStream<PassOutcome> {
        let mailbox = Mailbox()
        mailboxes.withLock { all in
            all.removeAll { $0.mailbox == nil }
            all.append(Weak(mailbox: mailbox))
        }
        return AsyncStream { await mailbox.next() }
    }

    func send(_ outcome: PassOutcome) {
        for mailbox in mailboxes.withLock({ $0.compactMap(\.mailbox) }) {
            mailbox.waiting.withLock { $0 = $0?.followed(by: outcome) ?? outcome }
            mailbox.ticker.yield()
        }
    }

    /// Ends every stream that is open.
    func end() {
        for mailbox in mailboxes.withLock({ $0.compactMap(\.mailbox) }) { mailbox.ticker.finish() }
    }
}
