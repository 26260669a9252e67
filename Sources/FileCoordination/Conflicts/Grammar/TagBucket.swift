/// The tags that have the same byte before the letters and digits at their end, in the order of the table, with what lets
/// nearly all of them be passed over without being touched.
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

    private let entries: [Entry]
    private let groups: [Group]

    /// - Parameters:
    ///   - tags: All tags of the table.
    ///   - separator: The byte that those of the bucket have.
    init(_ tags: [CompiledTag], separator: UInt8) {
        entries = tags.enumerated().compactMap { place, tag in
            guard tag.separator == separator else { return nil }
            return Entry(
                needed: tag.needed, leastCount: UInt16(clamping: tag.leastCount),
                leastRun: UInt8(clamping: tag.endingRun.lowerBound), mostRun: UInt8(clamping: tag.endingRun.upperBound),
                place: UInt32(truncatingIfNeeded: place))
        }
        groups = Self.groups(of: entries)
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

    var isEmpty: Bool { entries.isEmpty }

    /// Calls `body` with the place of each tag that a text of these bytes, this length and this ending run can end with.
    @inline(__always)
    func forEach(in text: ByteMask, count: Int, run: Int, _ body: (Int) -> Void) {
        let run = UInt8(clamping: run)
        // By pointers: iterating an array would count it up and down for every name.
        groups.withUnsafeBufferPointer { groups in
            entries.withUnsafeBufferPointer { entries in
                var start = 0
                for group in groups {
                    defer { start = group.end }
                    if !text.contains(group.needed) { continue }
                    for entry in entries[start..<group.end]
                    where text.contains(entry.needed) && entry.leastRun <= run && run <= entry.mostRun
                        && Int(entry.leastCount) <= count
                    {
                        body(Int(entry.place))
                    }
                }
            }
        }
    }
}
