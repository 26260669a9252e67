import TestSupport
import Testing

@testable import LLVSCore

@Suite("History: versions of a value") struct HistoryRevisionTests {
    static let seeds: [UInt64] = [21, 22]

    private func text(_ reference: Value.Reference?, in store: Store) throws -> String? {
        try reference.flatMap { try store.bytes(of: $0.id, at: $0.version) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("they are those whose value differs from their basis, newest first", arguments: seeds)
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        // Some of them in the first segment of the index, some after it.
        let model = try HistoryModel(count: 120, random: &random, after: Int(HistoryIndex.segmentSize) - 60)
        for id in HistoryModel.ids + ["number"] {
            let found = try model.store.versions(of: id).collected()
            #expect(Set(found.map(\.version.id)) == model.revisions(of: id), "seed \(seed)")
            let order = found.map { ($0.version.generation, $0.version.id) }
            #expect(zip(order, order.dropFirst()).allSatisfy { $0 > $1 }, "seed \(seed)")
            for revision in found {
                let entry = try #require(model.entries[revision.version.id])
                #expect(try text(revision.reference, in: model.store) == entry.values[id])
                let before = entry.basis.flatMap { model.entries[$0] }?.values[id]
                #expect(try text(revision.replaced, in: model.store) == before)
                #expect(revision.isFirm)
            }
        }
        #expect(try model.store.verify() == [])
    }

    @Test("a store that got the versions in another order lists them alike", arguments: seeds)
    func sameEverywhere(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let model = try HistoryModel(count: 60, random: &random)
        let other = StoreBuilder()
        try other.fill(Int(HistoryIndex.segmentSize) - 30)
        var waiting = try model.builder.parcels().shuffled(using: &random)
        while !waiting.isEmpty {
            let ready = try waiting.filter { try $0.record.version.parents.allSatisfy { try other.store.contains($0) } }
            for parcel in ready { try other.admit(parcel) }
            waiting.removeAll { parcel in ready.contains { $0.id == parcel.id } }
        }
        for id in HistoryModel.ids {
            #expect(
                try other.store.versions(of: id).collected() == model.store.versions(of: id).collected(), "seed \(seed)"
            )
        }
        #expect(try other.store.branches() == model.store.branches(), "seed \(seed)")
        #expect(try other.store.verify() == [])
    }

    @Test(
        "a version of very many changes is found like any other",
        arguments: [(StorageKind.memory, 0), (.memory, Int(HistoryIndex.segmentSize) - 4), (.sqlite, 0)])
    func broad(_ kind: StorageKind, filler: Int) async throws {
        try await kind.withBuilder { builder in
            try builder.fill(filler)
            let many = HistoryIndex.mostChanges + 1
            func values(_ text: String, _ count: Int) throws -> [Value.ID: String?] {
                Dictionary(uniqueKeysWithValues: try (0..<count).map { (try Value.ID("value \($0)"), text) })
            }
            let one = try builder.save(values("1", many))
            let two = try builder.save(["value 3": "2"], on: one)
            let three = try builder.save(values("3", many - 1), on: two)
            let four = try builder.save(["elsewhere": "x"], on: three)
            let ids = { (id: Value.ID) in try builder.store.versions(of: id).collected().map(\.version.id) }
            #expect(try ids("value 3") == [three, two, one])
            #expect(try ids("value 1000") == [one])
            #expect(try ids("elsewhere") == [four])
            #expect(try ids("never") == [])
            #expect(try builder.store.verify() == [])
        }
    }

    @Test("removed and back again is two revisions more; other ids with the same beginning are none")
    func removedAndBack() throws {
        let builder = StoreBuilder()
        var tip = try builder.save(["k": "1", "k2": "1"])
        for text in [nil, "2", nil] as [String?] { tip = try builder.save(["k": text], on: tip) }
        tip = try builder.save(["k2": "2"], on: tip)
        let found = try builder.store.versions(of: "k").collected()
        #expect(try found.map { try text($0.reference, in: builder.store) } == [nil, "2", nil, "1"])
        #expect(try found.map { try text($0.replaced, in: builder.store) } == ["2", nil, "1", nil])
    }

    @Test("provisional merges are listed as such, dropped ones are not")
    func provisional() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "1", "b": "1"])
        let one = try builder.save(["a": "2"], on: base)
        let two = try builder.save(["b": "2", "c": "2"], on: base)
        let merge = try builder.merge(one, two).id
        let found = { try builder.store.versions(of: "a").collected() + builder.store.versions(of: "b").collected() }
        let listed = try found().filter { !$0.isFirm }
        #expect(listed.map(\.version.id) == [merge])
        try builder.store.write { transaction in
            try transaction.setState(.dropped, of: try transaction.snapshot.get(merge))
        }
        #expect(try found().allSatisfy(\.isFirm))
    }

    @Test("a store written before there was an index answers alike, and is indexed with its next full segment")
    func older() throws {
        var random = SeededRandom(seed: 5)
        let model = try HistoryModel(count: 60, random: &random, after: Int(HistoryIndex.segmentSize) - 40)
        let expected = try model.store.storage.contents()
        #expect(expected[StoreZones.segments.name]?.count == 1)
        try model.store.storage.write { writer in
            for key in expected[StoreZones.changed.name]?.keys.sorted(by: { $0.precedes($1) }) ?? [] {
                try writer.remove(key, in: StoreZones.changed)
            }
            for key in expected[StoreZones.branches.name]?.keys.sorted(by: { $0.precedes($1) }) ?? [] {
                try writer.remove(key, in: StoreZones.branches)
            }
            try writer.removeRow(1, in: StoreZones.segments)
            try writer.remove(StoreZones.branchesListed, in: StoreZones.settings)
        }
        let store = Store(storage: model.store.storage)
        #expect(try store.verify() == [])
        #expect(try Set(store.versions(of: "a").collected().map(\.version.id)) == model.revisions(of: "a"))
        #expect(try store.branches() == model.store.branches())
        try store.write { try $0.indexChanges(through: HistoryIndex.segmentSize) }
        #expect(try store.storage.contents() == expected)
    }

    @Test("damage of the index is found, and a damaged segment is an error")
    func damaged() throws {
        let builder = StoreBuilder()
        let tip = try builder.fill(Int(HistoryIndex.segmentSize))
        try builder.save(["a": "1"], on: tip)
        let storage = builder.store.storage
        let key = HistoryIndex.prefix(of: "filler", in: 1) + [1, 2]
        let extra = HistoryIndex.prefix(of: "elsewhere", in: 1) + [0, 0]
        for change: (any StorageWriter) throws -> Void in [
            { try $0.remove(key, in: StoreZones.changed) },
            { try $0.put([], for: extra, in: StoreZones.changed) },
            { try $0.setRow(HistorySegment().encoded, at: 1, in: StoreZones.segments) },
            { try $0.setRow([1], at: 1, in: StoreZones.segments) },
        ] {
            let before = try storage.contents()
            try storage.write(change)
            #expect(try !Store(storage: storage).verify().isEmpty)
            try storage.write { writer in
                try writer.remove(extra, in: StoreZones.changed)
                try writer.put([], for: key, in: StoreZones.changed)
                let row = try #require(before[StoreZones.segments.name]?[StoreZones.key(1)])
                try writer.setRow(row, at: 1, in: StoreZones.segments)
            }
            #expect(try storage.contents() == before)
        }
        try storage.write { try $0.setRow([1], at: 1, in: StoreZones.segments) }
        #expect(throws: StoreError.self) { try Store(storage: storage).versions(of: "filler").collected() }
    }

    @Test("the cost follows the versions that changed the value, not the history")
    func cost() throws {
        let storage = CountingStorage()
        let builder = StoreBuilder(storage)
        var tip = try builder.save(["rare": "1"])
        for number in 2..<HistoryIndex.segmentSize { tip = try builder.save(["often": "\(number)"], on: tip) }
        try builder.save(["rare": "2"], on: tip)
        let store = Store(storage: storage)
        storage.reset()
        #expect(try store.versions(of: "rare").collected().count == 2)
        #expect(storage.reads < 60, "\(storage.reads) reads")
    }
}
