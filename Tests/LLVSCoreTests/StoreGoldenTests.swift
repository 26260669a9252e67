import Foundation
import LLVSCore
import TestSupport
import Testing

/// A fixed script of saves and merges, with a fixed clock: its ids and digests are frozen, because devices of all ages must
/// come to the same. `store_golden.py` works the ids of the first versions out again, without this package.
@Suite("Store: frozen ids and digests") struct StoreGoldenTests {
    /// The script: each version's name, and its id.
    private func script(_ builder: StoreBuilder) throws -> [(name: String, id: Version.ID)] {
        let now = StoreBuilder.now
        let first = try builder.save(["a": "1", "b": "", "é": "accent"])
        let update = try builder.save(["a": "2", "b": nil], on: first, metadata: ["note": [1, 2, 3]], at: now + 1_000)
        let draft = try builder.save(["draft": "1"], on: first, branch: "draft", at: now - 1_000)
        let ancient = try builder.save(["a": "ancient", "c": "1"], on: first, at: -1)
        let future = try builder.save(["a": "future", "d": "1"], on: first, at: .max)
        let merge = try builder.merge(update, ancient, MostRecentChangeArbiter()).id
        let undecided = try builder.merge(merge, draft).id
        let byBranch = try builder.merge(undecided, future, MostRecentBranchArbiter()).id
        let byChange = try builder.merge(undecided, future, MostRecentChangeArbiter()).id
        let other = try builder.merge(update, ancient, ScriptedArbiter { _ in [.remove("a")] }).id
        let join = try builder.merge(merge, other).id
        let resolution = try builder.save(["a": "resolved"], on: update, and: future, at: now + 2_000)
        var many: [Value.ID: String] = [:]
        for number in 0..<500 { many[try Value.ID("value \(number)")] = "\(number)" }
        let large = try builder.save(many, on: resolution, at: now + 3_000)
        return [
            ("first", first), ("update", update), ("draft", draft), ("ancient", ancient), ("future", future),
            ("merge", merge), ("undecided", undecided), ("byBranch", byBranch), ("byChange", byChange), ("other", other),
            ("join", join), ("resolution", resolution), ("large", large),
        ]
    }

    @Test("the same saves and merges have the ids and digests they always had", arguments: StorageKind.allCases)
    func frozen(_ kind: StorageKind) throws {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/store_golden.tsv")
        let frozen = try String(contentsOf: url, encoding: .utf8)
        try kind.withStorage { storage in
            let builder = StoreBuilder(storage)
            let lines = try script(builder).map { name, id in
                "\(name)\t\(id)\t\(try builder.store.digest(at: id).base32)\n"
            }
            #expect(lines.joined() == frozen)
            #expect(try builder.store.verify() == [])
        }
    }
}
