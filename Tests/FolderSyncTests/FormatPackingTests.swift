import Testing

@testable import FolderSync

@Suite("Packing of bodies")
struct FormatPackingTests {
    private static let inlineLimit: UInt64 = 16_384
    private static let mebibyte: UInt64 = 1 << 20

    private func pack(_ lengths: [UInt64]) -> BodyPacking {
        BodyPacking(lengths.enumerated().map { BodyPacking.Item(change: $0.offset * 2, length: $0.element) })
    }

    @Test("small bodies of up to 1 MiB together are inline")
    func inline() {
        for lengths in [[], [0], [1, 2, 3], [Self.inlineLimit], [UInt64](repeating: Self.inlineLimit, count: 64)] {
            let packing = pack(lengths)
            #expect(packing.pieces.isEmpty)
            #expect(packing.placements == lengths.map { _ in .inline })
        }
    }

    @Test("one byte more, and all of them go into one piece in the order of the change list")
    func shared() {
        let packing = pack([UInt64](repeating: Self.inlineLimit, count: 64) + [1, 0])
        #expect(packing.pieces.count == 1)
        #expect(packing.pieces.first?.map(\.change) == (0..<65).map { $0 * 2 })
        #expect(packing.placements[64] == .pieces([.init(piece: 0, offset: Self.mebibyte, length: 1)]))
        #expect(packing.placements[65] == .inline)
    }

    @Test("shared pieces are filled up to 4 MiB and split no body")
    func sharedLimit() {
        let exact = pack([UInt64](repeating: Self.inlineLimit, count: 256))
        #expect(exact.pieces.map { $0.map(\.length).reduce(0, +) } == [4 << 20])
        let more = pack([1] + [UInt64](repeating: Self.inlineLimit, count: 256))
        #expect(more.pieces.map { $0.map(\.length).reduce(0, +) } == [1 + 255 * 16_384, 16_384])
    }

    @Test("a body of more than 1 MiB has pieces of its own, cut every 8 MiB; one of 16 KiB to 1 MiB shares")
    func large() {
        let eight = 8 * Self.mebibyte
        let packing = pack([5, Self.inlineLimit + 1, Self.mebibyte, eight, 2 * eight + 1])
        #expect(packing.placements[0] == .inline)
        #expect(packing.placements[1] == .pieces([.init(piece: 4, offset: 0, length: Self.inlineLimit + 1)]))
        #expect(
            packing.placements[2]
                == .pieces([.init(piece: 4, offset: Self.inlineLimit + 1, length: Self.mebibyte)]))
        #expect(packing.placements[3] == .pieces([.init(piece: 0, offset: 0, length: eight)]))
        #expect(
            packing.placements[4]
                == .pieces([
                    .init(piece: 1, offset: 0, length: eight), .init(piece: 2, offset: 0, length: eight),
                    .init(piece: 3, offset: 0, length: 1),
                ]))
        #expect(packing.pieces[2] == [.init(change: 8, offset: eight, length: Int(eight))])
    }

    @Test("large bodies do not count as the rest")
    func largeAside() {
        #expect(pack([100 * Self.mebibyte, 10]).placements[1] == .inline)
    }

    @Test(
        "every byte of every body has its place, in order, and the same lengths are packed the same",
        arguments: [UInt64](1...30))
    func complete(seed: UInt64) {
        var random = FormatRandom(seed: seed)
        let scale: [UInt64] = [100, 20_000, 1 << 20, 30 << 20]
        let lengths = (0..<Int.random(in: 0...400, using: &random)).map { _ in
            let top = Int.random(in: 0...99, using: &random)
            return UInt64.random(
                in: 0...(top < 60 ? scale[0] : top < 97 ? scale[1] : top < 99 ? scale[2] : scale[3]), using: &random)
        }
        let packing = pack(lengths)
        #expect(packing == pack(lengths), "seed \(seed)")
        #expect(packing.placements.count == lengths.count)
        for (index, (length, placement)) in zip(lengths, packing.placements).enumerated() {
            guard case .pieces(let extents) = placement else {
                #expect(length <= Self.inlineLimit)
                continue
            }
            var offset: UInt64 = 0
            for extent in extents {
                var start: UInt64 = 0
                let part = packing.pieces[extent.piece].first { part in
                    if start == extent.offset { return true }
                    start += UInt64(part.length)
                    return false
                }
                #expect(part == .init(change: index * 2, offset: offset, length: Int(extent.length)), "seed \(seed)")
                offset += extent.length
            }
            #expect(offset == length, "seed \(seed)")
        }
        for piece in packing.pieces {
            let size = piece.map(\.length).reduce(0, +)
            #expect(size >= 1 && size <= (piece.count > 1 ? 4 << 20 : Piece.greatestByteCount), "seed \(seed)")
        }
    }

    @Test(
        "a writer that takes one body after the other completes the pieces in their order", arguments: [UInt64](1...10))
    func streaming(seed: UInt64) {
        var random = FormatRandom(seed: seed)
        let lengths = (0..<600).map { _ in UInt64.random(in: 0...20_000, using: &random) }
        let pieces = pack(lengths).pieces
        let shared = pieces.filter { $0.count > 1 }.map { $0.map(\.change) }
        #expect(shared.joined().elementsEqual(shared.joined().sorted()), "seed \(seed)")
        for (index, piece) in pieces.enumerated() where piece.count > 1 {
            // Large bodies from before its last body are written while it fills, and stand before it.
            let later = pieces[(index + 1)...].filter { $0.count == 1 }.compactMap(\.first?.change)
            #expect(later.allSatisfy { $0 > piece.last?.change ?? 0 }, "seed \(seed)")
        }
    }
}
