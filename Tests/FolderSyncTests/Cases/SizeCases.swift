import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Values of many pieces.
@Suite struct SizeCases {
    @Test func aHugeValueArrivesPieceByPieceAndSmallVersionsAreNotStuckBehindIt() async throws {
        try await SimulatedFolderGroup.with(3) { group in
            let (a, b, c) = (group.devices[0], group.devices[1], group.devices[2])
            var random = SimulatedFolderRandom(seed: 3)
            let huge = random.bytes(20 << 20)
            try await a.save([.insert(Value(id: "huge", bytes: huge)), .insert(Value(id: "empty", bytes: []))])
            try await a.pass()
            try await c.save("small", "x")
            try await c.pass()
            let pieces = try a.replica.list().filter { $0.contains("/v-") }
            #expect(pieces.count == 3)
            for piece in pieces { #expect(try #require(try a.replica.size(piece)) <= (8 << 20) + 1_024) }
            // Sixty percent of it, and all of the small version.
            try group.courier.deliverAll(from: 2, to: 1)
            try group.courier.deliverAll(from: 0, to: 1) { !$0.contains("/v-") }
            try group.courier.deliver(pieces[0], from: 0, to: 1)
            let half = try #require(try a.replica.read(pieces[1])).prefix(6 << 20)
            try b.replica.write(Array(half), to: pieces[1])
            let report = try await b.pass().report
            #expect(report.imported == 1 && report.damaged.isEmpty)
            #expect(try b.text("small") == "x")
            // The piece that is here was taken: it need not stay.
            try b.replica.remove(pieces[0])
            for piece in pieces.dropFirst() { try group.courier.deliver(piece, from: 0, to: 1) }
            #expect(try await b.pass().report.imported == 1)
            #expect(huge.isSame(as: try b.store.bytes(of: "huge", at: b.current())))
            #expect(try b.store.bytes(of: "empty", at: b.current()) == [])
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }
}
