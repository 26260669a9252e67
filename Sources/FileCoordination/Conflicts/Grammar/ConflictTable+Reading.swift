extension ConflictTable {
    private static let longestName = 1024
    /// So many marks below the outermost one are looked through.
    private static let mostTags = 4

    /// Whether the name has a reading; without making strings.
    func mayBeConflict(_ name: UnsafeRawBufferPointer, deviceNames: Set<String>) -> Bool {
        var found = false
        forEachMatch(in: name, NameClues(name, deviceNames), deviceNames) { _, _, _ in found = true }
        return found
    }

    /// What the name is worth before it is known what lies beside it; without making strings.
    ///
    /// Of a name with weak marks only, which people give too, `base` gets each name one of which must be there: what is
    /// left without the mark, and without the marks beneath it.
    func evidence(
        in name: UnsafeRawBufferPointer, deviceNames: Set<String>, base: (UnsafeRawBufferPointer) -> Void
    ) -> NameEvidence {
        var evidence = NameEvidence.none
        let clues = NameClues(name, deviceNames)
        var last: Range<Int>?
        forEachMatch(in: name, clues, deviceNames, distinct: true) { tag, match, end in
            if evidence == .mark { return }
            if tag.strength != .weak {
                evidence = .mark
                return
            }
            evidence = .needsBase
            // Several services write the same mark.
            if last == match.start..<end { return }
            last = match.start..<end
            withoutTag(name, match.start, end) { forEachBase($0, clues, deviceNames, depth: 1, base) }
        }
        return evidence
    }

    /// - Parameter clues: Of the name or of a longer one that it is left of.
    private func forEachBase(
        _ name: UnsafeRawBufferPointer, _ clues: NameClues, _ deviceNames: Set<String>, depth: Int,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        body(name)
        if depth > Self.mostTags { return }
        var last: Range<Int>?
        forEachMatch(in: name, clues, deviceNames, distinct: true) { _, match, end in
            if last == match.start..<end { return }
            last = match.start..<end
            withoutTag(name, match.start, end) { forEachBase($0, clues, deviceNames, depth: depth + 1, body) }
        }
    }

    @inline(__always)
    private func withoutTag(
        _ name: UnsafeRawBufferPointer, _ start: Int, _ end: Int, _ body: (UnsafeRawBufferPointer) -> Void
    ) {
        withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { buffer in
            buffer[..<start].copyBytes(from: name[..<start])
            UnsafeMutableRawBufferPointer(rebasing: buffer[start...]).copyBytes(from: name[end...])
            body(UnsafeRawBufferPointer(rebasing: buffer[..<(start + name.count - end)]))
        }
    }

    /// All readings, the best first.
    func readings(of name: UnsafeRawBufferPointer, deviceNames: Set<String>) -> [ConflictName] {
        var found: [ConflictName] = []
        forEachMatch(in: name, NameClues(name, deviceNames), deviceNames) { tag, match, end in
            if let reading = reading(name, grammars[tag.grammar], match, end) { found.append(reading) }
        }
        var result: [ConflictName] = []
        // Sorting is by strength alone, and keeps the table's order otherwise.
        for strength in ConflictName.Strength.allCases.reversed() {
            for reading in found where reading.strength == strength { result.merge(reading) }
        }
        return result
    }

    /// Each tag at the end of the name, and at the end of what is before its last extension.
    ///
    /// - Parameter distinct: Whether of tags that match the same and are worth the same one is enough.
    @inline(__always)
    private func forEachMatch(
        in name: UnsafeRawBufferPointer, _ clues: NameClues, _ deviceNames: Set<String>, distinct: Bool = false,
        _ body: (borrowing CompiledTag, TagMatch, Int) -> Void
    ) {
        guard name.count <= Self.longestName else { return }
        forEachMatch(in: name, before: name.count, clues, deviceNames, distinct) { tag, match in
            body(tag, match, name.count)
        }
        guard let dot = name.lastDot(before: name.count), dot > 0 else { return }
        forEachMatch(in: name, before: dot, clues, deviceNames, distinct) { tag, match in
            body(tag, match, dot)
        }
        guard let other = name.lastDot(before: dot), other > 0, name.isShortExtension(other + 1..<dot) else { return }
        forEachMatch(in: name, before: other, clues.withoutDevice, deviceNames, distinct) { tag, match in
            if tag.keepsLongExtensions { body(tag, match, other) }
        }
    }

    @inline(__always)
    private func forEachMatch(
        in name: UnsafeRawBufferPointer, before end: Int, _ clues: NameClues, _ deviceNames: Set<String>,
        _ distinct: Bool, _ body: (borrowing CompiledTag, TagMatch) -> Void
    ) {
        let text = UnsafeRawBufferPointer(rebasing: name[..<end])
        func match(_ tag: borrowing CompiledTag) {
            if distinct, tag.isRepeated { return }
            var matcher = TagMatcher(tag, text)
            let matches = matcher.run(self, deviceNames)
            if matches.count == 0 { return }
            // An extension of its own stands for the base of a dotfile.
            let leastStart = tag.takesDotfiles && end < name.count - 1 ? 0 : 1
            for index in 0..<matches.count {
                if let match = matches[index], match.start >= leastStart { body(tag, match) }
            }
        }
        forEachTag(endingLike: text, clues.mask, match)
        if clues.mayHaveDevice { for place in unspecific.indices { match(unspecific[place]) } }
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
            who: match.facts.who.flatMap {
                String(validating: name[Int($0.lowerBound)..<Int($0.upperBound)], as: UTF8.self)
            },
            number: match.facts.number.map { Int($0) },
            mayBeCut: grammar.cutsFrom.map { name.count >= $0 } ?? false)
    }
}

/// What is known of a name, and so of what is left of it without its tag: it has no other bytes.
struct NameClues {
    private(set) var mask = ByteMask()
    /// Whether a device's name can be in it.
    private(set) var mayHaveDevice = false

    init(_ name: UnsafeRawBufferPointer, _ deviceNames: Set<String>) {
        // A device's name stands behind a hyphen.
        var hyphen = name.count
        for (place, byte) in name.enumerated() {
            mask.insert(byte)
            if byte == UInt8(ascii: "-") { hyphen = min(hyphen, place) }
        }
        if hyphen == name.count { return }
        mayHaveDevice =
            !deviceNames.isEmpty || DeviceName.mayBeIn(UnsafeRawBufferPointer(rebasing: name[(hyphen + 1)...]))
    }

    var withoutDevice: NameClues {
        var clues = self
        clues.mayHaveDevice = false
        return clues
    }
}

/// What a name is worth before it is known what lies beside it.
enum NameEvidence {
    /// An ordinary name.
    case none
    /// A mark that is worth a closer look, whatever lies beside it.
    case mark
    /// Marks that are worth nothing without an original.
    case needsBase
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
