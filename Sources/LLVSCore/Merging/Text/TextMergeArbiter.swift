/// Merges values that are text line by line, so that two people who edit two places of one text both get their edits.
///
/// In each conflict it compares both sides' lines with the base's (diff3): what one side changed is that side's, also next to a
/// line that the other changed, and what both changed alike is there once. Edits of the same lines conflict, and different
/// insertions at one place. By default a conflict keeps *both* sides' lines, so that nothing is lost and no text gains marks
/// that a program does not understand.
///
/// Lines end with a line feed, or a carriage return and one; ends are kept as they are and count when lines are compared.
/// Whether the last line has an end is merged by itself. Where the base is not known (both sides inserted the value, or the common
/// ancestors disagree about it), the lines that both sides have are taken for it, and nothing counts as removed.
///
/// Values that are not UTF-8 or contain a NUL go to another arbiter, as do those that one side removed, and those that are
/// too large. The result depends on the three texts alone, not on which of the sides is first.
public struct TextMergeArbiter: MergeArbiter {
    /// Lines that both sides changed differently.
    public struct Conflict: Hashable, Sendable {
        /// The value.
        public let id: Value.ID
        /// The lines that the base had there, with their ends; empty if none.
        public let base: String
        /// The first side's lines. What both sides begin and end with is left out.
        public let first: String
        /// The second side's lines.
        public let second: String
        /// The side whose value was stored more recently.
        public let moreRecent: Value.Fork.Side
    }

    /// What becomes of a conflict.
    public enum ConflictHandling: Sendable {
        /// The lines of both sides, those first whose bytes come first.
        case both
        /// The same between the marks that diff3 and git use: `<<<<<<<`, one side, `|||||||`, the base, `=======`, the other
        /// side, `>>>>>>>`. For people who edit the text afterwards.
        case markers
        /// What this returns; a last line without an end is given one. It must be a pure function; see ``MergeArbiter``.
        case custom(@Sendable (Conflict) throws -> String)
    }

    private let handling: ConflictHandling
    private let maximumByteCount: Int
    private let fallback: any MergeArbiter

    /// An arbiter for text.
    /// - Parameters:
    ///   - conflicts: what becomes of conflicts.
    ///   - maximumByteCount: larger contents go to `fallback`; at most 1 GiB. Texts of nothing but empty lines take some
    ///     hundred times this in memory, others a few times.
    ///   - fallback: for values that this does not merge.
    public init(
        conflicts handling: ConflictHandling = .both, maximumByteCount: Int = 1_048_576,
        otherwise fallback: any MergeArbiter = MostRecentChangeArbiter()
    ) {
        self.handling = handling
        // Lines are counted in 32 bits.
        self.maximumByteCount = min(maximumByteCount, 1 << 30)
        self.fallback = fallback
    }

    /// The merged texts of every conflict, in bounded time: of texts that differ nearly everywhere and repeat the same lines
    /// again and again, a part may count as replaced as a whole.
    /// - Throws: what a custom handling and `fallback` throw.
    public func changes(toResolve merge: Merge) throws -> [Value.Change] {
        try merge.changes(mergingUpTo: maximumByteCount, otherwise: fallback) { contents in
            let texts = [contents.base, contents.first, contents.second].compactMap(\.self)
            guard texts.allSatisfy({ $0.isValidUTF8 && !$0.contains(0) }) else { return nil }
            var merge = TextThreeWayMerge(base: contents.base, first: contents.first, second: contents.second)
            let bytes = try merge.merged { try lines(of: $0, in: contents) }
            return .update(Value(id: contents.id, bytes: bytes))
        }
    }

    private func lines(of hunk: TextThreeWayMerge.Hunk, in contents: Merge.Contents) throws -> [ArraySlice<UInt8>] {
        switch handling {
        case .both: return hunk.bothSides.flatMap(\.self)
        case .markers: return hunk.marked
        case .custom(let resolve):
            let text = { (lines: ArraySlice<ArraySlice<UInt8>>) in String(decoding: lines.joined(), as: UTF8.self) }
            let resolution = try resolve(
                Conflict(
                    id: contents.id, base: text(hunk.base), first: text(hunk.first), second: text(hunk.second),
                    moreRecent: contents.moreRecent))
            var bytes = [UInt8](resolution.utf8)
            if bytes.last.map({ $0 != UInt8(ascii: "\n") }) ?? false { bytes += hunk.lineEnd }
            return bytes.isEmpty ? [] : [bytes[...]]
        }
    }
}

extension TextThreeWayMerge.Hunk {
    /// Both sides' lines, in an order that does not depend on which side is first.
    var bothSides: [ArraySlice<ArraySlice<UInt8>>] {
        let ascends = !second.lexicographicallyPrecedes(first) { $0.lexicographicallyPrecedes($1) }
        return ascends ? [first, second] : [second, first]
    }

    /// How the conflict's lines end.
    var lineEnd: [UInt8] { TextLines.end(of: bothSides.compactMap(\.first).first) }

    /// Both sides and the base between marks.
    var marked: [ArraySlice<UInt8>] {
        func mark(_ character: Character) -> ArraySlice<UInt8> {
            (Array(String(repeating: character, count: 7).utf8) + lineEnd)[...]
        }
        let sides = bothSides
        return [mark("<")] + sides[0] + [mark("|")] + base + [mark("=")] + sides[1] + [mark(">")]
    }
}
