import TestSupport
import Testing

@testable import LLVSCore

@Suite("Merging JSON: any documents") struct MergingJSONPropertyTests {
    static let seeds: [UInt64] = [1, 2, 3]

    private func merged(
        _ base: JSONTree?, _ first: JSONTree, _ second: JSONTree, later: Value.Fork.Side,
        rule: JSONMergeArbiter.ArrayRule
    ) throws -> JSONTree? {
        let merge = JSONThreeWayMerge(
            moreRecent: later, rule: { _ in rule },
            decide: { _, _, first, second in
                guard let first, let second else { return first ?? second }
                return later == .first ? first : second
            })
        return try merge.merged(base, first, second)
    }

    private static func scalar(_ random: inout SeededRandom) -> JSONTree {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .number([UInt8]("\(UInt8.random(in: 0...3, using: &random))".utf8))
        default: .string([UInt8](["", "x", "y"].randomElement(using: &random)?.utf8 ?? "".utf8))
        }
    }

    private static func name(_ random: inout SeededRandom) -> [UInt8] {
        [UInt8]("abcd".utf8).randomElement(using: &random).map { [$0] } ?? []
    }

    private static func tree(_ random: inout SeededRandom, depth: Int) -> JSONTree {
        let count = Int.random(in: 0..<5, using: &random)
        switch depth == 0 ? 0 : Int.random(in: 0..<5, using: &random) {
        case 0: return scalar(&random)
        case 1: return .array((0..<count).map { _ in scalar(&random) })
        case 2:
            return .array(
                (0..<count).map { _ in
                    .object([[UInt8]("id".utf8): scalar(&random), name(&random): tree(&random, depth: depth - 1)])
                })
        default:
            var members: [[UInt8]: JSONTree] = [:]
            for _ in 0..<count { members[name(&random)] = tree(&random, depth: depth - 1) }
            return .object(members)
        }
    }

    private static func edited(_ tree: JSONTree, _ random: inout SeededRandom) -> JSONTree {
        switch (tree, Int.random(in: 0..<4, using: &random)) {
        case (.object(var members), 0...2):
            let name = name(&random)
            members[name] = members[name].map { edited($0, &random) } ?? self.tree(&random, depth: 2)
            if Int.random(in: 0..<4, using: &random) == 0 { members[self.name(&random)] = nil }
            return .object(members)
        case (.array(var elements), 0...2):
            if elements.isEmpty { return .array([scalar(&random)]) }
            let index = Int.random(in: 0..<elements.count, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: elements.remove(at: index)
            case 1: elements.insert(scalar(&random), at: index)
            case 2: elements.swapAt(index, 0)
            default: elements[index] = edited(elements[index], &random)
            }
            return .array(elements)
        case (_, 3): return tree
        default: return self.tree(&random, depth: 2)
        }
    }

    private static let rules: [JSONMergeArbiter.ArrayRule] = [.atom, .set, .elements(identifiedBy: "id")]

    @Test("a side that changed nothing, or the same, leaves the other's document as it is", arguments: seeds)
    func identities(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<300 {
            let base = Self.tree(&random, depth: 4)
            let side = round % 2 == 0 ? Self.edited(base, &random) : Self.tree(&random, depth: 4)
            for rule in Self.rules {
                let context: Comment = "seed \(seed), round \(round), \(rule)"
                #expect(try merged(base, side, base, later: .second, rule: rule) == side, context)
                #expect(try merged(base, base, side, later: .first, rule: rule) == side, context)
                #expect(try merged(base, side, side, later: .first, rule: rule) == side, context)
                #expect(try merged(nil, side, side, later: .first, rule: rule) == side, context)
            }
        }
    }

    @Test("the sides can be swapped, and what is merged is JSON", arguments: seeds)
    func symmetric(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for round in 0..<300 {
            let base = Self.tree(&random, depth: 4)
            let one = Self.edited(Self.edited(base, &random), &random)
            let other = Self.edited(Self.edited(base, &random), &random)
            for rule in Self.rules {
                for base in [base, nil] {
                    let result = try #require(try merged(base, one, other, later: .second, rule: rule))
                    let swapped = try merged(base, other, one, later: .first, rule: rule)
                    #expect(swapped == result, "seed \(seed), round \(round), \(rule)")
                    #expect(JSONTreeParser.tree(result.canonicalBytes) == result, "seed \(seed), round \(round)")
                }
            }
        }
    }

    /// A document of four objects, by the paths to their members.
    private typealias Leaves = [String: JSONTree]

    private func document(_ leaves: Leaves) -> JSONTree {
        var objects: [[UInt8]: [[UInt8]: JSONTree]] = [:]
        for name in "abcd".utf8 { objects[[name]] = [:] }
        for (path, leaf) in leaves {
            let bytes = [UInt8](path.utf8)
            objects[[bytes[0]], default: [:]][[bytes[1]]] = leaf
        }
        return .object(objects.mapValues { .object($0) })
    }

    @Test("nested objects are merged as a table of their paths would be", arguments: seeds)
    func againstTable(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let paths = "abcd".flatMap { outer in "abcd".map { "\(outer)\($0)" } }
        func edited(_ leaves: Leaves) -> Leaves {
            var leaves = leaves
            for path in paths where Int.random(in: 0..<3, using: &random) == 0 {
                leaves[path] = Int.random(in: 0..<3, using: &random) == 0 ? nil : Self.scalar(&random)
            }
            return leaves
        }
        for round in 0..<200 {
            let base = edited(edited([:]))
            let (one, other) = (edited(base), edited(base))
            var expected: Leaves = [:]
            for path in paths {
                let (old, first, second) = (base[path], one[path], other[path])
                if first == second || second == old {
                    expected[path] = first
                } else if first == old || first == nil {
                    expected[path] = second
                } else if second == nil || old == nil && second == .null {
                    expected[path] = first
                } else {
                    expected[path] = second
                }
            }
            let result = try merged(document(base), document(one), document(other), later: .second, rule: .atom)
            #expect(result == document(expected), "seed \(seed), round \(round)")
        }
    }
}
