/// All grammars, ready to be compared with names: which spellings can end in the way a name does is looked up, not tried.
final class ConflictTable: Sendable {
    static let shared = ConflictTable(ConflictGrammar.all)

    let grammars: [ConflictGrammar]
    let elements: LastingTable<TagElement>
    let pool: LastingTable<UInt8>
    let tags: LastingTable<CompiledTag>
    /// The tags that can end with anything: a device's name.
    let unspecific: LastingTable<CompiledTag>
    /// Patterns that are none; tests see to it that there are none.
    let unreadable: [String]
    private let buckets: TagBuckets

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
        self.elements = LastingTable(elements)
        self.pool = LastingTable(pool)
        tags.markRepeated(elements, pool, grammars)
        self.tags = LastingTable(tags)
        self.unreadable = unreadable
        unspecific = LastingTable(tags.filter { $0.separator == nil })
        buckets = TagBuckets(tags)
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
    /// - Parameter mask: Of the region or of more.
    @inline(__always)
    func forEachTag(
        endingLike region: UnsafeRawBufferPointer, _ mask: ByteMask,
        _ body: (borrowing CompiledTag) -> Void
    ) {
        var place = region.count - 1
        while place >= 0, region[place].isASCIIAlphanumeric { place -= 1 }
        if place < 1 { return }
        let run = region.count - 1 - place
        let before = region[place - 1]
        let before2 = place > 1 ? region[place - 2] : 0
        var number = place
        while number > 0, region[number - 1].isASCIIDigit { number -= 1 }
        let opening = number == place ? nil : number > 0 ? region[number - 1] : 0
        buckets[region[place], opening].forEach(in: mask, count: region.count, run: run) { place in
            guard tags[place].beforeSeparator.contains(before) else { return }
            if tags[place].hasTwoDigits, !before2.isASCIIDigit { return }
            body(tags[place])
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
