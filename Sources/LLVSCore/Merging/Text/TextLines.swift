/// A text as lines with their ends, so that lines can be taken from several texts and put one behind the other.
///
/// A last line without an end is given one here, that of the line before it, and ``isTerminated`` tells: how a text ends is one
/// thing that is merged by itself, and a line never runs into the next.
struct TextLines: Equatable {
    /// Each with its end: a line feed, or a carriage return and a line feed. A carriage return elsewhere belongs to its line.
    private(set) var lines: [ArraySlice<UInt8>] = []
    /// Whether the text ends with a line feed; nil: it is empty, or this is not known.
    let isTerminated: Bool?

    init(_ bytes: [UInt8]) {
        var start = 0
        for (index, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
            lines.append(bytes[start...index])
            start = index + 1
        }
        isTerminated = bytes.last.map { $0 == UInt8(ascii: "\n") }
        guard start < bytes.count else { return }
        // A carriage return of its own at the end must not become a part of the end that is given.
        let hasReturn = bytes.last == UInt8(ascii: "\r")
        lines.append(bytes[start...] + (hasReturn ? Array("\r\n".utf8) : Self.end(of: lines.last)))
    }

    /// Lines of other texts.
    init(_ lines: [ArraySlice<UInt8>]) {
        self.lines = lines
        isTerminated = nil
    }

    /// How a line ends.
    static func end(of line: ArraySlice<UInt8>?) -> [UInt8] {
        line?.suffix(2).elementsEqual("\r\n".utf8) == true ? Array("\r\n".utf8) : Array("\n".utf8)
    }

    /// The text of these lines.
    static func bytes(_ lines: [ArraySlice<UInt8>], isTerminated: Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(lines.reduce(0) { $0 + $1.count })
        for line in lines { bytes += line }
        // An empty line is nothing but its end.
        if !isTerminated, let last = lines.last, last.count > end(of: last).count {
            bytes.removeLast(end(of: last).count)
        }
        return bytes
    }

    /// Whether a merge of texts that end like this ends with a line feed: as the side that changed it, else with one.
    static func isTerminated(_ base: Bool?, _ first: Bool?, _ second: Bool?) -> Bool {
        guard let first, let second else { return first ?? second ?? true }
        if first == second { return first }
        return base.map { !$0 } ?? true
    }
}
