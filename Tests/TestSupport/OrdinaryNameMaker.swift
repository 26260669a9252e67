/// Names as people, cameras and offices give them.
public struct OrdinaryNameMaker: Sendable {
    private var random: SeededRandom

    /// The names of this seed.
    public init(seed: UInt64) { random = SeededRandom(seed: seed) }

    private mutating func one(of values: [String]) -> String {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    private mutating func number(_ range: ClosedRange<Int>) -> String { String(Int.random(in: range, using: &random)) }

    /// The next name, of words, numbers, dates, versions and parentheses; none has a service's mark.
    public mutating func name() -> String {
        let words = [
            "report", "Invoice", "meeting", "Budget", "conflicts", "copy", "notes", "Chapter", "Plan", "photo",
            "résumé",
            "日記",
            "My conflicted copy", "sync-conflict", "Case", "Draft", "IMG", "DSC", "merge_conflict", "variant", "path",
            "HOST",
        ]
        let seams = [" ", "-", "_", " - ", ".", ""]
        let seam = one(of: seams)
        var name = (0..<Int.random(in: 1...3, using: &random)).map { _ in one(of: words) }.joined(separator: seam)
        switch Int.random(in: 0..<16, using: &random) {
        case 0: name = "Copy of " + name
        case 1: name += " (\(number(1...20)))"
        case 2: name += " (\(number(1990...2030)))"
        case 3: name += " v\(number(1...9)).\(number(0...20)) (final)"
        case 4: name = "IMG_\(number(1000...9999))"
        case 5: name += "-\(number(2000...2030))-\(number(10...12))-\(number(10...28))"
        case 6: name += " \(number(2...40))"
        case 7: name += "-\(one(of: ["Copy", "House", "FINAL", "HOST", "Desktop", "iPhone", "Conflict", "backup"]))"
        case 8: name += "_\(number(20_200_101...20_261_231))_\(number(100_000...235_959))"
        case 9: name += " (Alex 2026-0\(number(1...9))-1\(number(0...9)))"
        case 10: name += " [\(one(of: ["draft", "2026", "old", "Alex"]))]"
        case 11: name = "\(number(1...99)) " + name + " (\(one(of: words)))"
        case 12: name += "~\(number(1...9))"
        case 13: name += " \(number(1...28)).\(number(1...12)).2026"
        default: name += number(1...99_999)
        }
        return name + one(of: [".md", ".docx", ".JPG", ".tar.gz", "", ".pdf", ".part1.rar", ".min.js"])
    }
}
