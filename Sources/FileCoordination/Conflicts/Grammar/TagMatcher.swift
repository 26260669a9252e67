/// A tag that was found: where it begins, and what it says.
struct TagMatch {
    var start: Int
    var facts: TagFacts
}

/// A few matches. Nearly always it is one, which costs no allocation.
struct TagMatches {
    private(set) var first: TagMatch?
    /// Nil, not empty, so that nothing is counted up and down.
    private var others: [TagMatch]?

    var count: Int { first == nil ? 0 : 1 + (others?.count ?? 0) }

    mutating func append(_ match: TagMatch) {
        if first == nil { first = match } else { others = (others ?? []) + [match] }
    }

    mutating func reverse() {
        guard let first, let last = others?.popLast() else { return }
        others = (others ?? []).reversed() + [first]
        self.first = last
    }

    subscript(index: Int) -> TagMatch? { index == 0 ? first : others?[index - 1] }
}

/// What the fields of a tag said; small, for it is copied for every tag that is tried. Names have at most 1,024 bytes, and
/// numbers in tags four digits.
struct TagFacts {
    var year: Int16?
    var month: Int16?
    var day: Int16?
    var hour: Int16?
    var minute: Int16?
    var second: Int16?
    /// The month has a name that is not known, or a foreign one: its length is not held against the day.
    var monthIsLoose = false
    var who: Range<Int16>?
    var number: Int16?

    /// Whether the date, if there is one, is in the calendar.
    var isPossible: Bool {
        guard year != nil, day != nil else { return true }
        return date(month: monthIsLoose ? 1 : month ?? 1, isUTC: false) != nil
    }

    func date(isUTC: Bool) -> ConflictDate? { date(month: month, isUTC: isUTC) }

    private func date(month: Int16?, isUTC: Bool) -> ConflictDate? {
        guard let year, let month, let day else { return nil }
        return ConflictDate(
            year: Int(year), month: Int(month), day: Int(day), hour: hour.map { Int($0) },
            minute: minute.map { Int($0) }, second: second.map { Int($0) }, isUTC: isUTC)
    }
}

/// Compares a tag with the end of a text, from right to left: what is left of it is anything.
///
/// Holds no reference, which would be counted for every tag that is tried on every name; the table is handed down instead.
struct TagMatcher {
    private let elements: Range<Int>
    private let isStrong: Bool
    private let ignoresCase: Bool
    private let text: UnsafeRawBufferPointer
    /// Whether parentheses in a text field come in pairs. They do in nearly every name, and tell where the tag begins.
    private var needsPairs = true
    private var matches = TagMatches()

    /// So many ways to split a name are looked at.
    private static let mostMatches = 8

    init(_ tag: borrowing CompiledTag, _ text: UnsafeRawBufferPointer) {
        elements = tag.elements
        isStrong = tag.strength == .strong
        ignoresCase = tag.ignoresCase
        self.text = text
    }

    /// The ways the tag can end at the text's end, the likeliest first.
    mutating func run(_ table: ConflictTable, _ deviceNames: Set<String>) -> TagMatches {
        step(elements.upperBound - 1, text.count, TagFacts(), table, deviceNames)
        if isStrong, matches.count == 0 {
            needsPairs = false
            step(elements.upperBound - 1, text.count, TagFacts(), table, deviceNames)
        }
        return matches
    }

    private mutating func step(
        _ place: Int, _ end: Int, _ facts: TagFacts, _ table: ConflictTable, _ deviceNames: Set<String>
    ) {
        var (place, end, facts) = (place, end, facts)
        while place >= elements.lowerBound {
            let start: Int?
            switch table.elements[place] {
            case .literal(let first, let count): start = literal(first, count, end, table)
            case .text(let rule): return search(rule, place, end, facts, table, deviceNames)
            case .characters(let characters, let least, let most): start = run(of: characters, least, most, end)
            case .number(let range): start = number(range, end, &facts.number)
            case .time(let part): start = time(part, end, &facts)
            case .monthName: start = monthName(end, &facts)
            }
            guard let start else { return }
            place -= 1
            end = start
        }
        if facts.isPossible { matches.append(TagMatch(start: end, facts: facts)) }
    }

    /// Looks for what stands before a text field, from right to left.
    private mutating func search(
        _ rule: TagText, _ place: Int, _ end: Int, _ facts: TagFacts, _ table: ConflictTable,
        _ deviceNames: Set<String>
    ) {
        guard place > elements.lowerBound, case .literal(let first, let count) = table.elements[place - 1] else {
            return
        }
        var open = 0
        var start = end - 1
        let firstMatch = matches.count
        while start >= count {
            let byte = text[start]
            if needsPairs, byte == UInt8(ascii: ")") { open += 1 }
            if needsPairs, byte == UInt8(ascii: "(") {
                // What opens here closes outside the text, so that the text ends before it.
                if open == 0 { break }
                open -= 1
            }
            if open == 0, literal(first, count, start, table) != nil,
                rule.accepts(UnsafeRawBufferPointer(rebasing: text[start..<end]), deviceNames: deviceNames)
            {
                var found = facts
                found.who = Int16(truncatingIfNeeded: start)..<Int16(truncatingIfNeeded: end)
                step(place - 1, start, found, table, deviceNames)
                // A mark of its own is nearest to the right; a lone separator may be the text's own.
                if count > 3 || matches.count - firstMatch >= Self.mostMatches { break }
            }
            start -= 1
        }
        // A host's name seldom has fewer parts than it could have. There is one text in a tag.
        if rule == .host { matches.reverse() }
    }
}

extension TagMatcher {
    @inline(__always)
    private func literal(_ first: Int, _ count: Int, _ end: Int, _ table: ConflictTable) -> Int? {
        guard end >= count else { return nil }
        var left = count
        while left > 0 {
            left -= 1
            let (byte, wanted) = (text[end - count + left], table.pool[first + left])
            if byte == wanted { continue }
            guard ignoresCase, byte.isASCIILetter, byte | 0x20 == wanted | 0x20 else { return nil }
        }
        return end - count
    }

    private func run(of characters: TagCharacters, _ least: Int, _ most: Int, _ end: Int) -> Int? {
        var start = end
        var hasDigit = false
        while start > 0, end - start < most, characters.contains(text[start - 1]) {
            start -= 1
            if text[start].isASCIIDigit { hasDigit = true }
        }
        return end - start >= least && (hasDigit || !characters.needsDigit) ? start : nil
    }

    private func number(_ range: ClosedRange<Int>, _ end: Int, _ number: inout Int16?) -> Int? {
        var start = end
        while start > 0, end - start < 10, text[start - 1].isASCIIDigit { start -= 1 }
        guard start < end, end - start < 10, text[start] != UInt8(ascii: "0") else { return nil }
        let value = text[start..<end].reduce(0) { $0 * 10 + Int($1 & 15) }
        guard range.contains(value) else { return nil }
        number = Int16(exactly: value)
        return start
    }

    private func time(_ part: TagTimePart, _ end: Int, _ facts: inout TagFacts) -> Int? {
        let start = end - part.width
        guard start >= 0 else { return nil }
        var value: Int16 = 0
        for byte in text[start..<end] {
            guard byte.isASCIIDigit else { return nil }
            value = value * 10 + Int16(byte & 15)
        }
        switch part {
        case .year: facts.year = value
        case .month: facts.month = value
        case .day: facts.day = value
        case .hour: facts.hour = value
        case .minute: facts.minute = value
        case .second: facts.second = value
        case .fraction: break
        }
        return start
    }

    private func monthName(_ end: Int, _ facts: inout TagFacts) -> Int? {
        var start = end
        var hasLetter = false
        while start > 0, end - start < 16 {
            let byte = text[start - 1]
            let isLetter = byte.isASCIILetter || byte >= 0x80
            guard isLetter || byte.isASCIIDigit || byte == UInt8(ascii: ".") else { break }
            if isLetter { hasLetter = true }
            start -= 1
        }
        guard hasLetter else { return nil }
        let known = MonthName.number(UnsafeRawBufferPointer(rebasing: text[start..<end]))
        facts.month = known.map { Int16($0.month) }
        facts.monthIsLoose = known?.isEnglish != true
        return start
    }
}
