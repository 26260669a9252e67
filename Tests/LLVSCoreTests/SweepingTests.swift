import Synchronization
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Sweeping dropped merges") struct SweepingTests {
    private static let hour: Int64 = 3_600_000

    @Test("what is dropped goes once it is old enough, with its nodes, and the store stops growing")
    func growthStops() async throws {
        let builder = StoreBuilder()
        let now = Shared(StoreBuilder.now)
        var values: [Value.ID: String] = [:]
        for number in 0..<60 { values[try Value.ID("value \(number)")] = "\(number)" }
        var tip = try builder.save(values)
        let coordinator = StoreCoordinator(store: builder.store, clock: { now.value })
        try await coordinator.merge()
        // What this device shows, beside what others go on with: each merge of both gives way to the next.
        try await coordinator.save([.update(Value(id: "value 7", "mine"))])
        var dropped: [Int] = []
        for round in 0..<40 {
            tip = try builder.save([try Value.ID("value \(round)"): "round \(round)"], on: tip, at: now.value)
            now.change { $0 += Self.hour }
            try await coordinator.merge(publishing: false)
            _ = try builder.store.sweepDropped(keeping: .seconds(10 * 3_600), now: now.value)
            dropped.append(try builder.store.read { try $0.loose() }.count { $0.entry.state == .dropped })
        }
        #expect(dropped[9] == 9, "kept until then: \(dropped)")
        #expect(dropped[12...].allSatisfy { $0 == 10 }, "\(dropped)")
        let nodes = try CleaningTests.nodes(builder.store.storage)
        #expect(nodes.all - nodes.reached <= 1, "\(nodes)")
        #expect(try builder.store.verify(.deep) == [])
    }

    @Test("a coordinator looks once an hour, and writes nothing where nothing was dropped")
    func quiet() async throws {
        let storage = FailingStorage(MemoryStorage())
        let builder = StoreBuilder(storage)
        let base = try builder.save(["x": "0"])
        let now = Shared(StoreBuilder.now)
        let coordinator = StoreCoordinator(store: builder.store, clock: { now.value })
        try await coordinator.merge()
        storage.fail(atWrite: nil)
        for _ in 0..<3 {
            now.change { $0 += Self.hour }
            try await coordinator.merge()
        }
        #expect(storage.writes == 0)
        let one = try builder.save(["one": "1"], on: base)
        let two = try builder.save(["two": "2"], on: base)
        let merge = try builder.merge(one, two).id
        try builder.store.write(now: now.value) { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(merge))
        }
        let other = StoreCoordinator(store: builder.store, name: "other", clock: { now.value })
        try await other.merge()
        storage.fail(atWrite: nil)
        for _ in 0..<3 { try await other.merge() }
        #expect(storage.writes == 0, "within the hour")
        now.change { $0 += Self.hour }
        try await other.merge()
        #expect(storage.writes > 0)
    }

    @Test("a call removes so many at most and says that there is more; the next ones do the rest")
    func bounded() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let sides = try (0..<41).map { try builder.save([try Value.ID("\($0)"): "side"], on: base) }
        let merges = try zip(sides, sides.dropFirst()).map { try builder.merge($0, $1).id }
        try builder.save(["last": "row"], on: base)
        try builder.store.write(now: 0) { transaction in
            for merge in merges { try transaction.setState(.dropped, of: try transaction.snapshot.get(merge)) }
        }
        var removed: [Int] = []
        while true {
            let sweep = try builder.store.sweepDropped(keeping: .zero, atMost: 16, now: 0)
            removed.append(sweep.removed.versions)
            if !sweep.hasMore { break }
        }
        #expect(removed == [16, 16, 8])
        #expect(try builder.store.verify(.deep) == [])
    }

    @Test("what stays reads as before, whoever writes in between", arguments: [UInt64](11...14))
    func randomLives(_ seed: UInt64) async throws {
        try await (seed % 2 == 0 ? StorageKind.sqlite : .memory).withBuilder { builder in
            var life = CleaningTests.RandomLife(random: SeededRandom(seed: seed), builder: builder)
            var swept = CollectedGarbage()
            for _ in 0..<4 {
                try await life.live(14)
                let before = try CleaningTests.values(builder.store)
                let sweep = try builder.store.sweepDropped(keeping: .zero, now: life.now)
                swept.add(sweep.removed)
                let after = try CleaningTests.values(Store(storage: builder.store.storage))
                #expect(after.allSatisfy { before[$0.key] == $0.value }, "seed \(seed)")
                #expect(before.count - after.count == sweep.removed.versions, "seed \(seed)")
                #expect(try builder.store.verify(.deep) == [], "seed \(seed)")
            }
            let nodes = try CleaningTests.nodes(builder.store.storage)
            #expect(swept.versions > 0 && swept.nodes > 0, "seed \(seed): \(swept)")
            // Upper levels of a map that lost them.
            #expect(nodes.all - nodes.reached <= 3 * swept.versions / 2, "seed \(seed): \(nodes) \(swept)")
        }
    }

    @Test("a call that fails or dies at any write leaves a sound store, and the next one does the rest")
    func failingWrites() async throws {
        let storage = FailingStorage(MemoryStorage())
        var life = CleaningTests.RandomLife(random: SeededRandom(seed: 5), builder: StoreBuilder(storage))
        try await life.live(16)
        let before = try CleaningTests.values(Store(storage: storage))
        var failures = 0
        for number in 1... {
            storage.fail(atWrite: number)
            do {
                _ = try life.builder.store.sweepDropped(keeping: .zero, atMost: 1, now: life.now)
                storage.fail(atWrite: nil)
                if number > 3 { break }
            } catch let error as StoreError where error == FailingStorage.failure {
                failures += 1
                storage.fail(atWrite: nil)
                let store = Store(storage: storage)
                #expect(try store.verify(.deep) == [], "after failure \(number)")
                #expect(try CleaningTests.values(store).allSatisfy { before[$0.key] == $0.value })
            }
        }
        #expect(failures > 3)
        while try life.builder.store.sweepDropped(keeping: .zero, now: life.now).hasMore {}
        #expect(try life.builder.store.verify(.deep) == [])
        #expect(try CleaningTests.values(Store(storage: storage)).count < before.count)
    }
}
