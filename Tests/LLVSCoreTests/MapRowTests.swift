import LLVSCore
import Testing

/// What lies in the rows: chains of deltas, damage, and rows that were rolled back.
@Suite("Map: rows") struct MapRowTests {
    @Test("every version along chains of deltas reads back, with a cold cache too", arguments: SeededGenerator.seeds)
    func chains(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MapFixture(cacheCapacity: 8)
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<100 { content[try MapIDs.random.id(number)] = MapReference(number) }
        var versions = [(try fixture.build(content), content)]
        for step in 0..<60 {
            let id = try MapIDs.random.id(Int.random(in: 0..<100, using: &random))
            content[id] = MapReference(1000 + step)
            versions.append((try fixture.apply([(id, .put(MapReference(1000 + step)))], to: versions[step].0), content))
        }
        let links = fixture.rows.rows.compactMap { $0?.first == 2 ? $0?[1] : nil }
        #expect(links.allSatisfy { $0 <= 16 })
        if SeededGenerator.fixedSeeds.contains(seed) { #expect(links.max() == 16) }
        for (step, (root, content)) in versions.enumerated() where step % 3 == 0 {
            fixture.map.cache.removeAll()
            #expect(try fixture.content(root) == MapFixture.listed(content))
            guard step % 12 == 0 else { continue }
            try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader)
        }
    }

    @Test(
        "keys that come and go are written as differences, and every version reads back",
        arguments: SeededGenerator.seeds,
        MapIDs.allCases)
    func keysInDeltas(seed: UInt64, ids: MapIDs) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MapFixture(cacheCapacity: 8)
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<200 { content[try ids.id(3 * number)] = MapReference(number) }
        var versions = [(try fixture.build(content), content)]
        let full = fixture.rows.rows.compactMap(\.self).reduce(0) { $0 + $1.count }
        for step in 0..<60 {
            let id = try ids.id(Int.random(in: 0..<600, using: &random))
            let edit: MapEdit = content[id] == nil || step % 5 == 0 ? .put(MapReference(1000 + step)) : .remove
            if case .put(let reference) = edit { content[id] = reference } else { content[id] = nil }
            versions.append((try fixture.apply([(id, edit)], to: versions[step].0), content))
        }
        let rows = fixture.rows.rows.compactMap(\.self)
        if SeededGenerator.fixedSeeds.contains(seed) {
            #expect(rows.filter { $0.first == 4 }.count > 20)
            // In full, each of the sixty would write a sixth of the map or more; as differences it is a fortieth on average,
            // and a fifteenth where large nodes part and join.
            #expect(rows.reduce(0) { $0 + $1.count } - full < 6 * full)
        }
        for (root, content) in versions {
            fixture.map.cache.removeAll()
            #expect(try fixture.content(root) == MapFixture.listed(content))
            try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader)
            #expect(try MapFixture().build(content).digest == root.digest)
        }
    }

    @Test("a root encodes to 48 bytes and back; other bytes are refused")
    func roots() throws {
        let root = try MapFixture().apply([("a", .put(MapReference(1)))])
        for root in [root, .empty] {
            #expect(root.encoded.count == MapRoot.encodedByteCount)
            #expect(try MapRoot(decoding: root.encoded) == root)
        }
        var wrong = [MapRoot.empty.encoded + [0], [UInt8](root.encoded.dropLast()), []]
        for index in [0, 7, 8, 47] {
            var bytes = MapRoot.empty.encoded
            bytes[index] ^= 0x80
            wrong.append(bytes)
        }
        for bytes in wrong { expectDamage { _ = try MapRoot(decoding: bytes) } }
    }

    @Test("a row that is missing, cut short, too long or of another kind is damage")
    func brokenRows() throws {
        let (fixture, root) = try damageable()
        let unused = fixture.rows.rows.indices.filter { index in
            let row = fixture.rows.rows[index]
            fixture.rows.rows[index] = nil
            fixture.map.cache.removeAll()
            defer { fixture.rows.rows[index] = row }
            do { try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader) } catch { return false }
            return true
        }
        try #require(unused.count < 5 && unused.allSatisfy { fixture.rows.rows[$0]?.first != 4 })
        for index in fixture.rows.rows.indices {
            let row = try #require(fixture.rows.rows[index])
            // Rows of the maps before, of which nothing is left.
            if unused.contains(index) { continue }
            for broken in [nil, [], row + [0], [UInt8](row.dropLast()), [9] + row.dropFirst()] as [[UInt8]?] {
                fixture.rows.rows[index] = broken
                fixture.map.cache.removeAll()
                expectDamage { try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader) }
            }
            fixture.rows.rows[index] = row
        }
    }

    @Test("no changed byte makes any call trap or throw anything but damage; checking finds all that digests cover")
    func changedBytes() throws {
        let (fixture, root) = try damageable()
        let other = try fixture.apply([("zz", .put(MapReference(3)))], to: root)
        let sound = try fixture.content(root).map { [$0.id.utf8, $0.reference.contentHash.bytes] }
        let written = fixture.rows.rows.count
        for index in 0..<written {
            let row = try #require(fixture.rows.rows[index])
            for offset in row.indices {
                fixture.rows.rows[index]?[offset] ^= (index + offset) % 2 == 0 ? 0x01 : 0x80
                try probe(fixture, root, other, sound)
                fixture.rows.rows[index] = row
                fixture.rows.rows.removeLast(fixture.rows.rows.count - written)
            }
        }
    }

    private func probe(_ fixture: MapFixture, _ root: MapRoot, _ other: MapRoot, _ sound: [[[UInt8]]]) throws {
        let (map, reader) = (fixture.map, fixture.rows.reader)
        map.cache.removeAll()
        let isFine = allowingDamage { try map.checkInvariants(of: root, reader: reader) }
        var found: [[[UInt8]]] = []
        allowingDamage { found = try fixture.content(root).map { [$0.id.utf8, $0.reference.contentHash.bytes] } }
        if isFine { #expect(found == sound) }
        allowingDamage { _ = try map.count(in: root, from: [97], before: [120], reader: reader) }
        allowingDamage { _ = try map.reference(for: "item-1000007", in: root, reader: reader) }
        allowingDamage { try map.differences(from: root, to: other, reader: reader) { _, _, _ in } }
        let edits: [(Value.ID, MapEdit)] = [
            ("item-1000003", .remove), ("item-1000007", .put(MapReference(8))), ("item-100000x", .put(MapReference(9))),
        ]
        allowingDamage { _ = try map.apply(edits, to: root, writer: fixture.rows) }
    }

    @Test("a delta on its own row or a later one ends in an error, not in a loop")
    func loops() throws {
        let fixture = MapFixture()
        let root = try fixture.apply([("a", .put(MapReference(1)))])
        let digest = [UInt8](repeating: 7, count: 32)
        for base: UInt8 in [0, 1, 2] {
            fixture.rows.rows[0] = [2, 1, base, 1, 0] + digest + [1, 1]
            fixture.map.cache.removeAll()
            expectDamage { _ = try fixture.content(root) }
        }
    }

    @Test("nodes of a transaction that was rolled back are not taken for those that get their rows")
    func rollback() throws {
        let fixture = MapFixture()
        let (map, rows) = (fixture.map, fixture.rows)
        let base = try fixture.apply([("a", .put(MapReference(1))), ("b", .put(MapReference(2)))])
        let committed = rows.rows.count
        let staged = StagedMapNodes()
        let lost = try map.apply([("a", .put(MapReference(3)))], to: base, writer: rows, staged: staged)
        #expect(try map.reference(for: "a", in: lost, reader: rows, staged: staged) == MapReference(3))
        #expect(try map.reference(for: "a", in: lost, reader: rows) == MapReference(3))
        rows.rows.removeLast(rows.rows.count - committed)

        let kept = try map.apply([("a", .put(MapReference(4)))], to: base, writer: rows)
        #expect(kept.node == lost.node)
        #expect(try map.reference(for: "a", in: kept, reader: rows.reader) == MapReference(4))
    }

    @Test("what a committed transaction staged is read without its rows; the cache stays bounded")
    func adoption() throws {
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<1000 { content[try MapIDs.random.id(number)] = MapReference(number) }
        let root = try fixture.build(content)
        fixture.rows.reads = 0
        #expect(try fixture.content(root).count == 1000)
        #expect(fixture.rows.reads == 0)
        fixture.map.cache.removeAll()
        #expect(try fixture.content(root).count == 1000)
        #expect(fixture.rows.reads == fixture.rows.rows.count)
        #expect(MapNodeCache(capacity: 0).capacity == 16)
        #expect(MapNodeCache(capacity: 4096).capacity == 4096)
    }

    /// A map of three levels with deltas in its rows.
    private func damageable() throws -> (MapFixture, MapRoot) {
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<36 { content[try MapIDs.numbered.id(number)] = MapReference(number) }
        var root = try fixture.build(content)
        for number in 0..<36 where number % 16 == 7 {
            root = try fixture.apply([(MapIDs.numbered.id(number), .put(MapReference(500 + number)))], to: root)
        }
        root = try fixture.apply([("item-1000010x", .put(MapReference(700)))], to: root)
        root = try fixture.apply([("item-1000011", .remove), ("item-1000012", .put(MapReference(701)))], to: root)
        try #require(fixture.rows.rows.contains { $0?.first == 4 })
        return (fixture, root)
    }

    private func expectDamage(_ body: () throws -> Void, at location: SourceLocation = #_sourceLocation) {
        let error = #expect(throws: StoreError.self, sourceLocation: location, performing: body)
        #expect(error?.code == .damaged, sourceLocation: location)
    }

    /// Whether `body` went through; records an issue if it threw anything but damage.
    @discardableResult private func allowingDamage(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            #expect((error as? StoreError)?.code == .damaged, "\(error)")
            return false
        }
    }
}
