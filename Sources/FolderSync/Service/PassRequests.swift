import FileCoordination
import Synchronization

/// What asks for a pass, gathered until one begins: a storm of it is one request.
final class PassRequests: Sendable {
    struct Kind: OptionSet, Sendable {
        let rawValue: Int
        /// Someone asked.
        static let wake = Kind(rawValue: 1)
        /// The folder changed.
        static let folder = Kind(rawValue: 2)
        /// The store has versions that no pass has looked at.
        static let store = Kind(rawValue: 4)
        static let any: Kind = [.wake, .folder, .store]
    }

    private let pending = Mutex(Kind())
    private let bell = Milestones()

    func add(_ kind: Kind) {
        pending.withLock { $0.formUnion(kind) }
        bell.advance()
    }

    /// From now on new ones are for the pass after the one that begins.
    func take() { pending.withLock { $0 = [] } }

    /// Returns when one of these is there, or after that time; at once if there is no time left.
    func wait(for kinds: Kind, atMost limit: Duration, _ time: ServiceTime) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait(for: kinds) }
            group.addTask { if limit > .zero { try await time.sleep(limit) } }
            defer { group.cancelAll() }
            try await group.next()
        }
        try Task.checkCancellation()
    }

    private func wait(for kinds: Kind) async {
        while !Task.isCancelled {
            let count = bell.count
            if !pending.withLock({ $0.isDisjoint(with: kinds) }) { return }
            await bell.wait(beyond: count)
        }
    }
}
