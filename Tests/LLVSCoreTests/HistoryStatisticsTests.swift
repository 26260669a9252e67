import TestSupport
import Testing

@testable import LLVSCore

@Suite("History: statistics") struct HistoryStatisticsTests {
    @Test("levels and nodes are those of the tree", arguments: [0, 1, 100, 3_000])
    func map(count: Int) throws {
        let builder = StoreBuilder()
        var values: [Value.ID: String?] = ["first": "1"]
        for number in 1..<max(count, 1) { values[try Value.ID("value \(number)")] = "1" }
        let tip = count == 0 ? Version.ID.root : try builder.save(values)
        let found = try builder.store.statistics(at: tip)
        let lines = try builder.store.read { snapshot in
            try ValueMap(nodes: StoreZones.nodes).dump(try snapshot.get(tip).map, reader: snapshot.reader)
        }.split(separator: "\n").filter { $0.contains("level") }
        #expect(found.values == count && found.mapNodes == lines.count)
        let depth = lines.map { $0.prefix { $0 == " " }.count / 2 + 1 }.max() ?? 0
        #expect(found.mapDepth == depth)
        #expect(found.storedContents == count)
    }

    @Test("versions, heads, branches and what does not count are told apart")
    func versions() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "1"])
        let one = try builder.save(["a": "2"], on: base, branch: "draft")
        let two = try builder.save(["b": "2"], on: base)
        let merge = try builder.merge(one, two).id
        let found = try builder.store.statistics(at: merge)
        #expect(found.versions == 3 && found.looseVersions == 1)
        #expect(found.heads == 2 && found.branches == 1 && found.values == 2)
        #expect(throws: StoreError.self) { try builder.store.statistics(at: Version.ID("elsewhere")) }
    }
}
