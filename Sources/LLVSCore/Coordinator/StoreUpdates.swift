import FileCoordination

/// That there is something to read again.
public struct StoreUpdate: Hashable, Sendable {
    /// What is to be read again.
    public enum Changes: Hashable, Sendable {
        /// All values: at the beginning, and where more than 1,000 changed.
        case everything
        /// These values, ascending: inserted, updated or removed. May be none: then only the connection changed, or the way
        /// the values came about.
        case named([Value.ID])
    }

    /// The version to read at.
    public let version: Version.ID
    /// What differs there from the version of the update before.
    public let changes: Changes
    /// How the store stands to the others.
    public let connection: ConnectionState
}

/// The updates of a coordinator for one consumer; see ``StoreCoordinator/updates(lookingEvery:clock:)``.
public struct StoreUpdates: AsyncSequence, Sendable {
    let coordinator: StoreCoordinator
    let interval: Duration
    let clock: any Clock<Duration>

    /// A consumer of its own, which begins with everything.
    public func makeAsyncIterator() -> Iterator { Iterator(updates: self) }

    /// Remembers what its consumer was told.
    public struct Iterator: AsyncIteratorProtocol {
        let updates: StoreUpdates
        private var told: StoreUpdate?

        init(updates: StoreUpdates) { self.updates = updates }

        /// Waits until there is something to tell; nil when the task is cancelled.
        /// - Throws: ``StoreError`` if the store cannot be read.
        public mutating func next() async throws -> StoreUpdate? {
            let news = updates.coordinator.store.news
            while !Task.isCancelled {
                let count = news.count
                if let update = try await updates.coordinator.update(after: told) {
                    told = update
                    return update
                }
                await withTaskGroup(of: Void.self) { [updates] group in
                    group.addTask { await news.wait(beyond: count) }
                    // Other processes do not ring here.
                    group.addTask { do { try await updates.clock.sleep(for: updates.interval) } catch {} }
                    await group.next()
                    group.cancelAll()
                }
            }
            return nil
        }
    }
}

extension StoreCoordinator {
    /// What a consumer has to read again, for as long as it asks: first everything, then what changed since the update before,
    /// however slow it reads. Whatever happens meanwhile is in the next update, so nothing is kept for it but a version's id.
    ///
    /// Commits made through this ``Store`` are told at once, those of other processes and objects when the store is looked at.
    /// - Parameters:
    ///   - interval: how often that is while the consumer waits: a read of one row.
    ///   - clock: what the interval is measured with.
    public nonisolated func updates(
        lookingEvery interval: Duration = .seconds(1), clock: any Clock<Duration> = ContinuousClock()
    ) -> StoreUpdates {
        StoreUpdates(coordinator: self, interval: interval, clock: clock)
    }

    /// Nil if there is nothing to tell.
    func update(after told: StoreUpdate?) throws -> StoreUpdate? {
        let connection = connection
        return try store.read { snapshot in
            let current = try snapshot.current(name)
            guard let told, let old = try snapshot.find(told.version) else {
                return StoreUpdate(version: current.id, changes: .everything, connection: connection)
            }
            if told.version == current.id, told.connection == connection { return nil }
            let changed = try snapshot.changedIDs(from: old, to: current, most: 1_000)
            return StoreUpdate(
                version: current.id, changes: changed.map { .named($0) } ?? .everything, connection: connection)
        }
    }
}

extension StoreSnapshot {
    private struct TooMany: Error {}

    /// The ids of values that two versions have differently, ascending; nil if there are more than `most`. Costs no more than
    /// `most` of them.
    func changedIDs(from old: StoredVersion, to new: StoredVersion, most: Int) throws -> [Value.ID]? {
        var found: [Value.ID] = []
        do {
            try differences(from: old, to: new) { id, _, _ in
                if found.count >= most { throw TooMany() }
                found.append(id)
            }
            return found
        } catch is TooMany {
            return nil
        }
    }
}
