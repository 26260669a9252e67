/// Which files of a lane are packed into one: a pure function of how they lie.
///
/// The numbers of a lane are divided into stretches of 16, of 16², of 16³ and so on. When the lane has passed the end of a
/// stretch, the files that lie wholly in it become one, or several where the body would grow beyond 4 MiB. So of each size
/// about fifteen stretches are still open, with at most two files each; and an entry is written once when it is sent and at
/// most once more for each power of sixteen that its lane has reached, whatever the sizes of the files it came in. A file
/// that has no neighbour to be packed with is left as it is, so that with a body of 4 MiB an end is reached.
///
/// Pieces of values are not packed. The format would bear it: bodies are not in the chain, and an extent may point anywhere in a
/// piece. But whoever read entries remembers the pieces they name; when those go, the versions count as lost, and after 72 hours
/// every device publishes them again in its own lane. Snapshots that are kept name the same pieces.
struct PackingPlan {
    /// A file of entries.
    struct File: Hashable {
        let range: ClosedRange<UInt64>
        /// How long its plain body is.
        let length: UInt64
    }

    /// How many stretches of one size make one of the next.
    static let fanOut: UInt64 = 16
    /// No files are packed together beyond this length of the plain body.
    static let greatestLength = UInt64(EntriesFileBuilder.intendedLength)

    /// The next files to be packed, as indices; nil if all is as it should be. The greatest stretch is first, so that what
    /// becomes part of it is not packed for the smaller ones before.
    /// - Parameters:
    ///   - files: ascending and without overlaps.
    ///   - end: the last number of the lane.
    static func next(_ files: [File], end: UInt64) -> Range<Int>? {
        var sizes: [UInt64] = []
        var size = fanOut
        while size <= end {
            sizes.append(size)
            size *= fanOut
        }
        return sizes.reversed().lazy.compactMap { run(in: files, stretch: $0, end: end) }.first
    }

    /// The first files of one stretch of this size that go together, of which there must be two or more.
    private static func run(in files: [File], stretch size: UInt64, end: UInt64) -> Range<Int>? {
        var start = 0
        var length: UInt64 = 0
        for (index, file) in files.enumerated() {
            let stretch = (file.range.lowerBound - 1) / size
            let isInside = (file.range.upperBound - 1) / size == stretch && (stretch + 1) * size <= end
            let goesOn =
                index > start && isInside && files[index - 1].range.upperBound + 1 == file.range.lowerBound
                && (files[start].range.lowerBound - 1) / size == stretch && length + file.length <= greatestLength
            if goesOn {
                length += file.length
                continue
            }
            if index - start > 1 { return start..<index }
            start = isInside ? index : index + 1
            length = isInside ? file.length : 0
        }
        return files.count - start > 1 ? start..<files.count : nil
    }
}
