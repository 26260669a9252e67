/// All grammars, ready to be compared with names: which spellings can end in the way a name does is looked up, not tried.
final class ConflictTable: Sendable {
    static let shared = ConflictTable(ConflictGrammar.all)

    let grammars: [ConflictGrammar]
    let elements: [TagElement]
    let pool: [UInt8]
    let tags: [CompiledTag]
    /// The tags that can end with anything: a device's name.
    let unspecific: [CompiledTag]
    /// Patterns that are none; tests see to it that there are none.
    let unreadable: [String]
    private let bySeparator: [TagBucket]

    init(_ grammars: [ConflictGrammar]) {
        var (elements, pool, tags, unreadable) = ([TagElement](), [UInt8](), [CompiledTag](), [String]())
        for (place, grammar) in grammars.enumerated() {
            for text in grammar.patterns {
                guard let pattern = TagPattern(text) else {
                    unreadable.append(text)
                    continue
                }
                for spelling in pattern.spellings {
                    let start = elements.count
                    for part in spelling { elements.append(Self.element(part, &pool)) }
                    tags.append(CompiledTag(grammar: place, grammar, start..<elements.count, elements, pool))
                }
            }
        }
        self.grammars = grammars
        self.elements = elements
        self.pool = pool
        tags.markRepeated(elements, pool, grammars)
        self.tags = tags
        self.unreadable = unreadable
        unspecific = tags.filter { $0.separator == nil }
        bySeparator = (UInt8.min...UInt8.max).map { TagBucket(tags, separator: $0) }
    }

    private static func element(_ part: TagPattern.Part, _ pool: inout [UInt8]) -> TagElement {
        switch part {
        case .element(let element): return element
        case .literal(let text):
            let start = pool.count
            pool.append(contentsOf: text.utf8)
            return .literal(start: start, count: pool.count - start)
        }
    }

    /// Calls `body` with each tag that can end where the region ends.
    ///
    /// - Parameter mask: Of the region or of more; made when it is first needed.
    @inline(__always)
    func forEachTag(
        endingLike region: UnsafeRawBufferPointer, _ mask: inout ByteMask?, _ body: (borrowing CompiledTag) -> Void
    ) {
        var place = region.count - 1
        while place >= 0, region[place].isASCIIAlphanumeric { place -= 1 }
        if place < 1 { return }
        let run = region.count - 1 - place
        let before = region[place - 1]
        let before2 = place > 1 ? region[place - 2] : 0
        let separator = Int(region[place])
        bySeparator.withUnsafeBufferPointer { buckets in
            if buckets[separator].isEmpty { return }
            let made = mask ?? ByteMask(region)
            mask = made
            buckets[separator].forEach(in: made, count: region.count, run: run) { place in
                guard tags[place].beforeSeparator.contains(before) else { return }
                if tags[place].hasTwoDigits, !before2.isASCIIDigit { return }
                body(tags[place])
            }
        }
    }
}

extension [CompiledTag] {
    /// Marks the weak tags that are spelled as one before them.
    fileprivate mutating func markRepeated(_ list: [TagElement], _ pool: [UInt8], _ grammars: [ConflictGrammar]) {
        var seen: Set<Spelling> = []
        for place in indices where grammars[self[place].grammar].strength == .weak {
            let tag = self[place]
            let literals = list[tag.elements].map { element -> [UInt8] in
                if case .literal(let start, let count) = element { [UInt8](pool[start..<start + count]) } else { [] }
            }
            let elements = list[tag.elements].map { element -> TagElement in
                if case .literal = element { .literal(start: 0, count: 0) } else { element }
            }
            let options = [tag.ignoresCase, tag.takesDotfiles, tag.keepsLongExtensions]
            let spelling = Spelling(elements: elements, literals: literals, options: options)
            if !seen.insert(spelling).inserted { self[place].isRepeated = true }
        }
    }
}

/// What a tag matches, wherever its literals are kept.
private struct Spelling: Hashable {
    var elements: [TagElement]
    var literals: [[UInt8]]
    var options: [Bool]
}
