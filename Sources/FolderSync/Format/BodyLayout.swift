import LLVSCore

/// Where the bodies of a version that is written to the folder go: into its record, or into pieces.
struct BodyLayout {
    let packing: BodyPacking
    private let lengths: [UInt64]

    /// - Parameter count: How many of the version's changes store something.
    init(_ version: OutgoingVersion, count: Int) throws {
        lengths = try version.bodySizes(count)
        packing = BodyPacking(lengths.enumerated().map { BodyPacking.Item(change: $0.offset, length: $0.element) })
    }

    /// Whether the piece is a value by itself, whose hash it has.
    func isWholeValue(_ parts: [BodyPacking.Part]) -> Bool {
        parts.count == 1 && parts.allSatisfy { UInt64($0.length) == lengths[$0.change] }
    }

    /// The bodies of the version's record, given the digests of the pieces.
    func bodies(
        of version: OutgoingVersion, _ storing: [ChangeList.Entry], pieces: [Digest]
    ) throws -> [EntriesFile.Body] {
        try packing.placements.enumerated().map { index, placement in
            switch placement {
            case .inline:
                .inline(try version.body(index, hash: storing[index].contentHash).allBytes()[...])
            case .pieces(let extents):
                .pieces(
                    length: lengths[index],
                    extents: extents.map {
                        EntriesFile.Extent(piece: pieces[$0.piece], offset: $0.offset, length: $0.length)
                    })
            }
        }
    }
}
