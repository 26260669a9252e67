/// Merges two texts with their base, line by line: diff3 (Khanna, Kunal and Pierce, "A Formal Investigation of Diff3", 2007).
///
/// The base's lines that both sides still have divide the texts. Between two of them, what one side alone changed is taken;
/// what both changed alike is taken once; the rest is a conflict, without the lines that both sides begin or end it with.
struct TextThreeWayMerge {
    /// The lines of both sides and the base in a conflict.
    struct Hunk {
        let base: ArraySlice<ArraySlice<UInt8>>
        let first: ArraySlice<ArraySlice<UInt8>>
        let second: ArraySlice<ArraySlice<UInt8>>
    }

    private let base: TextLines
    private let first: TextLines
    private let second: TextLines
    private let inFirst: [Int32]
    private let inSecond: [Int32]
    private var result: [ArraySlice<UInt8>] = []

    /// - Parameter base: nil: the lines that both sides have are taken for it, so that nothing counts as removed.
    init(base: [UInt8]?, first: [UInt8], second: [UInt8]) {
        let (one, other) = (TextLines(first), TextLines(second))
        var numbers: [ArraySlice<UInt8>: Int32] = [:]
        func numbered(_ text: TextLines) -> [Int32] {
            text.lines.map { line in
                let number = numbers[line] ?? Int32(numbers.count)
                numbers[line] = number
                return number
            }
        }
        let (oneNumbers, otherNumbers) = (numbered(one), numbered(other))
        self.base = base.map(TextLines.init) ?? Self.shared(one, oneNumbers, other, otherNumbers)
        let baseNumbers = numbered(self.base)
        inFirst = LineMatching(old: baseNumbers, new: oneNumbers).newIndex
        inSecond = LineMatching(old: baseNumbers, new: otherNumbers).newIndex
        (self.first, self.second) = (one, other)
    }

    /// The lines that both have in the same order; the same lines whichever of the two is first.
    private static func shared(
        _ one: TextLines, _ oneNumbers: [Int32], _ other: TextLines, _ otherNumbers: [Int32]
    ) -> TextLines {
        let ascends = !other.lines.lexicographicallyPrecedes(one.lines) { $0.lexicographicallyPrecedes($1) }
        let (old, new) = ascends ? (oneNumbers, otherNumbers) : (otherNumbers, oneNumbers)
        let lines = (ascends ? one : other).lines
        let matching = LineMatching(old: old, new: new).newIndex
        return TextLines(zip(lines, matching).filter { $0.1 >= 0 }.map(\.0))
    }

    /// The merged text. `resolve` gives the lines of each conflict, in order.
    mutating func merged(_ resolve: (Hunk) throws -> [ArraySlice<UInt8>]) rethrows -> [UInt8] {
        var (start, one, other) = (0, 0, 0)
        for line in 0...base.lines.count {
            let isEnd = line == base.lines.count
            let (nextOne, nextOther) =
                isEnd ? (first.lines.count, second.lines.count) : (at(line, inFirst), at(line, inSecond))
            if nextOne < 0 || nextOther < 0 { continue }
            try take(
                Hunk(
                    base: base.lines[start..<line], first: first.lines[one..<nextOne],
                    second: second.lines[other..<nextOther]), resolve)
            if !isEnd { result.append(base.lines[line]) }
            (start, one, other) = (line + 1, nextOne + 1, nextOther + 1)
        }
        return TextLines.bytes(
            result,
            isTerminated: TextLines.isTerminated(base.isTerminated, first.isTerminated, second.isTerminated))
    }

    private func at(_ line: Int, _ matching: [Int32]) -> Int { Int(matching[line]) }

    private mutating func take(_ hunk: Hunk, _ resolve: (Hunk) throws -> [ArraySlice<UInt8>]) rethrows {
        if hunk.second == hunk.base || hunk.first == hunk.second {
            result += hunk.first
        } else if hunk.first == hunk.base {
            result += hunk.second
        } else {
            let shared = hunk.sharedLines
            result += hunk.first.prefix(shared.atStart)
            result += try resolve(hunk.without(shared))
            result += hunk.first.suffix(shared.atEnd)
        }
    }
}

extension TextThreeWayMerge.Hunk {
    /// How many lines both sides begin and end with.
    fileprivate var sharedLines: (atStart: Int, atEnd: Int) {
        let most = min(first.count, second.count)
        let atStart = zip(first, second).prefix { $0 == $1 }.count
        let atEnd = zip(first.reversed(), second.reversed()).prefix(most - atStart).prefix { $0 == $1 }.count
        return (atStart, atEnd)
    }

    fileprivate func without(_ shared: (atStart: Int, atEnd: Int)) -> Self {
        Self(
            base: base, first: first.dropFirst(shared.atStart).dropLast(shared.atEnd),
            second: second.dropFirst(shared.atStart).dropLast(shared.atEnd))
    }
}
