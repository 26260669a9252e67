import LLVSCore
import Testing

/// The map does what a dictionary does, in order, and every version of it stays readable.
@Suite("Map: against a dictionary") struct MapModelTests {
    @Test(
        "random batches of edits: content, lookups, totals, ranges, prefixes and differences between any two versions",
        arguments: MapIDs.allCases, SeededGenerator.seeds)
    func batches(ids: MapIDs, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MapFixture(cacheCapacity: 64)
        var versions: [(root: MapRoot, content: [Value.ID: MapReference])] = [(.empty, [:])]
        for round in 0..<10 {
            let base = round < 7 ? versions[versions.count - 1] : try #require(versions.randomElement(using: &random))
            var content = base.content
            var edits: [Value.ID: MapEdit] = [:]
            let most = try #require([1, 2, 30, 300, 700].randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...most, using: &random) {
                let id = try ids.id(Int.random(in: 0..<1500, using: &random))
                let put = MapEdit.put(MapReference(Int.random(in: 0..<1_000_000, using: &random)))
                edits[id] = Int.random(in: 0..<4, using: &random) == 0 ? .remove : put
            }
            for (id, edit) in edits {
                if case .put(let reference) = edit { content[id] = reference } else { content[id] = nil }
            }
            let root = try fixture.apply(edits.map { ($0.key, $0.value) }, to: base.root)
            versions.append((root, content))
        }
        for version in versions {
            try check(version.root, version.content, ids, fixture, &random)
            for other in versions.shuffled(using: &random).prefix(2) { try checkDifferences(version, other, fixture) }
        }
    }

    private func check(
        _ root: MapRoot, _ content: [Value.ID: MapReference], _ ids: MapIDs, _ fixture: MapFixture,
        _ random: inout SeededGenerator
    ) throws {
        let (map, reader) = (fixture.map, fixture.rows.reader)
        try map.checkInvariants(of: root, reader: reader)
        let all = MapFixture.listed(content)
        #expect(root.count == content.count)
        #expect(try fixture.content(root) == all)
        for number in 0..<100 {
            let id = try ids.id(number)
            #expect(try map.reference(for: id, in: root, reader: reader) == content[id])
        }
        for _ in 0..<6 {
            var from = try ids.id(Int.random(in: 0..<1500, using: &random)).utf8
            if Bool.random(using: &random) { from.removeLast() }
            let before =
                Int.random(in: 0..<5, using: &random) == 0
                ? nil : try ids.id(Int.random(in: 0..<1500, using: &random)).utf8
            let part = all.filter { !$0.id.utf8.precedes(from) && (before.map($0.id.utf8.precedes) ?? true) }
            #expect(try fixture.content(root, from: from, before: before) == part)
            #expect(try map.count(in: root, from: from, before: before, reader: reader) == part.count)
            let prefix = [UInt8](from.prefix(Int.random(in: 0...from.count, using: &random)))
            let beginning = all.filter { $0.id.utf8.starts(with: prefix) }
            #expect(try map.count(in: root, prefix: prefix, reader: reader) == beginning.count)
            var found: [Value.ID] = []
            try map.forEach(in: root, prefix: prefix, reader: reader) { id, _ in
                found.append(id)
                return found.count < 40
            }
            #expect(found == beginning.prefix(40).map(\.id))
        }
    }

    private typealias Version = (root: MapRoot, content: [Value.ID: MapReference])

    private func checkDifferences(_ old: Version, _ new: Version, _ fixture: MapFixture) throws {
        var expected: [Difference] = []
        for id in Set(old.content.keys).union(new.content.keys) {
            let (before, after) = (old.content[id], new.content[id])
            if before?.contentHash == after?.contentHash { continue }
            expected.append(Difference(id: id, old: before, new: after))
        }
        expected.sort { $0.id < $1.id }
        var found: [Difference] = []
        try fixture.map.differences(from: old.root, to: new.root, reader: fixture.rows.reader) { id, before, after in
            found.append(Difference(id: id, old: before, new: after))
        }
        #expect(found == expected)
        #expect((old.root.digest == new.root.digest) == expected.isEmpty)
    }

    private struct Difference: Equatable {
        let id: Value.ID
        let old: MapReference?
        let new: MapReference?
    }

    @Test("differences and single edits read and write by their size, not the map's")
    func locality() throws {
        let fixture = MapFixture(cacheCapacity: 8)
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<20_000 { content[try MapIDs.random.id(number)] = MapReference(number) }
        let old = try fixture.build(content)
        let written = fixture.rows.rows.count
        let bytes = fixture.rows.rows.reduce(0) { $0 + ($1?.count ?? 0) }
        #expect(bytes < 20_000 * 90)

        let one = try fixture.apply([(MapIDs.random.id(77), .put(MapReference(-1)))], to: old)
        let rows = fixture.rows.rows[written...].compactMap(\.self)
        #expect(rows.count <= 6)
        #expect(rows.allSatisfy { $0.count < 64 })

        var new = one
        for number in 0..<10 {
            let removed = try (MapIDs.random.id(number * 1999), MapEdit.remove)
            new = try fixture.apply([removed, (MapIDs.random.id(30_000 + number), .put(MapReference(5)))], to: new)
        }
        fixture.map.cache.removeAll()
        fixture.rows.reads = 0
        var found = 0
        try fixture.map.differences(from: old, to: new, reader: fixture.rows.reader) { _, _, _ in found += 1 }
        #expect(found == 21)
        #expect(fixture.rows.reads < 21 * 20 * 2)
    }

    @Test("a prefix ends before the first bytes that do not begin with it")
    func prefixEnds() {
        #expect(ValueMap.end(ofPrefix: []) == nil)
        #expect(ValueMap.end(ofPrefix: [0xff, 0xff]) == nil)
        #expect(ValueMap.end(ofPrefix: [1, 0xff]) == [2])
        #expect(ValueMap.end(ofPrefix: [97, 98]) == [97, 99])
    }
}
