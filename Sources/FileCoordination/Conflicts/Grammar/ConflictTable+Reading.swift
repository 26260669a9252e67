extension ConflictTable {
    private static let longestName = 1024

    /// Whether the name has a reading; without making strings.
    func mayBeConflict(_ name: UnsafeRawBufferPointer, deviceNames: Set<String>) -> Bool {
        var found = false
        forEachMatch(in: name, deviceNames) { _, _, _ in found = true }
        return found
    }

    /// All readings, the best first.
    func readings(of name: UnsafeRawBufferPointer, deviceNames: Set<String>) -> [ConflictName] {
        var found: [ConflictName] = []
        forEachMatch(in: name, deviceNames) { grammar, match, end in
            if let reading = reading(name, grammars[grammar], match, end) { found.append(reading) }
        }
        var result: [ConflictName] = []
        // Sorting is by strength alone, and keeps the table's order otherwise.
        for strength in ConflictName.Strength.allCases.reversed() {
            for reading in found where reading.strength == strength { result.merge(reading) }
        }
        return result
    }

    /// Each tag at the end of the name, and at the end of what is before its last extension.
    @inline(__always)
    private func forEachMatch(
        in name: UnsafeRawBufferPointer, _ deviceNames: Set<String>, _ body: (Int, TagMatch, Int) -> Void
    ) {
        guard name.count <= Self.longestName else { return }
        forEachMatch(in: name, before: name.count, deviceNames) { tag, match in body(tag.grammar, match, name.count) }
        guard let dot = name.lastDot(before: name.count), dot > 0 else { return }
        forEachMatch(in: name, before: dot, deviceNames) { tag, match in body(tag.grammar, match, dot) }
        guard let other = name.lastDot(before: dot), other > 0, name.isShortExtension(other + 1..<dot) else { return }
        forEachMatch(in: name, before: other, deviceNames) { tag, match in
            if tag.keepsLongExtensions { body(tag.grammar, match, other) }
        }
    }

    @inline(__always)
    private func forEachMatch(
        in name: UnsafeRawBufferPointer, before end: Int, _ deviceNames: Set<String>,
        _ body: (CompiledTag, TagMatch) -> Void
    ) {
        let text = UnsafeRawBufferPointer(rebasing: name[..<end])
        forEachTag(endingLike: text) { tag in
            var matcher = TagMatcher(self, tag, text, deviceNames)
            for match in matcher.run() {
                // An extension of its own stands for the base of a dotfile.
                if match.start > 0 || tag.takesDotfiles && end < name.count - 1 { body(tag, match) }
            }
        }
    }

    private func reading(
        _ name: UnsafeRawBufferPointer, _ grammar: ConflictGrammar, _ match: TagMatch, _ end: Int
    ) -> ConflictName? {
        guard let base = String(validating: name[..<match.start], as: UTF8.self),
            let rest = String(validating: name[end...], as: UTF8.self)
        else { return nil }
        return ConflictName(
            original: base + rest, services: grammar.services, kind: grammar.kind, strength: grammar.strength,
            date: match.facts.date(isUTC: grammar.isUTC),
            who: match.facts.who.flatMap { String(validating: name[$0], as: UTF8.self) }, number: match.facts.number,
            mayBeCut: grammar.cutsFrom.map { name.count >= $0 } ?? false)
    }
}

extension [ConflictName] {
    /// Two readings of one strength that leave the same original are one, of several services.
    fileprivate mutating func merge(_ reading: ConflictName) {
        guard let place = firstIndex(where: { $0.original.utf8.elementsEqual(reading.original.utf8) }) else {
            append(reading)
            return
        }
        guard self[place].strength == reading.strength else { return }
        for service in reading.services where !self[place].services.contains(service) {
            self[place].services.append(service)
        }
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func lastDot(before end: Int) -> Int? {
        var place = end
        while place > 0 {
            place -= 1
            if self[place] == UInt8(ascii: ".") { return place }
        }
        return nil
    }

    /// `tar`, `fd`, `7z`: what can stand before another extension.
    fileprivate func isShortExtension(_ range: Range<Int>) -> Bool {
        (1...5).contains(range.count) && self[range].allSatisfy(\.isASCIIAlphanumeric)
    }
}
