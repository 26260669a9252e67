import LLVSCore
import Testing

@testable import FolderSync

@Suite("Notes")
struct FormatNoteTests {
    private static let names = ["retired", "adopted", "carried"]

    private func subject(_ name: String) throws -> FolderNote.Subject {
        let laneB = try FormatSamples.laneB()
        switch name {
        case "retired":
            let end = LaneChain(sequence: 2, digest: try FormatSamples.digest("chain.a.2"))
            return .retired(try FormatSamples.laneA(), end: end)
        case "adopted": return .adopted(try #require(StoreIdentity(bytes: [UInt8](240...255))))
        default:
            return .carried(
                laneB, from: LaneChain(startOf: laneB, in: try FormatSamples.store()),
                to: LaneChain(sequence: 2, digest: try FormatSamples.digest("chain.b.2")), upTo: 4)
        }
    }

    @Test("is the bytes that the other implementation makes, and says what it said", arguments: names)
    func vectors(_ name: String) throws {
        let bytes = try FormatSamples.vector("note.\(name)")
        let file = FolderNote.encode(
            try subject(name), store: try FormatSamples.store(), lane: try FormatSamples.laneA())
        #expect(file.bytes == bytes)
        let note = try #require(FolderNote.decode(bytes).verified)
        #expect(try note.subject == subject(name))
        #expect(try note.store == FormatSamples.store() && note.lane == FormatSamples.laneA())
        #expect(note.fileName == file.name)
        #expect(bytes.count <= FolderNote.greatestFileLength)
    }

    @Test("cut off it is arriving, with a bit flipped it is damaged", arguments: names)
    func spoiled(_ name: String) throws {
        let bytes = try FormatSamples.vector("note.\(name)")
        for count in 0..<bytes.count { #expect(FolderNote.decode([UInt8](bytes[..<count])).isArriving) }
        for bit in stride(from: 64, to: bytes.count * 8, by: 7) {
            #expect(FolderNote.decode(FormatSamples.flipped(bytes, bit: bit)).isDamaged)
        }
    }

    private func note(_ own: [UInt8], optional: UInt64 = 0, coding: UInt8 = 0, body: [UInt8] = []) throws -> [UInt8] {
        try FormatSamples.container(kind: 4, coding: coding, optional: optional, ownHeader: own, body: body)
    }

    @Test("about something else it is from a newer version; with more than is known it is damaged, or optional")
    func later() throws {
        for number in (0...255) where !(1...3).contains(number) {
            #expect(FolderNote.decode(try note([UInt8(number), 1, 2])).isFuture)
        }
        for name in Self.names {
            let own = try subject(name).encoded
            #expect(FolderNote.decode(try note(own + [0])).isDamaged)
            #expect(try FolderNote.decode(note(own + [0], optional: 1)).verified?.subject == subject(name))
            #expect(FolderNote.decode(try note([UInt8](own.dropLast()))).isDamaged)
            #expect(FolderNote.decode(try note(own, body: [1])).isDamaged)
        }
        #expect(FolderNote.decode(try note([])).isDamaged)
        #expect(FolderNote.decode(try note([UInt8](repeating: 9, count: 5_000))).isDamaged)
        #expect(FolderNote.decode(try FormatSamples.file("piece.stored")).isDamaged)
    }

    @Test("what no writer says is damage")
    func contradictions() throws {
        let (store, lane) = try (FormatSamples.store(), FormatSamples.laneA())
        let start = LaneChain(startOf: lane, in: store)
        let beyond = LaneChain(sequence: FolderFileName.greatestEntry + 1, digest: .zero)
        let one = LaneChain(sequence: 1, digest: .zero)
        let other = try FormatSamples.laneB()
        let subjects: [FolderNote.Subject] = [
            .adopted(store), .retired(other, end: beyond), .carried(lane, from: start, to: one, upTo: 0),
            .carried(other, from: one, to: one, upTo: 0), .carried(other, from: one, to: beyond, upTo: 0),
            .carried(other, from: start, to: one, upTo: .max),
        ]
        for subject in subjects {
            #expect(FolderNote.decode(FolderNote.encode(subject, store: store, lane: lane).bytes).isDamaged)
        }
    }

    @Test("spoiled and sealed again it is refused or is what a writer would write", arguments: [UInt64](1...3))
    func fuzz(seed: UInt64) throws {
        var random = FormatRandom(seed: seed)
        for name in Self.names {
            for _ in 0..<150 {
                var own = try subject(name).encoded
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let place = Int.random(in: 0..<own.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: own[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                    case 1: own.insert(UInt8.random(in: 0...255, using: &random), at: place)
                    case 2 where own.count > 1: own.remove(at: place)
                    default: own[place] = 255
                    }
                }
                let bytes = try note(own)
                guard let read = FolderNote.decode(bytes).verified else { continue }
                let again = FolderNote.encode(read.subject, store: read.store, lane: read.lane)
                #expect(again.bytes == bytes, "seed \(seed)")
            }
        }
    }

    @Test("of stores that adopted each other in a circle the least stands, and a note about no card says nothing")
    func standing() throws {
        let stores = try (0..<4).map { try #require(StoreIdentity(bytes: [UInt8](repeating: UInt8($0), count: 16))) }
        func standing(_ cards: [Int], _ notes: [(Int, Int)]) -> Set<StoreIdentity> {
            let adoptions = notes.map { AdoptionNotes.Adoption(old: stores[$0.0], new: stores[$0.1]) }
            return AdoptionNotes.standing(Set(cards.map { stores[$0] }), adoptions)
        }
        #expect(standing([0, 1], []) == Set(stores[0...1]))
        #expect(standing([0, 1], [(0, 1)]) == [stores[1]])
        #expect(standing([0, 1], [(0, 1), (1, 0)]) == [stores[0]])
        #expect(standing([0, 1, 2], [(0, 1), (1, 2)]) == [stores[2]])
        #expect(standing([0, 1, 2], [(0, 1)]) == Set(stores[1...2]))
        #expect(standing([0, 1], [(0, 3)]) == Set(stores[0...1]), "the store that adopted has no card here")
    }
}
