/// Merges two texts with their base, line by line, as diff3 does (Khanna, Kunal and Pierce, "A Formal Investigation of
/// Diff3", 2007), but for this: edits of neighbouring lines are both made, where diff3 wants an unchanged line between them.
///
/// Edits that overlap, or insert at one place, are looked at together: what both sides changed alike is taken once; the rest
/// is a conflict, without the lines that both sides begin or end it with.
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
    private let firstEdits: [LineEdit]
    private let secondEdits: [LineEdit]
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
        firstEdits = LineEdit.edits(LineMatching(old: baseNumbers, new: oneNumbers).newIndex, to: one.lines.count)
        secondEdits = LineEdit.edits(LineMatching(old: baseNumbers, new: otherNumbers).newIndex, to: other.lines.count)
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
        var (one, other) = (LineEdit.Cursor(firstEdits), LineEdit.Cursor(secondEdits))
        var position = 0
        while let start = [one.next, other.next].compactMap(\.self).min(by: LineEdit.comesFirst) {
            result += base.lines[position..<start.old.lowerBound]
            var region = start.old
            while one.take(into: &region) || other.take(into: &region) {}
            try take(
                Hunk(
                    base: base.lines[region], first: first.lines[one.lines(of: region)],
                    second: second.lines[other.lines(of: region)]), resolve)
            position = region.upperBound
        }
        result += base.lines[position...]
        return TextLines.bytes(
            result,
            isTerminated: TextLines.isTerminated(base.isTerminated, first.isTerminated, second.isTerminated))
    }

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
