import TestSupport
import Testing

@testable import LLVSCore

@Suite("History: lazy sequences") struct HistorySequenceTests {
    static let seeds: [UInt64] = [11, 12, 13]

    /// Saves `count` versions on one line.
    private func line(_ count: Int, in builder: StoreBuilder) throws -> [Version.ID] {
        var ids: [Version.ID] = []
        for number in 0..<count { ids.append(try builder.save(["n": "\(number)"], on: ids.last ?? .root)) }
        return ids
    }

    @Test("every order has each version once, on its side of its parents", arguments: seeds)
    func orders(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try HistoryModel(count: 300, random: &random)
        let store = model.store
        let oldest = try store.versions(.oldestFirst).collected().map(\.id)
        #expect(oldest == model.ids, "seed \(seed)")
        #expect(try store.versions(.newestFirst).collected().map(\.id) == oldest.reversed(), "seed \(seed)")
        let newest = try store.ancestry(of: store.heads().map(\.id)).collected()
        #expect(Set(newest.map(\.id)) == Set(model.ids) && newest.count == 300, "seed \(seed)")
        #expect(newest == newest.sorted { ($0.generation, $0.id) > ($1.generation, $1.id) }, "seed \(seed)")
        let tip = try #require(model.ids.randomElement(using: &random))
        #expect(try Set(store.ancestry(of: [tip]).collected().map(\.id)) == model.ancestry[tip], "seed \(seed)")
    }

    @Test("between pages the store can be written to, and a pass goes on as it began", arguments: StorageKind.allCases)
    func writingMeanwhile(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            let ids = try line(400, in: builder)
            let tip = try #require(ids.last)
            for sequence in [
                builder.store.versions(.oldestFirst), builder.store.versions(), builder.store.ancestry(of: [tip]),
            ] {
                var seen: [Version.ID] = []
                for version in sequence {
                    seen.append(try version.get().id)
                    if seen.count % 100 == 0 { try builder.save(["m": "\(seen.count)"], on: tip) }
                }
                let known = Set(ids)
                let own = seen.filter(known.contains)
                #expect(own == ids || own == ids.reversed())
                #expect(Set(seen).count == seen.count)
            }
        }
    }

    @Test("an empty store, the root and no tips have no versions")
    func empty() throws {
        let store = StoreBuilder().store
        #expect(try store.versions(.oldestFirst).collected() == [])
        #expect(try store.versions(.newestFirst).collected() == [])
        #expect(try store.ancestry(of: [.root]).collected() == [])
        #expect(try store.ancestry(of: []).collected() == [])
        #expect(try store.versions(of: "a").collected() == [])
        #expect(try store.branches() == [])
        #expect(try store.resolvedForks(from: []).collected() == [])
        #expect(try store.greatestCommonAncestor(.root, .root).id == .root)
    }

    @Test("an unknown tip is one failure, and then the end")
    func unknown() throws {
        let builder = StoreBuilder()
        let id = try builder.save(["a": "1"])
        var iterator = builder.store.ancestry(of: [id, try Version.ID("elsewhere")]).makeIterator()
        #expect { try iterator.next()?.get() } throws: { ($0 as? StoreError)?.code == .noSuchVersion }
        #expect(iterator.next() == nil)
        #expect(throws: StoreError.self) {
            try builder.store.resolvedForks(from: [Version.ID("elsewhere")]).collected()
        }
    }

    @Test("a lost row far back is a typed failure where the walk gets there")
    func damaged() throws {
        let builder = StoreBuilder()
        let ids = try line(300, in: builder)
        try builder.store.storage.write { try $0.removeRow(10, in: StoreZones.versions) }
        let store = Store(storage: builder.store.storage)
        var seen = 0
        var failure: StoreError?
        for version in store.ancestry(of: [ids[299]]) {
            do {
                _ = try version.get()
                seen += 1
            } catch let error as StoreError { failure = error }
        }
        #expect(failure?.code == .damaged)
        #expect((100...290).contains(seen))
    }

    @Test("of several common ancestors the best is the last by generation and id", arguments: seeds)
    func best(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try HistoryModel(count: 60, random: &random)
        for one in model.ids.suffix(10) {
            for other in model.ids.suffix(20) {
                let common = (model.ancestry[one] ?? []).intersection(model.ancestry[other] ?? [])
                let versions = try model.maximal(common).map { try model.store.version($0) }
                let best = versions.max { ($0.generation, $0.id) < ($1.generation, $1.id) }
                let found = try model.store.greatestCommonAncestor(one, other).id
                #expect(found == best?.id ?? .root, "seed \(seed)")
            }
        }
    }
}
