import Foundation

/// The ways a pattern can be spelled out, each a row of parts without options.
struct TagPattern {
    enum Part: Hashable {
        case literal(String)
        case element(TagElement)
    }

    /// With each option taken first, then without.
    let spellings: [[Part]]

    /// Nil if the pattern is not one; see ``ConflictGrammar``.
    init?(_ pattern: String) {
        var rest = pattern[...]
        guard let spellings = Self.parse(&rest), rest.isEmpty else { return nil }
        self.spellings = spellings.flatMap(Self.inBothNormalForms)
    }

    private static func parse(_ rest: inout Substring) -> [[Part]]? {
        var rows: [[Part]] = [[]]
        while let next = rest.first, next != ">" {
            if next == "<" {
                rest.removeFirst()
                guard let option = parse(&rest), rest.popFirst() == ">" else { return nil }
                rows = rows.flatMap { row in option.map { row + $0 } + [row] }
            } else if next == "{" {
                rest.removeFirst()
                guard let end = rest.firstIndex(of: "}"), let field = field(rest[..<end]) else { return nil }
                rest = rest[rest.index(after: end)...]
                rows = rows.map { $0 + field }
            } else {
                let text = rest.prefix { !"<>{".contains($0) }
                rest = rest.dropFirst(text.count)
                rows = rows.map { $0 + [.literal(String(text))] }
            }
        }
        return rows
    }

    private static func field(_ field: Substring) -> [Part]? {
        let parts = field.split(separator: ":", maxSplits: 1)
        guard let name = parts.first else { return nil }
        if let text = TagText(rawValue: String(name)) { return [.element(.text(text))] }
        if name == "mon" { return [.element(.monthName)] }
        if name == "n" {
            let range = parts.count > 1 ? range(parts[1]) : 1...9999
            return range.map { [.element(.number($0))] }
        }
        if let characters = TagCharacters(rawValue: String(name)) {
            guard parts.count > 1, let range = range(parts[1]) else { return nil }
            return [.element(.characters(characters, atLeast: range.lowerBound, atMost: range.upperBound))]
        }
        return time(field)
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-").compactMap { Int($0) }
        guard let first = ends.first, let last = ends.last, first <= last, ends.count <= 2 else { return nil }
        return first...last
    }

    private static func time(_ format: Substring) -> [Part]? {
        var parts: [Part] = []
        var rest = format
        while let next = rest.first {
            if let part = TagTimePart(rawValue: next) {
                guard rest.prefix(while: { $0 == next }).count == part.width else { return nil }
                parts.append(.element(.time(part)))
                rest = rest.dropFirst(part.width)
            } else {
                parts.append(.literal(String(next)))
                rest = rest.dropFirst()
            }
        }
        return parts.contains { if case .element = $0 { true } else { false } } ? parts : nil
    }

    /// Macs spell accented letters and Hangul decomposed.
    private static func inBothNormalForms(_ row: [Part]) -> [[Part]] {
        func mapped(_ change: (String) -> String) -> [Part] {
            row.map { if case .literal(let text) = $0 { .literal(change(text)) } else { $0 } }
        }
        let composed = mapped(\.precomposedStringWithCanonicalMapping)
        let decomposed = mapped(\.decomposedStringWithCanonicalMapping)
        return bytes(composed) == bytes(decomposed) ? [composed] : [composed, decomposed]
    }

    private static func bytes(_ row: [Part]) -> [[UInt8]] {
        row.map { if case .literal(let text) = $0 { Array(text.utf8) } else { [] } }
    }
}
