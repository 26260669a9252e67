import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Pieces of values that a device wrote into its own lane because a snapshot names them and no lane had them.
@Suite("Pieces that snapshots write")
struct SnapshotValuePieceTests {
    /// Has `a` write a snapshot while the piece that `b` wrote is not in the folder. Returns the piece in a's lane.
    private func writePiece(_ tale: SnapshotTale) async throws -> String {
        let theirs = try #require(try tale.tree.list().first { $0.hasPrefix("\(tale.b.lane)/v-") })
        let bytes = try #require(try tale.tree.read(theirs))
        try tale.tree.remove(theirs)
        _ = try await tale.publish(from: tale.a)
        let own = try #require(try tale.tree.list().first { $0.hasPrefix("\(tale.a.lane)/v-") })
        // It was only late.
        try tale.tree.write(bytes, to: theirs)
        for _ in 0..<2 { try await tale.a.pass() }
        return own
    }

    /// Spoils a file in all ways and expects each time that a's next pass writes it again.
    private func expectCare(for path: String, _ tale: SnapshotTale) async throws {
        let right = try #require(try tale.tree.read(path))
        for wrong in [nil, Array(right.dropLast(9)), FormatSamples.flipped(right, bit: right.count * 4), []] {
            if let wrong { try tale.tree.write(wrong, to: path) } else { try tale.tree.remove(path) }
            #expect(try await tale.a.pass().report.restored == 1)
            #expect(try tale.tree.read(path) == right)
            #expect(try await tale.a.pass().report.restored == 0)
        }
        #expect(try FolderVerification(of: tale.tree.path).isClean)
    }

    @Test func oneThatIsMissingOrSpoiledIsWrittenAgainAtTheNextPass() async throws {
        try await SnapshotTale.with { tale in
            try await expectCare(for: try await writePiece(tale), tale)
        }
    }

    @Test func aNewDeviceReadsTheSnapshotThoughNobodyElseHasThePiece() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            for path in try tale.tree.list() where path.hasPrefix(tale.b.lane) { try tale.tree.remove(path) }
            try tale.tree.write([1, 2, 3], to: own)
            try await tale.a.pass()
            try SnapshotTale.expectSame(try await joined(tale), tale.a)
        }
    }

    private func joined(_ tale: SnapshotTale) async throws -> SimulatedFolderDevice {
        let new = try tale.newDevice()
        try await new.pass()
        return new
    }

    @Test func oneIsLookedAfterWhenItsSnapshotIsGone() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            let set = try #require(try tale.tree.list().first { $0.hasPrefix("\(tale.a.lane)/p-") })
            for number in 0..<2 {
                try await tale.a.save("k0", "newer \(number)")
                try await tale.a.pass()
                _ = try await tale.publish(from: tale.a)
                for _ in 0..<2 { try await tale.a.pass() }
            }
            #expect(try tale.tree.read(set) == nil)
            try await expectCare(for: own, tale)
        }
    }

    /// An older version of this software remembered the set, but not the pieces that it wrote for it.
    @Test func aSetFromBeforePiecesWereRememberedLearnsThemWithoutWritingThem() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            let zones = ExchangeZones(tale.a.exchange.attachment)
            try tale.a.store.exchange { transaction in
                let writer = transaction.writer
                try writer.remove(zones.key(Array(own.utf8)), in: ExchangeZones.own)
                for set in try zones.ownSets(in: writer) {
                    let record = [1] + set.encoded.dropFirst()
                    try writer.put(record, for: zones.key(set.digest.bytes), in: ExchangeZones.ownSet)
                }
            }
            let before = try SharedFolder(path: tale.tree.path, files: .local).list()
            for _ in 0..<2 { try await tale.a.pass() }
            #expect(try SharedFolder(path: tale.tree.path, files: .local).list() == before)
            try await expectCare(for: own, tale)
        }
    }

    @Test func oneOfALaneThatIsLeftIsNotBelievedInBeforeItIsRead() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            let (store, zones) = (tale.a.store, ExchangeZones(tale.a.exchange.attachment))
            let identity = try #require(try FolderExchange.identity(of: store))
            try LaneChange(store: store, zones: zones, identity: identity, now: 0).take(.random())
            let bytes = try #require(try tale.tree.read(own))
            let piece = try #require(Piece.decode(bytes).verified)
            #expect(try store.inspect { try zones.unprovedPieces(in: $0.reader) }.contains(piece.digest))
        }
    }

    /// Nobody writes it again, and nothing is lost with it.
    @Test func aSpoiledOneOfALaneThatWasLeftIsNoFaultWhereAnotherLaneHasIt() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            let theirs = try #require(try tale.tree.list().first { $0.hasPrefix("\(tale.b.lane)/v-") })
            func kind(of file: String) throws -> FolderVerification.Kind? {
                try FolderVerification(of: tale.tree.path).findings.first { $0.file == file }?.kind
            }
            let right = try #require(try tale.tree.read(own))
            let wrong = FormatSamples.flipped(right, bit: right.count * 4)
            try tale.tree.write(wrong, to: own)
            #expect(try kind(of: own) == .damaged)
            try tale.tree.write(right, to: own)
            _ = try await tale.a.exchange.leave()
            try tale.tree.write(wrong, to: own)
            #expect(try kind(of: own) == .duplicate && FolderVerification(of: tale.tree.path).isClean)
            try tale.tree.remove(theirs)
            #expect(try kind(of: own) == .damaged)
        }
    }

    @Test func aPassOpensNoneThatLooksAsItWasWritten() async throws {
        try await SnapshotTale.with { tale in
            _ = try await writePiece(tale)
            try await tale.b.save("k1", "news")
            try await tale.b.pass()
            let (outcome, opened) = try await SnapshotTale.opened(by: tale.a)
            #expect(outcome.report.imported == 1 && !opened.contains { $0.contains("/v-") }, "\(opened)")
        }
    }

    /// The entries of a version that is sent later are made of a piece which a snapshot wrote before.
    @Test func entriesShareOneWithASnapshot() async throws {
        try await SnapshotTale.with { tale in
            let own = try await writePiece(tale)
            let value = try #require(try tale.a.store.bytes(of: "large", at: try tale.a.current()))
            try await tale.a.save([.insert(Value(id: "again", bytes: value))])
            try await tale.a.pass()
            #expect(try tale.tree.list().count { $0.hasPrefix("\(tale.a.lane)/v-") } == 1)
            try await expectCare(for: own, tale)
        }
    }
}
