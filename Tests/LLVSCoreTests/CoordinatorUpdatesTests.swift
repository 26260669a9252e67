import Foundation
import LLVSCore
import Synchronization
import TestSupport
import Testing

@Suite("Updates", .timeLimit(.minutes(20)))
struct CoordinatorUpdatesTests {
    private let store = Store(storage: MemoryStorage())

    private static func insert(_ id: String, _ text: String) throws -> Value.Change {
        .insert(Value(id: try Value.ID(id), text))
    }

    @Test func theFirstUpdateIsEverythingAndThenWhatChangedHoweverSlowTheReaderIs() async throws {
        let coordinator = StoreCoordinator(store: store)
        var updates = coordinator.updates(lookingEvery: .seconds(3_600)).makeAsyncIterator()
        #expect(try await updates.next()?.changes == .everything)
        for id in ["b", "a", "c"] { try await coordinator.save([try Self.insert(id, "1")]) }
        try await coordinator.save([.remove(Value.ID("c"))])
        let update = try #require(try await updates.next())
        #expect(update.changes == .named([Value.ID("a"), Value.ID("b")]))
        #expect(try await coordinator.current() == update.version)
        #expect(update.connection == .stopped(reason: nil))
    }

    @Test func oneThatWaitsIsWokenByASaveThroughAnyCoordinatorOfTheStore() async throws {
        let coordinator = StoreCoordinator(store: store)
        let hasBegun = Mutex(false)
        let waiting = Task {
            var updates = coordinator.updates(lookingEvery: .seconds(3_600)).makeAsyncIterator()
            _ = try await updates.next()
            hasBegun.withLock { $0 = true }
            return try await updates.next()
        }
        #expect(await eventually { hasBegun.withLock { $0 } })
        try await StoreCoordinator(store: store).save([try Self.insert("d", "1")])
        #expect(try await waiting.value?.changes == .named([Value.ID("d")]))
    }

    @Test func manyChangesAreEverything() async throws {
        let coordinator = StoreCoordinator(store: store)
        var updates = coordinator.updates().makeAsyncIterator()
        _ = try await updates.next()
        try await coordinator.save(try (0..<1_000).map { try Self.insert("a\($0)", "") })
        guard case .named(let ids) = try await updates.next()?.changes else { throw Unexpected() }
        #expect(ids.count == 1_000 && ids == ids.sorted())
        try await coordinator.save(try (0..<1_001).map { try Self.insert("b\($0)", "") })
        #expect(try await updates.next()?.changes == .everything)
    }

    private struct Unexpected: Error {}

    @Test func cancellationEndsTheUpdates() async throws {
        let coordinator = StoreCoordinator(store: store)
        let reading = Task {
            var count = 0
            for try await _ in coordinator.updates(lookingEvery: .seconds(3_600)) { count += 1 }
            return count
        }
        reading.cancel()
        #expect(try await reading.value <= 1)
    }

    @Test func cursorsSurviveLaunchesAndForeignOnesAreRefused() async throws {
        let coordinator = StoreCoordinator(store: store)
        try await coordinator.save([try Self.insert("a", "1")])
        let begin = try await coordinator.changes(since: nil)
        guard case .everything = begin else { throw Unexpected() }
        let coded = try JSONEncoder().encode(begin.next)
        try await coordinator.save([try Self.insert("b", "1"), try Self.insert("c", "1")])
        let cursor = try JSONDecoder().decode(ChangeCursor.self, from: coded)
        guard case .named(let ids, let next) = try await coordinator.changes(since: cursor) else { throw Unexpected() }
        #expect(ids == [Value.ID("b"), Value.ID("c")])
        #expect(try await coordinator.changes(since: next) == .named([], next: next))
        #expect(try await coordinator.changes(since: cursor, most: 1) == .everything(next: next))
        for other in [
            StoreCoordinator(store: Store(storage: MemoryStorage())), StoreCoordinator(store: store, name: "other"),
        ] {
            await #expect {
                try await other.changes(since: cursor)
            } throws: {
                ($0 as? StoreError)?.code == .foreignCursor
            }
        }
    }
}
