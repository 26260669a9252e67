import LLVSCore

/// Where the bodies of a version that is written to the folder go. Those that were pruned go nowhere.
struct BodyLayout {
    /// The others, each with the index of its change among those that store something.
    let packing: BodyPacking
    private let lengths: [UInt64]
    /// The index of each body in the packing; nil: it was pruned.
    private let places: [Int?]

    init(_ version: OutgoingVersion, count: Int) throws {
        let states = try version.bodyStates(count)
        var items: [BodyPacking.Item] = []
        places = states.enumerated().map { index, state in
            if state.isPruned { return nil }
            items.append(BodyPacking.Item(change: index, length: state.size))
            return items.count - 1
        }
        lengths = states.map(\.size)
        packing = BodyPacking(items)
    }

    /// Whether a body was pruned.
    var hasPruned: Bool { places.contains(nil) }

    /// Whether the body of this index was pruned.
    func isPruned(_ index: Int) -> Bool { places[index] == nil }

    /// How long the body of this index is.
    func length(_ index: Int) -> UInt64 { lengths[index] }

    /// The bodies of the version's record, given the digests of the pieces.
    func bodies(
        of version: OutgoingVersion, _ storing: [ChangeList.Entry], pieces: [Digest]
    ) throws -> [EntriesFile.Body] {
        try places.enumerated().map { index, place in
            guard let place else { return .pruned(length: lengths[index]) }
            switch packing.placements[place] {
            case .inline:
                return .inline(try version.body(index, hash: storing[index].contentHash).allBytes()[...])
            case .pieces(let extents):
                return .pieces(
                    length: lengths[index],
                    extents: extents.map {
                        EntriesFile.Extent(piece: pieces[$0.piece], offset: $0.offset, length: $0.length)
                    })
            }
        }
    }
}
