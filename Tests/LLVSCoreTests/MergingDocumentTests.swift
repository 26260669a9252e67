import Foundation
import LLVSCore
import TestSupport
import Testing

private func mixedArbiters(_ store: Store) -> StoreCoordinator {
    // Merging.md mixed begins
    let contacts = JSONMergeArbiter(arrays: [["tags"]: .set, ["phones"]: .elements(identifiedBy: "id")])
    let arbiter = RoutingArbiter([.prefix("contact/", contacts), .suffix(".md", TextMergeArbiter())])
    let coordinator = StoreCoordinator(store: store, arbiter: arbiter)
    // Merging.md mixed ends
    return coordinator
}

private func sumArbiter() -> JSONMergeArbiter {
    // Merging.md sum begins
    let arbiter = JSONMergeArbiter { conflict in
        guard conflict.path == [.property("inStock")], let base = conflict.base.flatMap({ Int32($0) }),
            let first = conflict.first.flatMap({ Int32($0) }), let second = conflict.second.flatMap({ Int32($0) })
        else { return .side(conflict.usual) }
        return .json("\(Int(first) + Int(second) - Int(base))")
    }
    // Merging.md sum ends
    return arbiter
}

// Merging.md own begins
struct LongestArbiter: MergeArbiter {
    func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.conflicts.map { id in
            let first = try merge.content(id, on: .first)?.size ?? 0
            let second = try merge.content(id, on: .second)?.size ?? 0
            return try merge.keeping(first >= second ? .first : .second, of: id)
        }
    }
}
// Merging.md own ends

private func draftsCoordinator(_ store: Store) -> StoreCoordinator {
    // Merging.md branches begins
    let drafts = StoreCoordinator(store: store, name: "drafts", branch: "draft", selection: .only(["draft"]))
    // Merging.md branches ends
    return drafts
}

@Suite("Merging.md") struct MergingDocumentTests {
    private static func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n")
    }

    /// The lines of this file between two marks, at the margin.
    private static func compiled(_ mark: String) throws -> [String] {
        let all = try lines(of: URL(fileURLWithPath: #filePath))
        let found = all.drop { !$0.hasSuffix("// Merging.md \(mark) begins") }.dropFirst()
            .prefix { !$0.hasSuffix("// Merging.md \(mark) ends") }
        let margin = found.first?.prefix { $0 == " " }.count ?? 0
        return found.map { String($0.dropFirst(margin)) }
    }

    /// The lines of the article's Swift blocks.
    private static func shown() throws -> [[String]] {
        let article = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/LLVSCore/LLVSCore.docc/Merging.md").standardized
        var rest = try lines(of: article)[...]
        var blocks: [[String]] = []
        while true {
            rest = rest.drop { $0 != "```swift" }.dropFirst()
            if rest.isEmpty { return blocks }
            blocks.append(Array(rest.prefix { $0 != "```" }))
        }
    }

    @Test("its examples are those that are compiled here")
    func examples() throws {
        let compiled = try ["mixed", "sum", "own", "branches"].map(Self.compiled)
        #expect(compiled.allSatisfy { !$0.isEmpty })
        #expect(try Self.shown() == compiled)
    }

    @Test("contacts are merged by property, notes by line, pictures by time")
    func mixed() async throws {
        let builder = StoreBuilder()
        let phones = "[{\"id\":1,\"n\":\"1\"},{\"id\":2,\"n\":\"2\"}]"
        let base = try builder.save([
            "contact/1": "{\"name\":\"Ann\",\"phones\":\(phones)}", "plan.md": "1\n\n2\n", "picture": "0",
        ])
        try builder.save(
            ["contact/1": "{\"name\":\"Anne\",\"phones\":\(phones)}", "plan.md": "one\n\n2\n", "picture": "1"], on: base
        )
        let new = phones.replacingOccurrences(of: "\"2\"", with: "\"22\"")
        try builder.save(
            ["contact/1": "{\"name\":\"Ann\",\"phones\":\(new)}", "plan.md": "1\n\ntwo\n", "picture": "2"], on: base,
            at: StoreBuilder.now + 1)
        let merged = try await mixedArbiters(builder.store).merge().current
        #expect(
            try builder.values(at: merged) == [
                "contact/1": "{\"name\":\"Anne\",\"phones\":\(new)}", "plan.md": "one\n\ntwo\n", "picture": "2",
            ])
    }

    @Test("the sum of two changes, and the longer of two contents")
    func callbacks() throws {
        let stock = try ContentFork(
            text: "{\"inStock\":10,\"n\":1}", "{\"inStock\":8,\"n\":2}", "{\"inStock\":13,\"n\":3}")
        #expect(try stock.mergedText(sumArbiter()) == "{\"inStock\":11,\"n\":3}")
        #expect(try ContentFork(text: "a", "ccc", "bb").mergedText(LongestArbiter()) == "ccc")
    }

    @Test("a coordinator of drafts follows drafts alone")
    func branches() async throws {
        let builder = StoreBuilder()
        try builder.save(["main": "1"])
        let draft = try builder.save(["draft": "1"], branch: "draft")
        #expect(try await draftsCoordinator(builder.store).merge().current == draft)
    }
}
