import Synchronization
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Cleaning") struct CleaningTests {
    /// Saves, merges and passes in random order, which drop merges now and then; a value each in most versions changes.
    struct RandomLife {
        var random: SeededRandom
        let builder: StoreBuilder
        var now = StoreBuilder.now

        mutating func live(_ steps: Int) async throws {
            let coordinator = StoreCoordinator(
                store: builder.store, arbiter: MostRecentChangeArbiter(), clock: { [now] in now })
            for _ in 0..<steps {
                now += 1
                let heads = try builder.store.heads().map(\.id)
                let base = heads.randomElement(using: &random) ?? .root
                switch Int.random(in: 0..<10, using: &random) {
                case 0..<5: try builder.save(try changes(at: base), on: base, at: now)
                case 5..<7:
                    let older = try builder.store.log(from: heads, limit: 8).randomElement(using: &random)
                    try builder.save(try changes(at: older?.id ?? .root), on: older?.id ?? .root, at: now)
                default: try await coordinator.merge(publishing: Bool.random(using: &random))
                }
            }
        }

        private mutating func changes(at base: Version.ID) throws -> [Value.ID: String?] {
            var changes: [Value.ID: String?] = [:]
            let known = try builder.store.valueIDs(at: base)
            let count = known.isEmpty ? 60 : Int.random(in: 1...3, using: &random)
            for _ in 0..<count {
                let id = try Value.ID("value \(Int.random(in: 0..<200, using: &random))")
                changes[id] = known.contains(id) && Int.random(in: 0..<4, using: &random) == 0 ? .some(nil) : "\(now)"
            }
            return changes
        }
    }

    /// The nodes that maps reach, and those there are.
    static func nodes(_ storage: any Storage) throws -> (reached: Int, all: Int) {
        var garbage = MapGarbage()
        return try storage.read { reader in
            try reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
                try garbage.mark(try StoredVersion(decoding: bytes, row: row).map, in: reader)
                return true
            }
            return (garbage.reached.count, try storage.size(of: StoreZones.nodes).rows)
        }
    }

    /// What a version shows, by its id.
    static func values(_ store: Store) throws -> [Version.ID: [Value.ID: Digest]] {
        try store.read { snapshot in
            var found: [Version.ID: [Value.ID: Digest]] = [:]
            try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
                let version = try StoredVersion(decoding: bytes, row: row)
                var values: [Value.ID: Digest] = [:]
                try snapshot.forEachReference(in: version, prefix: []) { id, reference in
                    let content = try BodyStorage.content(
                        reference.body, hash: reference.contentHash, in: snapshot.reader, of: store.storage)
                    values[id] = try content.digest()
                    return true
                }
                found[version.id] = values
                return true
            }
            return found
        }
    }

    @Test("every value of every version that stays still reads, and only reachable nodes are left", arguments: 1...4)
    func randomLives(_ seed: UInt64) async throws {
        try await (seed % 2 == 0 ? StorageKind.sqlite : .memory).withBuilder { builder in
            var life = RandomLife(random: SeededRandom(seed: seed), builder: builder)
            // Another process: caches of its own, which know nothing of the cleaning.
            var other = RandomLife(
                random: SeededRandom(seed: seed + 100), builder: StoreBuilder(builder.store.storage))
            var collected = CollectedGarbage()
            for _ in 0..<3 {
                try await life.live(10)
                other.now = life.now
                try await other.live(10)
                life.now = other.now
                let before = try Self.values(builder.store)
                let loose = try builder.store.read { try $0.loose() }
                let done = try builder.store.collectGarbage(keepingDropped: .zero, now: life.now)
                collected.versions += done.versions
                collected.nodes += done.nodes
                collected.rewritten += done.rewritten
                let after = try Self.values(Store(storage: builder.store.storage))
                #expect(after.allSatisfy { before[$0.key] == $0.value }, "seed \(seed)")
                let gone = Set(before.keys).subtracting(after.keys)
                #expect(gone.count == done.versions)
                #expect(gone.isSubset(of: loose.filter { $0.entry.state == .dropped }.map(\.version.id)))
                let nodes = try Self.nodes(builder.store.storage)
                // The last one is kept, whatever it is.
                #expect((nodes.reached...nodes.reached + 1).contains(nodes.all), "seed \(seed): \(nodes)")
                #expect(try builder.store.verify() == [], "seed \(seed)")
                #expect(try other.builder.store.verify() == [], "seed \(seed)")
            }
            #expect(collected.versions > 0 && collected.nodes > 0, "seed \(seed): \(collected)")
        }
    }

    @Test("a node that is kept as a difference from garbage is written in full first")
    func standsOnGarbage() throws {
        let builder = StoreBuilder()
        var values: [Value.ID: String] = [:]
        for number in 0..<40 { values[try Value.ID("value \(number)")] = "\(number)" }
        let base = try builder.save(values)
        // A merge and its child, then the merge's own nodes are no version's any more.
        try builder.store.write(now: 0) { transaction in
            let first = try transaction.snapshot.get(base)
            let middle = try transaction.snapshot.map(
                of: first, changedBy: [("value 1", .put(MapReference(contentHash: .zero, version: 1, body: 1)))],
                writer: transaction.writer)
            let reference = try #require(try transaction.snapshot.reference("value 1", first))
            _ = try transaction.snapshot.map(
                of: StoredVersion(
                    row: 1, id: base, kind: .authored, generation: 1, stamp: first.stamp, time: 0, branch: nil,
                    parents: [0], basis: 0, map: middle, firstBody: 1, header: first.header),
                changedBy: [("value 1", .put(reference))], writer: transaction.writer)
            let mended = try transaction.writer.lastRow(in: StoreZones.nodes)
            let stored = StoredVersion(
                row: 1, id: base, kind: .authored, generation: 1, stamp: first.stamp, time: first.time, branch: nil,
                parents: [0], basis: 0, map: MapRoot(node: mended, digest: first.map.digest, count: first.map.count),
                firstBody: 1, header: first.header)
            try transaction.write(stored, changes: try #require(try transaction.snapshot.changesBytes(of: 1)))
        }
        let store = Store(storage: builder.store.storage)
        #expect(try store.verify() == [])
        let collected = try store.collectGarbage(keepingDropped: .zero, now: 0)
        #expect(collected.rewritten > 0 && collected.nodes > 0)
        #expect(try store.verify() == [])
        #expect(try StoreBuilder(store.storage).values(at: base) == values)
    }

    @Test("a dropped merge is kept until enough time passed for sure: no step of a clock makes it go")
    func age() async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let one = try builder.save(["one": "1"], on: base)
        try builder.save(["two": "2"], on: base)
        let coordinator = StoreCoordinator(store: builder.store, clock: { StoreBuilder.now })
        let old = try await coordinator.merge().current
        try builder.save(["three": "3"], on: one)
        try await coordinator.merge()
        #expect(try builder.store.state(of: old) == .dropped)
        let hour: Int64 = 3_600_000
        var now = StoreBuilder.now
        // The first call sees it; then ten years pass in a step, and the clock goes back.
        for step in [0, 87_600 * hour, -87_600 * hour] {
            now += step
            #expect(try builder.store.collectGarbage(keepingDropped: .seconds(3 * 3_600), now: now).versions == 0)
        }
        now += hour
        #expect(try builder.store.collectGarbage(keepingDropped: .seconds(3 * 3_600), now: now).versions == 0)
        #expect(try builder.values(at: old)["two"] == "2")
        now += hour
        #expect(try builder.store.collectGarbage(keepingDropped: .seconds(3 * 3_600), now: now).versions == 1)
        #expect(try builder.store.state(of: old) == nil)
        #expect(try builder.store.verify() == [])
    }

    @Test("a merge that is used again and dropped again starts anew")
    func usedAgain() async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let one = try builder.save(["one": "1"], on: base)
        let two = try builder.save(["two": "2"], on: base)
        let merge = try builder.merge(one, two).id
        try builder.save(["last": "row"], on: base)
        let minute: Int64 = 60_000
        func state(_ state: VersionState, at now: Int64) throws {
            try builder.store.write(now: now) { transaction in
                try transaction.setState(state, of: try transaction.snapshot.get(merge))
            }
        }
        func collect(at now: Int64) throws -> Int {
            try builder.store.collectGarbage(keepingDropped: .seconds(90), now: now).versions
        }
        try state(.dropped, at: 1)
        #expect(try collect(at: 2) == 0)
        try state(.provisional, at: 3)
        #expect(try collect(at: minute) == 0)
        try state(.dropped, at: minute + 1)
        #expect(try collect(at: 2 * minute) == 0)
        #expect(try collect(at: 3 * minute) == 0)
        #expect(try collect(at: 4 * minute) == 1)
        // Made again, it is the same merge in a row of its own.
        #expect(try builder.merge(one, two).id == merge)
        #expect(try builder.values(at: merge) == ["x": "0", "one": "1", "two": "2"])
        #expect(try builder.store.verify() == [])
    }

    @Test("what is cleaned away leaves the history's index, its segment full or not", arguments: [false, true])
    func leavesTheIndex(segmentIsFull: Bool) throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"], on: try builder.fill(Int(HistoryIndex.segmentSize) - 10))
        let one = try builder.save(["x": "1"], on: base)
        let two = try builder.save(["y": "1"], on: base)
        let merge = try builder.merge(one, two).id
        var tip = try builder.save(["z": "1"], on: base)
        if segmentIsFull { for number in 0..<10 { tip = try builder.save(["z": "\(number)"], on: tip) } }
        #expect(try builder.store.read { try $0.reader.lastRow(in: StoreZones.segments) } == (segmentIsFull ? 1 : 0))
        try builder.store.write(now: 0) { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(merge))
        }
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 1)
        if !segmentIsFull { for number in 0..<10 { tip = try builder.save(["z": "\(number)"], on: tip) } }
        #expect(try builder.store.verify() == [])
        #expect(try builder.store.versions(of: "x").collected().map(\.version.id) == [one, base])
        #expect(try builder.store.versions(of: "y").collected().map(\.version.id) == [two])
    }

    @Test("what a current version or another version stands on stays, and so does the last row")
    func keptInUse() async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let sides = try (0..<3).map { try builder.save([try Value.ID("\($0)"): "1"], on: base) }
        let merge = try builder.merge(sides[0], sides[1]).id
        let child = try builder.merge(merge, sides[2]).id
        try builder.store.write(now: 0) { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(merge))
        }
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 0)
        try builder.store.write(now: 0) { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(child))
        }
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 0, "the last row")
        try builder.save(["y": "1"], on: base)
        try builder.store.write(now: 0) { transaction in
            try transaction.setCurrent(try transaction.snapshot.get(child), of: "main")
        }
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 0, "in use")
        try builder.store.write(now: 0) { transaction in
            try transaction.setCurrent(try transaction.snapshot.get(base), of: "main")
        }
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 2)
        #expect(try builder.store.verify() == [])
    }

    @Test("merges that are cleaned away while a pass is going to use them are made again")
    func cleanedMeanwhile() async throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let store = builder.store
        for number in 0..<4 { try builder.save(["x": "\(number)"], on: base, at: StoreBuilder.now + Int64(number)) }
        let cleaned = Mutex(0)
        let arbiter = ScriptedArbiter { merge in
            let call = cleaned.withLock { count in
                count += 1
                return count
            }
            if call == 3 {
                // So that the merges made so far are not in the last row.
                try StoreBuilder(store.storage).save(["aside": "1"], on: base, branch: "aside")
                let collected = try store.collectGarbage(keepingDropped: .zero, now: StoreBuilder.now)
                #expect(collected.versions > 0)
            }
            return try merge.conflicts.map { try merge.keeping(.second, of: $0) }
        }
        let coordinator = StoreCoordinator(store: store, arbiter: arbiter, clock: { StoreBuilder.now })
        let outcome = try await coordinator.merge(publishing: false)
        #expect(outcome.left.isEmpty)
        #expect(try await coordinator.current() == outcome.current)
        #expect(try store.state(of: outcome.current) == .provisional)
        #expect(try store.verify() == [])
    }

    @Test("a call that fails at any write leaves a sound store, and the next one does the rest")
    func failingWrites() async throws {
        let storage = FailingStorage(MemoryStorage())
        var life = RandomLife(random: SeededRandom(seed: 5), builder: StoreBuilder(storage))
        try await life.live(16)
        for number in 1... {
            let before = try Self.values(Store(storage: storage))
            storage.fail(atWrite: number)
            do {
                try life.builder.store.collectGarbage(keepingDropped: .zero, now: life.now)
                storage.fail(atWrite: nil)
                break
            } catch let error as StoreError where error == FailingStorage.failure {
                storage.fail(atWrite: nil)
                let store = Store(storage: storage)
                #expect(try store.verify() == [], "after failure \(number)")
                #expect(try Self.values(store).allSatisfy { before[$0.key] == $0.value })
            }
        }
        let nodes = try Self.nodes(storage)
        #expect((nodes.reached...nodes.reached + 1).contains(nodes.all))
    }

    @Test("large values of a merge go with it")
    func largeValues() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["x": "0"])
        let one = try builder.save(["x": "1"], on: base)
        let two = try builder.save(["x": "2"], on: base)
        let bytes = [UInt8](repeating: 9, count: BodyStorage.largestRow + 1)
        let merge = try builder.merge(one, two, ScriptedArbiter { _ in [.update(Value(id: "x", bytes: bytes))] }).id
        try builder.save(["y": "last row"], on: base)
        try builder.store.write(now: 0) { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(merge))
        }
        #expect(try builder.store.storage.size(of: StoreZones.chunks).rows == 5)
        #expect(try builder.store.collectGarbage(keepingDropped: .zero, now: 0).versions == 1)
        #expect(try builder.store.storage.size(of: StoreZones.chunks).rows == 0)
        #expect(try builder.store.storage.size(of: StoreZones.bodies).rows == 4)
        #expect(try builder.store.verify() == [])
    }

    @Test("time that passed is never more than an hour a look, and never negative")
    func elapsed() {
        var time = ElapsedTime(startingAt: 0)
        for (now, total) in [
            (Int64(1_000), Int64(1_000)), (500, 1_000), (.max, 3_601_000), (.min, 3_601_000), (0, 7_201_000),
        ] {
            time.look(at: now)
            #expect(time.total == total, "at \(now)")
        }
    }
}
