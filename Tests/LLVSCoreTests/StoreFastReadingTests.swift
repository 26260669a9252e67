import TestSupport
import Testing

@testable import LLVSCore

@Suite("Reading a store") struct StoreFastReadingTests {
    @Test(
        "all contents come in one scan: ascending, from a prefix on, until told to stop",
        arguments: StorageKind.allCases)
    func contents(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            let version = try builder.save(["a/1": "one", "a/2": "two", "b": "three", "a": "none"])
            func read(_ prefix: String, limit: Int = 9) throws -> [String] {
                var found: [String] = []
                try builder.store.forEachContent(at: version, prefix: prefix) { id, content in
                    found.append("\(id)=\(String(decoding: try content.allBytes(), as: UTF8.self))")
                    return found.count < limit
                }
                return found
            }
            #expect(try read("") == ["a=none", "a/1=one", "a/2=two", "b=three"])
            #expect(try read("a/") == ["a/1=one", "a/2=two"])
            #expect(try read("", limit: 2) == ["a=none", "a/1=one"])
            #expect(try read("c") == [])
        }
    }

    @Test(
        "contents come in order over many pages, where they lie in any order and some are large",
        arguments: StorageKind.allCases)
    func manyContents(_ kind: StorageKind) async throws {
        try await kind.withBuilder { builder in
            var values: [Value.ID: String] = [:]
            for number in 0..<700 { values[try Value.ID("value \(number)")] = "\(number)" }
            var version = try builder.save(values)
            for number in stride(from: 0, to: 700, by: 9) {
                let id = try Value.ID("value \(number)")
                let text = number == 90 ? String(repeating: "x", count: BodyStorage.largestRow + 5) : "new \(number)"
                version = try builder.save([id: text], on: version)
                values[id] = text
            }
            for limit in [1, 16, 17, 80, 700] {
                var found: [Value.ID: String] = [:]
                var last: Value.ID?
                try builder.store.forEachContent(at: version) { id, content in
                    #expect(last.map { $0 < id } ?? true)
                    last = id
                    found[id] = String(decoding: try content.allBytes(), as: UTF8.self)
                    return found.count < limit
                }
                #expect(found.count == limit && found.allSatisfy { values[$0.key] == $0.value })
            }
        }
    }

    @Test("a value whose map is in memory costs one row")
    func oneRow() throws {
        let storage = CountingStorage()
        let values = Dictionary(uniqueKeysWithValues: try (0..<500).map { (try Value.ID("\($0)"), Optional("\($0)")) })
        let version = try StoreBuilder(storage).save(values)
        let again = StoreBuilder(storage)
        #expect(try again.text("77", at: version) == "77")
        storage.reset()
        #expect(try again.text("77", at: version) == "77")
        #expect(storage.reads == 1)
        #expect(try again.text("absent", at: version) == nil)
    }

    @Test("a damaged value is told although its map is in memory")
    func damagedBody() throws {
        let builder = StoreBuilder()
        let version = try builder.save(["a": "one"])
        #expect(try builder.text("a", at: version) == "one")
        try builder.store.storage.write { try $0.setRow([0, 1], at: 1, in: StoreZones.bodies) }
        try expect(.valueUnreadable) { _ = try builder.text("a", at: version) }
        try builder.store.storage.write { try $0.removeRow(1, in: StoreZones.bodies) }
        try expect(.damaged) { _ = try builder.text("a", at: version) }
    }

    @Test("a merge that was read and then cleaned away is not there")
    func cleanedAway() async throws {
        let builder = StoreBuilder()
        let coordinator = StoreCoordinator(store: builder.store, clock: { StoreBuilder.now })
        let base = try builder.save(["a": "0", "b": "0"])
        let one = try builder.save(["a": "1"], on: base)
        try builder.save(["b": "1"], on: base)
        try await coordinator.merge(publishing: false)
        let merge = try await coordinator.current()
        #expect(try builder.store.state(of: merge) == .provisional)
        #expect(try builder.text("a", at: merge) == "1")
        try builder.save(["a": "2"], on: one)
        try await coordinator.merge(publishing: false)
        for _ in 0..<2 { try builder.store.collectGarbage(keepingDropped: .zero, now: StoreBuilder.now) }
        try expect(.noSuchVersion) { _ = try builder.text("a", at: merge) }
    }

    @Test("a full cache lets go of a node that gave way first, and never of one that was just used")
    func supersededNodes() {
        let cache = MapNodeCache(capacity: 16)
        let node = MapNode(level: 0, links: 0, keys: MapKeys(), items: [], total: 0)
        for id: Int64 in 1...16 { cache.insert(node, id: id) }
        #expect((1...16).allSatisfy { cache.node($0) != nil })
        let staged = StagedMapNodes()
        staged.insert(node, id: 17)
        staged.remove(17)
        staged.insert(node, id: 18)
        staged.remove(3)
        cache.adopt(staged)
        cache.insert(node, id: 19)
        #expect(cache.node(3) == nil && cache.node(17) == nil)
        #expect(cache.node(18) != nil && cache.node(19) != nil)
        for id: Int64 in 100...300 {
            #expect(cache.node(1) != nil)
            cache.insert(node, id: id)
        }
        #expect((0...300).count { cache.node($0) != nil } <= 16)
    }

    @Test("a cache keeps what is used and never more than its bound")
    func agingCache() {
        var cache = AgingCache<Int, Int>(capacity: 8)
        for number in 0..<100 {
            cache.insert(number, for: number)
            #expect(cache.find(0) == 0)
        }
        #expect((0..<100).count { cache.find($0) != nil } <= 8)
        cache.removeAll()
        #expect(cache.find(0) == nil)
    }
}
