/// The lines in which two texts differ, with some equal ones around them, as `diff -u` shows them.
struct LineDiff {
    /// Texts of more changed lines than this are shown as replaced as a whole: comparing takes time with their square.
    private static let mostCompared = 4_000
    private static let context = 3

    private enum Line {
        case same(Substring)
        case removed(Substring)
        case added(Substring)

        var isSame: Bool {
            if case .same = self { return true }
            return false
        }

        var text: String {
            switch self {
            case .same(let text): " " + text
            case .removed(let text): "-" + text
            case .added(let text): "+" + text
            }
        }
    }

    private let lines: [Line]

    init(from old: String, to new: String) {
        let (old, new) = (Self.split(old), Self.split(new))
        let start = zip(old, new).prefix { Self.equal($0, $1) }.count
        let end = zip(old[start...].reversed(), new[start...].reversed()).prefix { Self.equal($0, $1) }.count
        let middle = Self.compare(old[start..<old.count - end], new[start..<new.count - end])
        lines = old[..<start].map { .same($0) } + middle + old[(old.count - end)...].map { .same($0) }
    }

    /// The changed parts, each under a line "@@ -first,count +first,count @@" with the numbers of the lines.
    var hunks: [String] {
        var result: [String] = []
        var (oldNumber, newNumber) = (1, 1)
        var position = 0
        for range in ranges {
            for line in lines[position..<range.lowerBound] { Self.count(line, &oldNumber, &newNumber) }
            let (oldStart, newStart) = (oldNumber, newNumber)
            for line in lines[range] { Self.count(line, &oldNumber, &newNumber) }
            position = range.upperBound
            result.append(
                "@@ -\(Self.span(oldStart, oldNumber)) +\(Self.span(newStart, newNumber)) @@")
            result += lines[range].map(\.text)
        }
        return result
    }

    /// The lines to show: what changed with its context, joined where that touches.
    private var ranges: [Range<Int>] {
        var ranges: [Range<Int>] = []
        for index in lines.indices where !lines[index].isSame {
            let range = max(0, index - Self.context)..<min(lines.count, index + Self.context + 1)
            if let last = ranges.last, range.lowerBound <= last.upperBound {
                ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
            } else {
                ranges.append(range)
            }
        }
        return ranges
    }

    private static func count(_ line: Line, _ old: inout Int, _ new: inout Int) {
        switch line {
        case .same: (old, new) = (old + 1, new + 1)
        case .removed: old += 1
        case .added: new += 1
        }
    }

    /// As `diff` counts: of no lines, the number is that of the line before.
    private static func span(_ start: Int, _ end: Int) -> String {
        "\(start == end ? start - 1 : start),\(end - start)"
    }

    /// By bytes: a line that is composed otherwise is another one.
    private static func equal(_ one: Substring, _ other: Substring) -> Bool { one.utf8.elementsEqual(other.utf8) }

    /// An end of line belongs to its line, but that of the last is not shown as a line of its own.
    private static func split(_ text: String) -> [Substring] {
        var lines = text[...].split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines
    }

    private static func compare(_ old: ArraySlice<Substring>, _ new: ArraySlice<Substring>) -> [Line] {
        if old.count + new.count > mostCompared {
            return old.map { .removed($0) } + new.map { .added($0) }
        }
        var removed: Set<Int> = []
        var added: Set<Int> = []
        for change in Array(new).difference(from: Array(old), by: equal) {
            switch change {
            case .remove(let offset, _, _): removed.insert(offset)
            case .insert(let offset, _, _): added.insert(offset)
            }
        }
        var result: [Line] = []
        var (i, j) = (0, 0)
        while i < old.count || j < new.count {
            if removed.contains(i) {
                result.append(.removed(old[old.startIndex + i]))
                i += 1
            } else if added.contains(j) {
                result.append(.added(new[new.startIndex + j]))
                j += 1
            } else {
                result.append(.same(new[new.startIndex + j]))
                (i, j) = (i + 1, j + 1)
            }
        }
        return result
    }
}
