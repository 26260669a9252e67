import TestSupport
import Testing

@testable import FolderSyncCommand

@Suite("Line differences")
struct LineDiffTests {
    /// What a reader of the difference makes of the old text.
    private func apply(_ hunks: [String], to old: [String]) throws -> [String] {
        var result: [String] = []
        var position = 0
        for line in hunks {
            if line.hasPrefix("@@") {
                let numbers = try #require(line.split(separator: " ").first { $0.hasPrefix("-") }).dropFirst().split(
                    separator: ",")
                let (start, count) = (try #require(Int(numbers[0])), try #require(Int(numbers[1])))
                let from = count == 0 ? start : start - 1
                result += old[position..<from]
                position = from
                continue
            }
            let text = String(line.dropFirst())
            switch line.first {
            case " ":
                #expect(old[position] == text)
                result.append(text)
                position += 1
            case "-":
                #expect(old[position] == text)
                position += 1
            default: result.append(text)
            }
        }
        return result + old[position...]
    }

    @Test("applied to the old text they give the new one", arguments: [1, 2, 3, 4] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        for _ in 0..<100 {
            let old = (0..<Int.random(in: 0..<30, using: &random)).map { _ in "\(Int.random(in: 0..<5, using: &random))"
            }
            var new = old
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                let index = Int.random(in: 0...new.count, using: &random)
                if Bool.random(using: &random), index < new.count {
                    new.remove(at: index)
                } else {
                    new.insert("new", at: index)
                }
            }
            let hunks = LineDiff(from: old.joined(separator: "\n"), to: new.joined(separator: "\n")).hunks
            #expect(try apply(hunks, to: old) == new, "seed \(seed)")
            #expect(hunks.isEmpty == (old == new))
        }
    }

    @Test("texts of very many changed lines are replaced as a whole, in no time")
    func large() {
        let old = (0..<5_000).map { "old \($0)" }.joined(separator: "\n")
        let new = (0..<5_000).map { "new \($0)" }.joined(separator: "\n")
        let hunks = LineDiff(from: "same\n" + old, to: "same\n" + new).hunks
        #expect(hunks.count == 10_002)
        #expect(hunks[0] == "@@ -1,5001 +1,5001 @@")
    }

    @Test("empty texts have no lines")
    func empty() {
        #expect(LineDiff(from: "", to: "").hunks == [])
        #expect(LineDiff(from: "", to: "a\n").hunks == ["@@ -0,0 +1,1 @@", "+a"])
        #expect(LineDiff(from: "a\n", to: "").hunks == ["@@ -1,1 +0,0 @@", "-a"])
    }
}
