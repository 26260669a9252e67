/// Where the bodies of a version go: into its entry, or into pieces, and at what place of which piece.
///
/// A pure function of the lengths, so that a lost piece can be made again as it was. A body of more than 1 MiB gets pieces of
/// its own, cut every 8 MiB. Bodies of up to 16 KiB are inline, if those of the version are not more than 1 MiB together. All
/// others go into pieces that they share, whole and in the order of the change list, up to 4 MiB each: the number of files is
/// what services are slow at. An empty body is always inline.
///
/// The pieces are listed in the order in which a writer that takes one body after the other completes them. It never holds
/// more than one piece of each sort in memory.
package struct BodyPacking: Hashable, Sendable {
    /// A body that has to be stored.
    package struct Item: Hashable, Sendable {
        /// Where its change stands in the change list.
        package let change: Int
        /// How many bytes it has.
        package let length: UInt64

        package init(change: Int, length: UInt64) {
            self.change = change
            self.length = length
        }
    }

    /// Bytes of a body that lie together in a piece.
    package struct Part: Hashable, Sendable {
        /// Where the change of the body stands in the change list.
        package let change: Int
        /// Where the bytes begin in the body.
        package let offset: UInt64
        /// How many they are.
        package let length: Int
    }

    /// Where a body is.
    package enum Placement: Hashable, Sendable {
        /// In the entry itself.
        case inline
        /// In pieces, end to end.
        case pieces([Extent])
    }

    /// A place in a piece.
    package struct Extent: Hashable, Sendable {
        /// The number of the piece in ``BodyPacking/pieces``.
        package let piece: Int
        /// Where the bytes begin in the piece.
        package let offset: UInt64
        /// How many they are.
        package let length: UInt64
    }

    /// What each piece is made of, end to end.
    package private(set) var pieces: [[Part]] = []
    /// Where each body is, in the order of the items.
    package private(set) var placements: [Placement] = []

    /// The longest inline body: 16 KiB.
    package static let greatestInlineLength: UInt64 = 16 << 10
    /// The longest body that shares a piece with others: 1 MiB.
    package static let greatestSharingLength: UInt64 = 1 << 20
    /// The most inline bytes of a version: 1 MiB.
    package static let greatestInlineTotal: UInt64 = 1 << 20
    /// The most bytes of a piece that several bodies share: 4 MiB.
    package static let greatestSharedLength = 4 << 20

    /// Packs the bodies of one version, given in the order of its change list.
    package init(_ items: [Item]) {
        let small = items.lazy.map(\.length).filter { $0 <= Self.greatestInlineLength }
        let isInlining = small.reduce(0, +) <= Self.greatestInlineTotal
        var shared = Shared()
        placements.reserveCapacity(items.count)
        for (index, item) in items.enumerated() {
            if item.length > Self.greatestSharingLength {
                placements.append(.pieces(cut(item)))
            } else if item.length == 0 || (isInlining && item.length <= Self.greatestInlineLength) {
                placements.append(.inline)
            } else {
                if shared.length + Int(item.length) > Self.greatestSharedLength { complete(&shared) }
                shared.parts.append(Part(change: item.change, offset: 0, length: Int(item.length)))
                shared.bodies.append(index)
                shared.length += Int(item.length)
                placements.append(.inline)
            }
        }
        complete(&shared)
    }

    /// The piece that bodies are being put into.
    private struct Shared {
        var parts: [Part] = []
        var bodies: [Int] = []
        var length = 0
    }

    private mutating func cut(_ item: Item) -> [Extent] {
        stride(from: 0, to: item.length, by: Int(Piece.greatestByteCount)).map { offset in
            let length = min(UInt64(Piece.greatestByteCount), item.length - offset)
            pieces.append([Part(change: item.change, offset: offset, length: Int(length))])
            return Extent(piece: pieces.count - 1, offset: 0, length: length)
        }
    }

    private mutating func complete(_ shared: inout Shared) {
        guard !shared.parts.isEmpty else { return }
        var offset: UInt64 = 0
        for (body, part) in zip(shared.bodies, shared.parts) {
            placements[body] = .pieces([Extent(piece: pieces.count, offset: offset, length: UInt64(part.length))])
            offset += UInt64(part.length)
        }
        pieces.append(shared.parts)
        shared = Shared()
    }
}
