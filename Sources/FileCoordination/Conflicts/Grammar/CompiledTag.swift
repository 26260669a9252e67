/// One spelling of a pattern, ready to be compared, and what lets it be passed over at a glance.
struct CompiledTag: Sendable {
    /// The grammar's place in the table.
    let grammar: Int
    /// The elements' places in the table's list.
    let elements: Range<Int>
    /// The shortest text that can match.
    let leastCount: Int
    /// How many ASCII letters and digits the tag ends with.
    let endingRun: ClosedRange<Int>
    /// What stands before those; nil if that can be anything.
    let separator: UInt8?
    let ignoresCase: Bool
    let takesDotfiles: Bool
    let keepsLongExtensions: Bool

    init(grammar: Int, _ rules: ConflictGrammar, _ elements: Range<Int>, _ list: [TagElement], _ pool: [UInt8]) {
        self.grammar = grammar
        self.elements = elements
        ignoresCase = rules.ignoresCase
        takesDotfiles = rules.takesDotfiles
        keepsLongExtensions = rules.keepsLongExtensions
        leastCount = list[elements].reduce(0) { $0 + $1.leastCount }
        var run = 0...0
        var separator: UInt8?
        for element in list[elements].reversed() {
            let ending = element.ending(pool)
            run = run.lowerBound + ending.run.lowerBound...run.upperBound + ending.run.upperBound
            if ending.isAll { continue }
            separator = ending.separator
            if separator == nil { run = run.lowerBound...Int(Int32.max) }
            break
        }
        endingRun = run
        self.separator = separator
    }
}

extension TagElement {
    fileprivate var leastCount: Int {
        switch self {
        case .literal(_, let count): count
        case .characters(_, let least, _): least
        case .time(let part): part.width
        case .text, .number, .monthName: 1
        }
    }

    /// With how many letters and digits it ends, whether that is all of it, and what is before them if that is known.
    fileprivate func ending(_ pool: [UInt8]) -> (run: ClosedRange<Int>, isAll: Bool, separator: UInt8?) {
        switch self {
        case .literal(let start, let count):
            let bytes = pool[start..<start + count]
            let run = bytes.reversed().prefix { $0.isASCIIAlphanumeric }.count
            return (run...run, run == count, run == count ? nil : bytes[bytes.endIndex - run - 1])
        case .characters(let characters, let least, let most):
            return characters.isAlphanumeric ? (least...most, true, nil) : (0...0, false, nil)
        case .number(let range):
            return (String(range.lowerBound).count...String(range.upperBound).count, true, nil)
        case .time(let part): return (part.width...part.width, true, nil)
        case .text, .monthName: return (0...0, false, nil)
        }
    }
}
