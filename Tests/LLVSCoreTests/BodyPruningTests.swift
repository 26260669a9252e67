import TestSupport
import Testing

@testable import LLVSCore

@Suite("Pruning a store") struct BodyPruningTests {
    /// What every version shows, by its row; nil: its bytes were pruned.
    private static func shown(_ store: Store) throws -> [Int64: [Value.ID: [UInt8]?]] {
        let fresh = Store(storage: store.storage)
        return try fresh.read { snapshot in
            var shown: [Int64: [Value.ID: [UInt8]?]] = [:]
            try snapshot.reader.scanRows(StoreZones.versions, from: 1) { row, bytes in
                let version = try StoredVersion(decoding: bytes, row: row)
                for id in try fresh.valueIDs(at: version.id) {
                    do {
                        shown[row, default: [:]][id] = try fresh.bytes(of: id, at: version.id)
                    } catch let error as StoreError where error.code == .valuePruned {
                        shown[row, default: [:]][id] = .some(nil)
                    }
                }
                return true
            }
            return shown
        }
    }

    /// Worked out pair by pair: what must stay readable.
    private static func needed(_ store: Store, before count: Int64, states: [[Int64]]) throws -> Set<Int64> {
        try store.read { snapshot in
            let graph = try VersionGraph(in: snapshot)
            var tips = Set(try snapshot.heads().map(\.row) + snapshot.allCurrent().map(\.row))
            var needed = Set(try snapshot.loose().map(\.version.row))
            for state in states {
                tips.formUnion(
                    state.filter { row in !state.contains { graph.parents(of: $0).contains(row) } })
            }
            tips.formUnion(needed)
            try snapshot.reader.scanRows(StoreZones.firm, from: count + 1) { number, bytes in
                needed.insert(try LogEntry(decoding: bytes, number: number).row)
                return true
            }
            needed.formUnion(needed.flatMap(graph.parents))
            for one in tips {
                for other in tips {
                    let pair = try [one, other].map { try snapshot.stored($0) }
                    needed.formUnion(try AncestryWalk([pair[0]], [pair[1]], in: snapshot).common.map(\.row))
                }
            }
            return needed.union(tips).subtracting([0])
        }
    }

    /// Saves on heads, now and then on something older, and merges.
    private static func live(_ builder: StoreBuilder, _ now: inout Int64, _ random: inout SeededRandom) async throws {
        let coordinator = StoreCoordinator(
            store: builder.store, arbiter: MostRecentChangeArbiter(), clock: { [now] in now })
        for _ in 0..<20 {
            now += 1
            let heads = try builder.store.heads().map(\.id)
            var base = heads.randomElement(using: &random) ?? .root
            if Int.random(in: 0..<6, using: &random) == 0 {
                base = try builder.store.log(from: heads, limit: 5).randomElement(using: &random)?.id ?? base
            }
            if Int.random(in: 0..<4, using: &random) == 0 {
                try await coordinator.merge(publishing: Bool.random(using: &random))
            } else {
                let id = try Value.ID("value \(Int.random(in: 0..<8, using: &random))")
                let removes = try builder.text(id, at: base) != nil && Int.random(in: 0..<4, using: &random) == 0
                try builder.save([id: removes ? nil : "\(now)"], on: base, at: now)
            }
        }
    }

    @Test("what anybody may still need reads as before, the rest says that it was pruned", arguments: 1...5)
    func randomLives(_ seed: UInt64) async throws {
        try await (seed % 2 == 0 ? StorageKind.sqlite : .memory).withBuilder { builder in
            var (random, now, total) = (SeededRandom(seed: seed), StoreBuilder.now, 0)
            for _ in 0..<3 {
                try await Self.live(builder, &now, &random)
                let store = builder.store
                let rows = try store.read { try VersionGraph(in: $0).rows }
                // Devices that were last here when there were so many versions.
                let states = (0..<2).map { _ in
                    Array(rows.prefix(Int.random(in: 0...rows.count, using: &random)))
                }
                let count = Int64(try store.versionCount() - Int.random(in: 0...6, using: &random))
                let before = try Self.shown(store)
                let needed = try Self.needed(store, before: count, states: states)
                let planned = try store.pruneValues(before: count, states: states, isRehearsal: true)
                #expect(try Self.shown(store) == before)
                let pruned = try store.pruneValues(before: count, states: states)
                #expect(pruned == planned)
                #expect(try store.pruneValues(before: count, states: states) == PrunedValues())
                total += pruned.values
                let after = try Self.shown(store)
                for (row, values) in before {
                    for (id, bytes) in values {
                        let now = after[row]?[id]
                        if now == .some(nil), !needed.contains(row) { continue }
                        #expect(now == .some(bytes), "seed \(seed): '\(id)' of version \(row)")
                    }
                }
                #expect(try store.verify() == [], "seed \(seed)")
            }
            #expect(total > 4, "seed \(seed): \(total)")
        }
    }

    @Test(
        "a pruned value keeps hash and length, and is filled in by the same bytes alone",
        arguments: StorageKind.allCases)
    func pruningAndFilling(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            let store = builder.store
            let large = [UInt8](repeating: 7, count: 3 << 20)
            let first = try store.makeVersion(
                basedOn: .root, changes: [.insert(Value(id: "large", bytes: large)), .insert(Value(id: "small", "1"))],
                now: StoreBuilder.now)
            let stream = try #require(try store.content(of: "large", at: first.id))
            let second = try builder.save(["large": "little", "small": "2"], on: first.id)
            let last = try builder.save(["other": "x"], on: second)
            let hash = try store.reference(of: "large", at: first.id)?.contentHash
            let pruned = try store.pruneValues(before: 3, states: [])
            #expect(pruned.values == 2 && pruned.byteCount == UInt64(large.count) + 1)
            #expect(try store.storage.size(of: StoreZones.chunks).rows == 0)
            #expect(try builder.values(at: last) == ["large": "little", "small": "2", "other": "x"])
            let error = try expect(.valuePruned) { _ = try store.bytes(of: "large", at: first.id) }
            #expect(error.remedy.contains("device"))
            _ = try expect(.valuePruned) { _ = try stream.allBytes() }
            #expect(try store.size(of: "large", at: first.id) == UInt64(large.count))
            #expect(try store.reference(of: "large", at: first.id)?.contentHash == hash)
            let entries = try store.changes(of: first.id).entries
            let absent = try [false, true].map { all in
                try store.exchange { try $0.absentBodies(of: first.id, count: 2, includingPruned: all) }
            }
            #expect(absent == [[], [0, 1]])
            _ = try expect(.valueUnreadable) {
                try store.exchange { try $0.fill(0, entries[0], of: first.id, with: .bytes([1])) }
            }
            for (index, bytes) in [large, [UInt8("1".utf8.first ?? 0)]].enumerated() {
                try store.exchange { try $0.fill(index, entries[index], of: first.id, with: .bytes(bytes)) }
            }
            #expect(try store.bytes(of: "large", at: first.id) == large)
            #expect(try builder.text("small", at: first.id) == "1")
            #expect(try store.verify() == [])
        }
    }

    @Test("a backup of a pruned store says so by its format, and is restored as it was")
    func backup() throws {
        try withStorageDirectory { directory in
            let builder = StoreBuilder()
            let first = try builder.save(["a": "1"])
            let last = try builder.save(["b": "x"], on: builder.save(["a": "2"], on: first))
            #expect(try builder.store.writeSnapshot(to: directory + "/whole").format == 2)
            #expect(try builder.store.pruneValues(before: 3, states: []).values == 1)
            #expect(try builder.store.writeSnapshot(to: directory + "/pruned").format == 3)
            let restored = StoreBuilder()
            try restored.store.restore(snapshot: directory + "/pruned")
            #expect(try restored.values(at: last) == ["a": "2", "b": "x"])
            _ = try expect(.valuePruned) { _ = try restored.text("a", at: first) }
            #expect(try restored.store.exchange { try $0.hasAbsentBodies() })
        }
    }

    @Test("a merge that needs a pruned base is left with that reason, and goes on once the bytes are here")
    func waitingMerge() async throws {
        let builder = StoreBuilder()
        let text = { (first: Int, last: Int) in
            "\(first)\n" + (0..<9).map { "line \($0)\n" }.joined() + "\(last)\n"
        }
        let base = try builder.save(["text": text(0, 0)])
        let newer = try builder.save(["text": text(1, 0)], on: base)
        let newest = try builder.save(["text": text(2, 0)], on: newer)
        let coordinator = StoreCoordinator(store: builder.store, arbiter: TextMergeArbiter(), clock: { 0 })
        #expect(try await coordinator.merge().current == newest)
        #expect(try builder.store.pruneValues(before: 3, states: []).values == 2)
        _ = try builder.save(["text": text(0, 3)], on: base)
        let outcome = try await coordinator.merge()
        #expect(outcome.current == newest)
        let left = try #require(outcome.left.first)
        #expect(left.code == .valuePruned && left.reason.contains("'text'"))
        let entry = try #require(try builder.store.changes(of: base).entries.first)
        try builder.store.exchange {
            try $0.fill(0, entry, of: base, with: .bytes(Array(text(0, 0).utf8)))
        }
        let merged = try await coordinator.merge()
        #expect(merged.left.isEmpty)
        #expect(try builder.text("text", at: merged.current) == text(2, 3))
    }
}
