import TestSupport
import Testing

@testable import LLVSCore

/// Every writing call fails once: the n-th put, append, removal or commit, for every n. What the store then holds is the old
/// state or the new one, whole.
@Suite("Store: failing writes") struct StoreFaultTests {
    /// Runs `body` with a failure at write 1, 2, 3 … until it succeeds. After each failure the store must be sound, and `check`
    /// looks at it. Returns the number of failures.
    private func failAtEveryWrite(
        _ storage: FailingStorage, _ body: () async throws -> Void, afterFailure check: () async throws -> Void
    ) async throws -> Int {
        for number in 1... {
            storage.fail(atWrite: number)
            do {
                try await body()
                #expect(storage.writes < number, "a failure was swallowed")
                storage.fail(atWrite: nil)
                return number - 1
            } catch let error as StoreError where error == FailingStorage.failure {
                storage.fail(atWrite: nil)
            }
            // A new store has no caches that could hide what is on the disk.
            #expect(try Store(storage: storage).verify() == [], "after failure \(number)")
            try await check()
        }
        preconditionFailure("Some number is greater than that of the writes.")
    }

    @Test("a version is there whole or not at all", arguments: StorageKind.allCases)
    func makeVersion(_ kind: StorageKind) throws {
        let large = [UInt8](repeating: 7, count: BodyStorage.largestRow + 1)
        let changes: [Value.Change] = [
            .update(Value(id: "a", "2")), .remove("b"), .insert(Value(id: "large", bytes: large)),
        ]
        try kind.withStorage { inner in
            let storage = FailingStorage(inner)
            let builder = StoreBuilder(storage)
            let base = try builder.save(["a": "1", "b": "1", "c": "1"])
            let before = try storage.contents()
            for number in 1... {
                storage.fail(atWrite: number)
                do {
                    let made = try builder.store.makeVersion(basedOn: base, changes: changes, now: StoreBuilder.now)
                    #expect(number > 10 && storage.writes == number - 1)
                    #expect(try builder.store.bytes(of: "large", at: made.id) == large)
                    #expect(try builder.store.verify() == [])
                    return
                } catch let error as StoreError where error == FailingStorage.failure {
                    #expect(try storage.contents() == before, "after failure \(number)")
                    storage.fail(atWrite: nil)
                    #expect(try Store(storage: storage).verify() == [])
                    // The rows that were rolled back are not remembered.
                    #expect(try builder.values(at: base) == ["a": "1", "b": "1", "c": "1"])
                }
            }
        }
    }

    @Test("versions that are admitted together are all there or none", arguments: StorageKind.allCases)
    func admitting(_ kind: StorageKind) async throws {
        let source = StoreBuilder()
        var tip = try source.save(["a": "1"])
        for number in 2...4 { tip = try source.save(["a": "\(number)", "b": "\(number)"], on: tip) }
        let parcels = try source.parcels()
        var storage: FailingStorage?
        let wrap = { (inner: any Storage) -> any Storage in
            let failing = FailingStorage(inner)
            storage = failing
            return failing
        }
        try await kind.withBuilder(wrapping: wrap) { builder in
            let storage = try #require(storage)
            try builder.save(["own": "1"])
            let before = try storage.contents()
            let failures = try await failAtEveryWrite(storage) {
                try builder.admit(parcels)
            } afterFailure: {
                let now = try storage.contents()
                #expect(now == before)
            }
            #expect(failures > 20)
            #expect(try builder.store.heads().count == 2)
            #expect(try builder.values(at: tip) == ["a": "4", "b": "4"])
        }
    }

    @Test("a save beside the current version is there or not, and the current version is merged or not")
    func saving() async throws {
        let storage = FailingStorage(MemoryStorage())
        let builder = StoreBuilder(storage)
        let coordinator = StoreCoordinator(store: builder.store, clock: { StoreBuilder.now })
        let base = try await coordinator.save(StoreBuilder.changes(["x": "0", "y": "0"])).id
        let current = try await coordinator.save(StoreBuilder.changes(["x": "1"])).id
        let count = try builder.store.versionCount()
        let failures = try await failAtEveryWrite(storage) {
            try await coordinator.save(StoreBuilder.changes(["x": "2", "y": "2"]), basedOn: base)
        } afterFailure: {
            let found = try builder.store.versionCount()
            #expect(found == count || found == count + 1)
            let now = try await coordinator.current()
            #expect(now == current)
        }
        #expect(failures > 7)
        let now = try await coordinator.current()
        #expect(try builder.text("y", at: now) == "2")
        #expect(try builder.store.versionCount() == count + 1)
    }

    @Test("a merge of all heads is adopted or not, and the next one makes the same", arguments: [true, false])
    func merging(publishing: Bool) async throws {
        let storage = FailingStorage(MemoryStorage())
        let builder = StoreBuilder(storage)
        let twin = StoreBuilder()
        let coordinator = StoreCoordinator(store: builder.store, clock: { StoreBuilder.now })
        // Looks for old dropped merges, which it does once an hour and whose failure is none of the merge.
        try await coordinator.merge(publishing: publishing)
        for builder in [builder, twin] {
            let base = try builder.save(["x": "0"])
            for number in 1...3 { try builder.save(["x": "\(number)", "y": "1"], on: base) }
        }
        let expected = try await StoreCoordinator(store: twin.store, clock: { StoreBuilder.now })
            .merge(publishing: publishing)
        let heads = try builder.store.heads()
        let count = try builder.store.versionCount()
        let failures = try await failAtEveryWrite(storage) {
            try await coordinator.merge(publishing: publishing)
        } afterFailure: {
            #expect(try builder.store.heads() == heads)
            #expect(try builder.store.versionCount() == count)
            let now = try await coordinator.current()
            #expect(now == .root)
        }
        #expect(failures > 5)
        let now = try await coordinator.current()
        #expect(now == expected.current)
        #expect(try builder.store.heads() == twin.store.heads())
        #expect(try builder.store.versionCount() == twin.store.versionCount())
    }
}
