import LLVSCore
import Testing

/// Equal content has the equal digest, however it came about.
@Suite("Map: independence of history") struct MapHistoryTests {
    @Test(
        "built at once, one by one in any order, and with what is removed again",
        arguments: MapIDs.allCases, SeededGenerator.seeds)
    func orders(ids: MapIDs, seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        let count = Int.random(in: 200...500, using: &random)
        while content.count < count {
            content[try ids.id(Int.random(in: 0..<1500, using: &random))] = MapReference(content.count)
        }
        let built = try fixture.build(content)
        try fixture.map.checkInvariants(of: built, reader: fixture.rows.reader)

        var single = MapRoot.empty
        for (id, reference) in content.shuffled(using: &random) {
            single = try fixture.apply([(id, .put(reference))], to: single)
        }
        #expect(single.digest == built.digest)

        var more = content
        for number in 0..<1500 where number % 3 == 0 {
            let id = try ids.id(number)
            more[id] = more[id] ?? MapReference(number)
        }
        let extra = more.keys.filter { content[$0] == nil }.shuffled(using: &random)
        var shrinking = try fixture.build(more)
        for id in extra.prefix(extra.count / 2) { shrinking = try fixture.apply([(id, .remove)], to: shrinking) }
        shrinking = try fixture.apply(extra.dropFirst(extra.count / 2).map { ($0, .remove) }, to: shrinking)
        #expect(shrinking.digest == built.digest)
        let (shrunk, direct) = try (
            fixture.map.dump(shrinking, reader: fixture.rows.reader),
            fixture.map.dump(built, reader: fixture.rows.reader)
        )
        #expect(shrunk == direct)
    }

    @Test("when all is removed, one by one or at once, the map is the empty one", arguments: SeededGenerator.seeds)
    func removal(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<400 { content[try MapIDs.random.id(number)] = MapReference(number) }
        let full = try fixture.build(content)
        #expect(try fixture.apply(content.keys.map { ($0, .remove) }, to: full) == .empty)
        var (root, rest) = (full, content)
        for id in content.keys.shuffled(using: &random) {
            root = try fixture.apply([(id, .remove)], to: root)
            rest[id] = nil
            #expect(root.count == rest.count)
            if root.count > 100, root.count % 16 != 0 { continue }
            try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader)
        }
        #expect(root == .empty)
        #expect(try fixture.map.dump(root, reader: fixture.rows.reader) == "empty")
    }

    @Test("edits that change nothing write nothing and return the same root")
    func nothing() throws {
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<500 { content[try MapIDs.random.id(number)] = MapReference(number) }
        let root = try fixture.build(content)
        let written = fixture.rows.rows.count
        #expect(try fixture.apply([], to: root) == root)
        #expect(try fixture.build(content.filter { $0.value.body % 3 == 0 }).count < root.count)
        let kept = fixture.rows.rows.count
        #expect(try fixture.apply(content.map { ($0.key, .put($0.value)) }, to: root) == root)
        #expect(try fixture.apply([("absent", .remove), ("~~~", .remove)], to: root) == root)
        #expect(try fixture.apply([("absent", .remove)], to: .empty) == .empty)
        #expect(fixture.rows.rows.count == kept)
        #expect(kept > written)
    }

    @Test("a reference with other rows is kept under an unchanged digest")
    func rowsAlone() throws {
        let fixture = MapFixture()
        let hash = SHA256.hash([1])
        let old = try fixture.apply([("a", .put(MapReference(contentHash: hash, version: 1, body: 1)))])
        let moved = MapReference(contentHash: hash, version: 2, body: 9)
        let new = try fixture.apply([("a", .put(moved))], to: old)
        #expect(new.digest == old.digest)
        #expect(new.node != old.node)
        #expect(try fixture.map.reference(for: "a", in: new, reader: fixture.rows.reader) == moved)
        try fixture.map.differences(from: old, to: new, reader: fixture.rows.reader) { id, _, _ in
            Issue.record("\(id) differs")
        }
    }

    @Test(
        "ids chosen so that nothing cuts make nodes of 48; ids that always cut make nodes of 2",
        arguments: [true, false])
    func chosenIDs(cutsNever: Bool) throws {
        let (shortest, longest) = (MapBoundary.thresholds[1], MapBoundary.thresholds[46])
        var content: [Value.ID: MapReference] = [:]
        var number = 0
        while content.count < (cutsNever ? 200 : 40) {
            number += 1
            let id = try Value.ID("chosen \(number)")
            let hash = id.utf8.withUnsafeBytes { MapBoundary.hash(of: $0, level: 0) }
            if cutsNever ? hash >= longest : hash < shortest { content[id] = MapReference(number) }
        }
        let fixture = MapFixture()
        let built = try fixture.build(content)
        try fixture.map.checkInvariants(of: built, reader: fixture.rows.reader)
        let leaves = try fixture.map.dump(built, reader: fixture.rows.reader).split(separator: "\n")
            .filter { $0.contains("level 0 ") }
        #expect(leaves.count == (cutsNever ? 5 : 20))
        #expect(leaves.dropLast().allSatisfy { $0.contains("holds \(cutsNever ? 48 : 2) ") })

        var random = SeededGenerator(seed: 7)
        var single = MapRoot.empty
        for (id, reference) in content.shuffled(using: &random) {
            single = try fixture.apply([(id, .put(reference))], to: single)
        }
        #expect(single.digest == built.digest)
        for id in content.keys.shuffled(using: &random) {
            single = try fixture.apply([(id, .remove)], to: single)
            try fixture.map.checkInvariants(of: single, reader: fixture.rows.reader)
        }
        #expect(single == .empty)
    }

    @Test("ids of the greatest length")
    func longIDs() throws {
        let fixture = MapFixture()
        var content: [Value.ID: MapReference] = [:]
        for number in 0..<60 {
            let start = String(repeating: "x", count: Value.ID.maximumByteCount - 2)
            content[try Value.ID(start + "\(10 + number)")] = MapReference(number)
        }
        let root = try fixture.build(content)
        try fixture.map.checkInvariants(of: root, reader: fixture.rows.reader)
        #expect(try fixture.content(root) == MapFixture.listed(content))
    }

    @Test("unsorted and duplicate edits trap")
    func misuse() async {
        await #expect(processExitsWith: .failure) {
            _ = try MapFixture().map.apply([("b", .remove), ("a", .remove)], to: .empty, writer: MapRows())
        }
        await #expect(processExitsWith: .failure) {
            _ = try MapFixture().map.apply([("a", .remove), ("a", .remove)], to: .empty, writer: MapRows())
        }
    }
}
