import TestSupport
import Testing

@testable import LLVSCore

/// A merge of texts without a store. Conflicts keep both sides.
private func merged(_ base: [UInt8]?, _ first: [UInt8], _ second: [UInt8]) -> [UInt8] {
    var merge = TextThreeWayMerge(base: base, first: first, second: second)
    return merge.merged { $0.bothSides.flatMap(\.self) }
}

@Suite("Merging text: any texts") struct MergingTextPropertyTests {
    static let seeds: [UInt64] = [1, 2, 3, 4]

    /// Few different lines, so that many are equal; ends of both kinds; often no end of the last line.
    private static func text(_ random: inout SeededRandom, lines: Int) -> [UInt8] {
        var text: [UInt8] = []
        for _ in 0..<Int.random(in: 0...lines, using: &random) { text += line(&random) }
        if Int.random(in: 0..<3, using: &random) == 0 {
            text += ["a", "b\r", "\r"].randomElement(using: &random)?.utf8 ?? "".utf8
        }
        return text
    }

    private static func line(_ random: inout SeededRandom) -> [UInt8] {
        let lines = ["\n", "a\n", "b\n", "c\n", "a\r\n", "é\n", "d\n", "\r\n"]
        let isNew = Int.random(in: 0..<3, using: &random) == 0
        return [UInt8](
            (isNew ? "\(UInt8.random(in: 0...99, using: &random))\n" : lines.randomElement(using: &random) ?? "").utf8)
    }

    private static func edited(_ text: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
        var lines = TextLines(text).lines.map(Array.init)
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            let index = Int.random(in: 0...lines.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: lines.insert(line(&random), at: index)
            case 1 where index < lines.count: lines.remove(at: index)
            case 2 where index < lines.count: lines[index] = line(&random)
            default: break
            }
        }
        var bytes = Array(lines.joined())
        if Int.random(in: 0..<4, using: &random) == 0, !bytes.isEmpty { bytes.removeLast() }
        return bytes
    }

    @Test("a side that changed nothing, or the same, leaves the other's text as it is", arguments: seeds)
    func identities(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<150 {
            let base = Self.text(&random, lines: 12)
            let side = round % 2 == 0 ? Self.edited(base, &random) : Self.text(&random, lines: 12)
            #expect(merged(base, side, base) == side, "seed \(seed), round \(round)")
            #expect(merged(base, base, side) == side, "seed \(seed), round \(round)")
            #expect(merged(base, side, side) == side, "seed \(seed), round \(round)")
            #expect(merged(nil, side, side) == side, "seed \(seed), round \(round)")
        }
    }

    @Test("the sides can be swapped", arguments: seeds)
    func symmetric(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<150 {
            let base = Self.text(&random, lines: 12)
            let (one, other) = (Self.edited(base, &random), Self.edited(base, &random))
            #expect(merged(base, one, other) == merged(base, other, one), "seed \(seed), round \(round)")
            #expect(merged(nil, one, other) == merged(nil, other, one), "seed \(seed), round \(round)")
        }
    }

    @Test("every line that a side added is in the result, and every line that neither took out", arguments: seeds)
    func nothingIsLost(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<120 {
            let base = Self.text(&random, lines: 12)
            let texts = [base, Self.edited(base, &random), Self.edited(base, &random)]
            let counts = texts.map { text in Self.counts(of: text) }
            let result = Self.counts(of: merged(texts[0], texts[1], texts[2]))
            let union = Self.counts(of: merged(nil, texts[1], texts[2]))
            for line in Set(counts.flatMap(\.keys)) {
                let count = counts.map { $0[line] ?? 0 }
                let context: Comment = "seed \(seed), round \(round), line \(line)"
                let isAdded = count[1] > count[0] || count[2] > count[0]
                let isKept = min(count[1], count[2]) >= count[0] && count[0] > 0
                if isAdded || isKept { #expect(result[line] ?? 0 > 0, context) }
                #expect(union[line] ?? 0 >= max(count[1], count[2]), context)
            }
        }
    }

    /// How often each line is there, whatever its end.
    private static func counts(of text: [UInt8]) -> [[UInt8]: Int] {
        TextLines(text).lines.reduce(into: [:]) { counts, line in
            counts[line.filter { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }, default: 0] += 1
        }
    }

    @Test("an edit and an insertion behind it are both there, also where they touch", arguments: seeds)
    func apart(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<100 {
            let lines = (0..<20).map { [UInt8]("line \($0)\n".utf8) }
            let at = Int.random(in: 0..<17, using: &random)
            let other = Int.random(in: (at + 1)...20, using: &random)
            let new = [UInt8]("one\n".utf8)
            var (one, two, both) = (lines, lines, lines)
            // Ascending, from behind, so that the places stay.
            two.insert([UInt8]("two\n".utf8), at: other)
            both.insert([UInt8]("two\n".utf8), at: other)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                one.remove(at: at)
                both.remove(at: at)
            case 1:
                one[at] = new
                both[at] = new
            default:
                one.insert(new, at: at)
                both.insert(new, at: at)
            }
            let result = merged(Array(lines.joined()), Array(one.joined()), Array(two.joined()))
            #expect(result == Array(both.joined()), "seed \(seed), round \(round)")
        }
    }
}

@Suite("Merging text: lines that match") struct MergingLineMatchingTests {
    /// The length of the longest common subsequence, by the definition.
    private func longest(_ old: [Int32], _ new: [Int32]) -> Int {
        var row = [Int](repeating: 0, count: new.count + 1)
        for line in old {
            var diagonal = 0
            for index in new.indices {
                let above = row[index + 1]
                row[index + 1] = line == new[index] ? diagonal + 1 : max(above, row[index])
                diagonal = above
            }
        }
        return row[new.count]
    }

    private func check(_ matching: LineMatching, _ old: [Int32], _ new: [Int32], _ context: Comment) {
        var last: Int32 = -1
        for (line, index) in zip(old, matching.newIndex) where index >= 0 {
            #expect(index > last && new[Int(index)] == line, context)
            last = index
        }
    }

    @Test(
        "what matches is equal and ascends",
        arguments: [1, 2, 3] as [UInt64])
    func againstTheDefinition(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<300 {
            let (old, new) = (Self.lines(&random, 3), Self.lines(&random, 3))
            check(LineMatching(old: old, new: new), old, new, "seed \(seed), round \(round)")
        }
    }

    @Test("Myers' algorithm finds a longest common subsequence", arguments: [1, 2, 3] as [UInt64])
    func longestCommon(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        for round in 0..<300 {
            // No end in common, and every line more than once on a side: the whole is one shortest edit.
            let old: [Int32] =
                [90] + Self.lines(&random, 4).flatMap { (line: Int32) -> [Int32] in [line, line] } + [91]
            let new: [Int32] = [92] + Self.lines(&random, 4) + [93]
            let matching = LineMatching(old: old, new: new)
            check(matching, old, new, "seed \(seed), round \(round)")
            #expect(matching.newIndex.filter { $0 >= 0 }.count == longest(old, new), "seed \(seed), round \(round)")
        }
    }

    private static func lines(_ random: inout SeededRandom, _ kinds: Int32) -> [Int32] {
        (0..<Int.random(in: 0..<20, using: &random)).map { _ in Int32.random(in: 0..<kinds, using: &random) }
    }

    @Test("texts that differ everywhere cost counted steps, and what is left then counts as replaced")
    func bounded() {
        var random = SeededRandom(seed: 1)
        let old = (0..<30_000).map { _ in Int32.random(in: 0..<50, using: &random) }
        let new = (0..<30_000).map { _ in Int32.random(in: 50..<100, using: &random) } + old.suffix(7)
        let matching = LineMatching(old: old, new: new)
        #expect(matching.newIndex.filter { $0 >= 0 }.count == 7)
        let none = LineMatching(old: [1, 2, 2, 1], new: [2, 1, 1, 2], steps: 3)
        #expect(none.newIndex == [-1, -1, -1, -1])
    }

    @Test("one line changed in a long text leaves all others matched")
    func longText() {
        let old = (0..<50_000).map { Int32($0 % 20_000) }
        var new = old
        new[25_000] = -1
        new.remove(at: 40_000)
        let matching = LineMatching(old: old, new: new)
        #expect(matching.newIndex.filter { $0 < 0 }.count == 2)
    }
}

@Suite("Merging text: an arbiter") struct MergingTextTests {
    @Test(
        "lines of both sides are merged, with their ends as they are",
        arguments: [
            ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n"),
            ("a\r\nb\r\nc\r\n", "A\r\nb\r\nc\r\n", "a\r\nb\r\nc\r\nd\r\n", "A\r\nb\r\nc\r\nd\r\n"),
            // Of the last line's end the side that changed it decides.
            ("a\nb\nc", "A\nb\nc", "a\nb\nc\n", "A\nb\nc\n"), ("a\nb\nc\n", "A\nb\nc\n", "a\nb\nc", "A\nb\nc"),
            ("a\nb\nc", "A\nb\nc", "a\nb\nc\nd", "A\nb\nc\nd"),
            ("a\r\nb\r\nc", "A\r\nb\r\nc", "a\r\nb\r\nc\r\nd", "A\r\nb\r\nc\r\nd"),
            ("a\nb\nc", "A\nb\nc", "a\nb\nc\r", "A\nb\nc\r"),
            // Neighbouring lines.
            ("a\nb\n", "A\nb\n", "a\nB\n", "A\nB\n"), ("a\nb\n", "A\nb\n", "a\nx\nb\n", "A\nx\nb\n"),
            ("a\nb\n", "a\nx\nb\n", "a\nB\n", "a\nx\nB\n"), ("a\nb\nc\n", "b\nc\n", "a\nc\n", "c\n"),
            // The same line, or the same place: both, the lower bytes first.
            ("a\nb\n", "a\nx\n", "a\ny\n", "a\nx\ny\n"), ("a\nb\n", "a\ny\n", "a\nx\n", "a\nx\ny\n"),
            ("a\n", "b\na\n", "c\na\n", "b\nc\na\n"), ("a", "x", "y", "x\ny"), ("a", "x\n", "y", "x\ny\n"),
            // What both begin and end a conflict with is there once.
            ("q\n", "x\n1\ny\n", "x\n2\ny\n", "x\n1\n2\ny\n"),
            // Removed on one side, changed on the other: the change.
            ("a\nb\nc\n", "a\nc\n", "a\nB\nc\n", "a\nB\nc\n"), ("a\n", "", "b\n", "b\n"),
            ("", "a", "b\n", "a\nb\n"), ("a\n", "a\n\n", "a", "a\n\n"),
        ])
    func merges(_ base: String, _ first: String, _ second: String, _ expected: String) throws {
        let result = try ContentFork(text: base, first, second).mergedText(TextMergeArbiter())
        #expect(result?.utf8.elementsEqual(expected.utf8) == true, "\(result.debugDescription)")
        let swapped = try ContentFork(text: base, second, first).mergedText(TextMergeArbiter())
        #expect(swapped?.utf8.elementsEqual(expected.utf8) == true)
    }

    @Test(
        "without a base, what both have is there once and all else is kept",
        arguments: [
            ("a\nb\n", "b\nc\n", "a\nb\nc\n"), ("a\nb\n", "a\nc\n", "a\nb\nc\n"), ("x", "y\n", "x\ny\n"),
            ("", "y", "y"),
        ])
    func noBase(_ first: String, _ second: String, _ expected: String) throws {
        #expect(try ContentFork(text: nil, first, second).mergedText(TextMergeArbiter()) == expected)
        #expect(try ContentFork(text: nil, second, first).mergedText(TextMergeArbiter()) == expected)
    }

    @Test("marks are those of diff3, with the text's ends of lines")
    func markers() throws {
        let arbiter = TextMergeArbiter(conflicts: .markers)
        let fork = try ContentFork(text: "a\nb\nc\n", "a\ny\nc\n", "a\nx\nc\n")
        #expect(try fork.mergedText(arbiter) == "a\n<<<<<<<\nx\n|||||||\nb\n=======\ny\n>>>>>>>\nc\n")
        let dos = try ContentFork(text: "a\r\nb", "a\r\nx", "a\r\n")
        let expected = "a\r\n<<<<<<<\r\n|||||||\r\nb\r\n=======\r\nx\r\n>>>>>>>\r\n"
        #expect(try dos.mergedText(arbiter)?.utf8.elementsEqual(expected.utf8) == true)
    }

    @Test("a callback decides conflicts, with the sides as they are in the merge")
    func callback() throws {
        let arbiter = TextMergeArbiter(
            conflicts: .custom { conflict in
                "\(conflict.id) \(conflict.base)\(conflict.first)\(conflict.second)\(conflict.moreRecent)"
            })
        let fork = try ContentFork(text: "a\nb\nc\nd\n", "a\ny\nz\nc\nd\n", "a\nx\nz\nc\nD\n", later: .first)
        #expect(try fork.mergedText(arbiter) == "a\nv b\ny\nx\nfirst\nz\nc\nD\n")
        let nothing = TextMergeArbiter(conflicts: .custom { _ in "" })
        #expect(try fork.mergedText(nothing) == "a\nz\nc\nD\n")
        let failing = TextMergeArbiter(conflicts: .custom { _ in throw UnexpectedQuestion() })
        #expect(throws: UnexpectedQuestion.self) { try fork.mergedText(failing) }
    }

    @Test(
        "what is not text goes to the other arbiter, and so does what is too large",
        arguments: [[0xFF], [0x61, 0, 0x0A], [UInt8](repeating: 0x61, count: 101), [0xED, 0xA0, 0x80]] as [[UInt8]])
    func elsewhere(_ bytes: [UInt8]) throws {
        for (base, first, second) in [([], bytes, [0x61]), ([], [0x61], bytes), (bytes, [0x61], [0x62])]
            as [([UInt8], [UInt8], [UInt8])]
        {
            let other = ScriptedArbiter.keeping(.first)
            let arbiter = TextMergeArbiter(maximumByteCount: 100, otherwise: other)
            #expect(try ContentFork(base, first, second).merged(arbiter) == first)
            #expect(other.questions.map(\.conflicts) == [["v"], ["v"]])
        }
        #expect(try ContentFork(text: "a", nil, "b").mergedText(TextMergeArbiter()) == "b")
    }

    @Test("a result that is a side's text is stored as that side's")
    func preserved() throws {
        let fork = try ContentFork(text: "a\nb\n", "a\n", "a\nB\n")
        let id = try fork.builder.merge(fork.first, fork.second, TextMergeArbiter()).id
        #expect(try fork.builder.text("v", at: id) == "a\nB\n")
        try fork.builder.expectMinimalChanges(id)
    }
}
