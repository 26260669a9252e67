extension ConflictTable {
    private static let longestName = 1024

    /// Whether the name has a reading; without making strings.
    func mayBeConflict(_ name: UnsafeRawBufferPointer, deviceNames: Set<String>) -> Bool {
        var found = false
        forEachMatch(in: name, deviceNames) { _, _, _ in found = true }
        return found
    }

    /// Whether the name's mark is worth something alone, or `exists` for what is left without it; without making strings.
    ///
    /// Most names that end in a number stop here. Letters beyond ASCII, which have more than one spelling, do not.
    func mayHaveEvidence(
        _ name: UnsafeRawBufferPointer, deviceNames: Set<String>, depth: Int = 0,
        exists: (UnsafeRawBufferPointer) -> Bool
    ) -> Bool {
        if depth == 0, name.contains(where: { $0 >= 0x80 }) { return true }
        var found = false
        forEachMatch(in: name, deviceNames) { grammar, match, end in
            if found { return }
            if depth == 0, grammars[grammar].strength != .weak {
                found = true
                return
            }
            withUnsafeTemporaryAllocation(byteCount: name.count, alignment: 1) { buffer in
                buffer[..<match.start].copyBytes(from: name[..<match.start])
                UnsafeMutableRawBufferPointer(rebasing: buffer[match.start...]).copyBytes(from: name[end...])
                let base = UnsafeRawBufferPointer(rebasing: buffer[..<(match.start + name.count - end)])
                found = exists(base)
                if !found, depth < 4 {
                    found = mayHaveEvidence(base, deviceNames: deviceNames, depth: depth + 1, exists: exists)
                }
            }
        }
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
        let mayHaveDevice = name.contains(UInt8(ascii: "-")) && (!deviceNames.isEmpty || DeviceName.mayBeIn(name))
        forEachMatch(in: name, before: name.count, mayHaveDevice, deviceNames) { tag, match in
            body(tag.grammar, match, name.count)
        }
        guard let dot = name.lastDot(before: name.count), dot > 0 else { return }
        forEachMatch(in: name, before: dot, mayHaveDevice, deviceNames) { tag, match in body(tag.grammar, match, dot) }
        guard let other = name.lastDot(before: dot), other > 0, name.isShortExtension(other + 1..<dot) else { return }
        forEachMatch(in: name, before: other, false, deviceNames) { tag, match in
            if tag.keepsLongExtensions { body(tag.grammar, match, other) }
        }
    }

    @inline(__always)
    private func forEachMatch(
        in name: UnsafeRawBufferPointer, before end: Int, _ mayHaveDevice: Bool, _ deviceNames: Set<String>,
        _ body: (CompiledTag, TagMatch) -> Void
    ) {
        let text = UnsafeRawBufferPointer(rebasing: name[..<end])
        func match(_ tag: CompiledTag) {
            var matcher = TagMatcher(self, tag, text, deviceNames)
            matcher.run().visit { match in
                // An extension of its own stands for the base of a dotfile.
                if match.start > 0 || tag.takesDotfiles && end < name.count - 1 { body(tag, match) }
            }
        }
        forEachTag(endingLike: text, match)
        if mayHaveDevice { for tag in unspecific { match(tag) } }
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
