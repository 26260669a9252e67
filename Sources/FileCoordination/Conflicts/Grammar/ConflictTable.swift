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
    /// The tags by the byte before the letters and digits at their end, then by place in the table.
    private let bySeparator: [[CompiledTag]]

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
        self.tags = tags
        self.unreadable = unreadable
        unspecific = tags.filter { $0.separator == nil }
        bySeparator = (UInt8.min...UInt8.max).map { byte in tags.filter { $0.separator == byte } }
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
    @inline(__always)
    func forEachTag(endingLike region: UnsafeRawBufferPointer, _ body: (CompiledTag) -> Void) {
        var place = region.count - 1
        while place >= 0, region[place].isASCIIAlphanumeric { place -= 1 }
        if place < 1 { return }
        let run = region.count - 1 - place
        let before = region[place - 1]
        let bucket = bySeparator[Int(region[place])]
        // Not by element: a tag is large to copy, and nearly all are passed over.
        for place in bucket.indices
        where bucket[place].endingRun.contains(run) && bucket[place].leastCount <= region.count
            && bucket[place].beforeSeparator.contains(before)
        {
            body(bucket[place])
        }
    }
}
