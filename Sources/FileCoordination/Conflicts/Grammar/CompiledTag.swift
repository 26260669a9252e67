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
    /// What can stand before the separator.
    let beforeSeparator: ByteSet
    /// Whether two digits of a date stand before the separator.
    let hasTwoDigits: Bool
    /// What stands before the digits before the separator; nil if there are none, or it can be several things.
    let beforeNumber: UInt8?
    /// Whether a weak tag before it in the table is spelled the same.
    var isRepeated = false
    /// What the literals are made of, and what the fields must have.
    let needed: ByteMask
    let strength: ConflictName.Strength
    let ignoresCase: Bool
    let takesDotfiles: Bool
    let keepsLongExtensions: Bool

    init(grammar: Int, _ rules: ConflictGrammar, _ elements: Range<Int>, _ list: [TagElement], _ pool: [UInt8]) {
        self.grammar = grammar
        self.elements = elements
        strength = rules.strength
        ignoresCase = rules.ignoresCase
        takesDotfiles = rules.takesDotfiles
        keepsLongExtensions = rules.keepsLongExtensions
        leastCount = list[elements].reduce(0) { $0 + $1.leastCount }
        var needed = ByteMask()
        for element in list[elements] {
            switch element {
            case .literal(let first, let count): for byte in pool[first..<first + count] { needed.insert(byte) }
            case .text(let rule): for byte in rule.needed { needed.insert(byte) }
            case .characters, .number, .time, .monthName: break
            }
        }
        self.needed = needed
        hasTwoDigits = Self.endsWithTime(list[elements], pool)
        beforeNumber = Self.byteBeforeNumber(list[elements], pool)
        (endingRun, separator, beforeSeparator) = Self.ending(of: list[elements], pool)
    }

    /// Whether the separator is the first byte of the last literal, and a part of a date stands before it.
    private static func endsWithTime(_ elements: ArraySlice<TagElement>, _ pool: [UInt8]) -> Bool {
        guard elements.count > 1, case .literal(let start, _) = elements.last, !pool[start].isASCIIAlphanumeric,
            case .time = elements[elements.endIndex - 2], case .literal(_, 1) = elements.last
        else { return false }
        return true
    }

    /// If the separator is the last literal, digits stand before it, and a literal before those.
    private static func byteBeforeNumber(_ elements: ArraySlice<TagElement>, _ pool: [UInt8])
        -> UInt8?
    {
        guard case .literal(let start, 1) = elements.last, !pool[start].isASCIIAlphanumeric else {
            return nil
        }
        let rest = elements.dropLast()
        let digits = rest.reversed().prefix { element in
            switch element {
            case .number, .time: true
            default: false
            }
        }
        guard !digits.isEmpty, case .literal(let before, let count) = rest.dropLast(digits.count).last
        else { return nil }
        let byte = pool[before + count - 1]
        // A letter may be of either case, and a digit is taken for the number's.
        return byte.isASCIIAlphanumeric ? nil : byte
    }

    private static func ending(
        of elements: ArraySlice<TagElement>, _ pool: [UInt8]
    ) -> (run: ClosedRange<Int>, separator: UInt8?, before: ByteSet) {
        var run = 0...0
        for (place, element) in zip(elements.indices, elements).reversed() {
            let ending = element.ending(pool)
            run = run.lowerBound + ending.run.lowerBound...run.upperBound + ending.run.upperBound
            if ending.isAll { continue }
            guard let separator = ending.separator else { break }
            if let before = ending.before { return (run, separator, ByteSet([before])) }
            let left = place > elements.startIndex ? elements[place - 1].lastBytes(pool) : .all
            return (run, separator, left)
        }
        return (run.lowerBound...Int(Int32.max), nil, .all)
    }
}

/// Some of the 256 bytes.
struct ByteSet: Sendable {
    private var words = SIMD4<UInt64>()

    static let all = ByteSet(UInt8.min...UInt8.max)

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }
    }

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] & 1 &<< UInt64(byte & 63) != 0 }
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

    /// With how many letters and digits it ends, whether that is all of it, and the two bytes before them if they are known.
    fileprivate func ending(
        _ pool: [UInt8]
    ) -> (run: ClosedRange<Int>, isAll: Bool, separator: UInt8?, before: UInt8?) {
        switch self {
        case .literal(let start, let count):
            let bytes = Array(pool[start..<start + count].reversed())
            let run = bytes.prefix { $0.isASCIIAlphanumeric }.count
            let (separator, before) = (bytes.dropFirst(run).first, bytes.dropFirst(run + 1).first)
            return (run...run, run == count, separator, before)
        case .characters(let characters, let least, let most):
            return characters.isAlphanumeric ? (least...most, true, nil, nil) : (0...0, false, nil, nil)
        case .number(let range):
            return (String(range.lowerBound).count...String(range.upperBound).count, true, nil, nil)
        case .time(let part): return (part.width...part.width, true, nil, nil)
        case .text, .monthName: return (0...0, false, nil, nil)
        }
    }

    /// What it can end with.
    fileprivate func lastBytes(_ pool: [UInt8]) -> ByteSet {
        switch self {
        case .literal(let start, let count): ByteSet([pool[start + count - 1]])
        case .characters(let characters, _, _): ByteSet((UInt8.min...UInt8.max).filter(characters.contains))
        case .number, .time: ByteSet((UInt8.min...UInt8.max).filter(\.isASCIIDigit))
        case .text, .monthName: .all
        }
    }
}
