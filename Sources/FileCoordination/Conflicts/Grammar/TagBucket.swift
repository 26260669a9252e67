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

    private let entries: [Entry]

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
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Calls `body` with the place of each tag that a text of these bytes, this length and this ending run can end with.
    @inline(__always)
    func forEach(in text: ByteMask, count: Int, run: Int, _ body: (Int) -> Void) {
        let run = UInt8(clamping: run)
        entries.withUnsafeBufferPointer { entries in
            for entry in entries
            where text.contains(entry.needed) && entry.leastRun <= run && run <= entry.mostRun
                && Int(entry.leastCount) <= count
            {
                body(Int(entry.place))
            }
        }
    }
}
