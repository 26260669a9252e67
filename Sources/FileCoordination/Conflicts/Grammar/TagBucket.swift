/// The tags by the byte before the letters and digits at their end, the separator, and by what stands before the digits that
/// stand before it: `(2)`, `-2)` and `y)` are no matter of each other's tags.
struct TagBuckets: Sendable {
    /// Which column of ``rows`` a byte before digits has; the first is for no digits, the second for any other byte.
    private let columns: LastingTable<UInt8>
    private let width: Int
    /// For each separator a row of buckets.
    private let rows: LastingTable<TagBucket>

    init(_ tags: [CompiledTag]) {
        let openings = Set(tags.compactMap(\.beforeNumber)).sorted()
        width = openings.count + 2
        columns = LastingTable(
            (UInt8.min...UInt8.max).map { byte in openings.firstIndex(of: byte).map { UInt8($0 + 2) } ?? 1 })
        var rows: [TagBucket] = []
        let separators = Set(tags.compactMap(\.separator))
        for separator in UInt8.min...UInt8.max {
            if !separators.contains(separator) {
                rows += [TagBucket](repeating: TagBucket([], separator: separator), count: width)
                continue
            }
            rows.append(TagBucket(tags, separator: separator) { $0.canFollow(digits: false) })
            for opening in [nil] + openings.map({ $0 }) {
                rows.append(
                    TagBucket(tags, separator: separator) { tag in
                        tag.canFollow(digits: true) && (tag.beforeNumber == nil || tag.beforeNumber == opening)
                    })
            }
        }
        self.rows = LastingTable(rows)
    }

    /// - Parameter opening: What stands before the digits before the separator; nil if there are none.
    subscript(separator: UInt8, opening: UInt8?) -> TagBucket {
        @inline(__always) get { rows[Int(separator) * width + (opening.map { Int(columns[Int($0)]) } ?? 0)] }
    }
}

extension CompiledTag {
    /// Whether a digit, or anything else, can stand before the separator.
    fileprivate func canFollow(digits: Bool) -> Bool {
        if digits { return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(where: beforeSeparator.contains) }
        return (UInt8.min...UInt8.max).contains { !$0.isASCIIDigit && beforeSeparator.contains($0) }
    }
}

/// Tags that end alike, in the order of the table, with what lets nearly all of them be passed over without being touched.
struct TagBucket: Sendable {
    private struct Entry {
        let needed: ByteMask
        let leastCount: UInt16
        let leastRun: UInt8
        let mostRun: UInt8
        let place: UInt32
    }

    /// Neighbours, and what all of them need: nearly all names are without it.
    private struct Group {
        var needed: ByteMask
        var end: Int
    }

    private let entries: LastingTable<Entry>
    private let groups: LastingTable<Group>

    /// - Parameters:
    ///   - tags: All tags of the table.
    ///   - separator: The byte that those of the bucket have.
    ///   - isMeant: What else they have.
    init(
        _ tags: [CompiledTag], separator: UInt8, where isMeant: (CompiledTag) -> Bool = { _ in true }
    ) {
        let entries: [Entry] = tags.enumerated().compactMap { place, tag in
            guard tag.separator == separator, isMeant(tag) else { return nil }
            return Entry(
                needed: tag.needed, leastCount: UInt16(clamping: tag.leastCount),
                leastRun: UInt8(clamping: tag.endingRun.lowerBound), mostRun: UInt8(clamping: tag.endingRun.upperBound),
                place: UInt32(truncatingIfNeeded: place))
        }
        self.entries = LastingTable(entries)
        groups = LastingTable(Self.groups(of: entries))
    }

    /// Neighbours are alike: one service's spellings. A group ends where it would have too little in common.
    private static func groups(of entries: [Entry]) -> [Group] {
        var groups: [Group] = []
        for (place, entry) in entries.enumerated() {
            if let last = groups.last {
                let common = last.needed.intersection(entry.needed)
                if common.count >= 5 || common == last.needed {
                    groups[groups.count - 1] = Group(needed: common, end: place + 1)
                    continue
                }
            }
            groups.append(Group(needed: entry.needed, end: place + 1))
        }
        return groups
    }

    /// Calls `body` with the place of each tag that a text of these bytes, this length and this ending run can end with.
    @inline(__always)
    func forEach(in text: ByteMask, count: Int, run: Int, _ body: (Int) -> Void) {
        let run = UInt8(clamping: run)
        var start = 0
        for place in groups.indices {
            let end = groups[place].end
            defer { start = end }
            if !text.contains(groups[place].needed) { continue }
            for place in start..<end {
                let entry = entries[place]
                if text.contains(entry.needed), entry.leastRun <= run, run <= entry.mostRun,
                    Int(entry.leastCount) <= count
                {
                    body(Int(entry.place))
                }
            }
        }
    }
}
