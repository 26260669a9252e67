import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// A store that has versions, in a folder whose lanes lack entries that only a snapshot has.
@Suite("Filling up from a snapshot")
struct RefillTests {
    private static let hour: Int64 = 3_600_000

    /// A device that was away while the others worked on, with an edit of its own that it never sent. The others' newer entries
    /// are gone from the folder.
    private struct Absence {
        let tale: SnapshotTale
        let c: SimulatedFolderDevice
        let snapshot: FolderSnapshot

        init(_ tale: SnapshotTale, saving count: Int = 12) async throws {
            self.tale = tale
            c = try tale.newDevice("c")
            try await c.pass()
            try await c.save("mine", "of the one who was away")
            for number in 0..<count {
                try await tale.a.save(try Value.ID("k\(number % 4)"), "later \(number)")
                try await tale.a.pass()
            }
            var random = SimulatedFolderRandom(seed: 9)
            try await tale.a.save([.insert(Value(id: "large later", bytes: random.bytes(30_000)))])
            try await tale.b.pass()
            try await tale.b.save("by b", "later")
            try await tale.b.pass()
            snapshot = try await tale.publish(from: tale.a)
            try tale.removeEntries()
        }
    }

    private func recording(_ device: SimulatedFolderDevice) -> (FolderExchange, Shared<[SyncProgress]>) {
        let steps = Shared<[SyncProgress]>([])
        let exchange = FolderExchange(
            store: device.store, attachment: device.exchange.attachment, files: device.mortality.files,
            clock: { [clock = device.clock] in clock.now }, pause: { _ in },
            progress: { step in steps.change { $0.append(step) } })
        return (exchange, steps)
    }

    @Test func whatLanesLackJoinsALivingStoreFromASnapshot() async throws {
        try await SnapshotTale.with { tale in
            let away = try await Absence(tale)
            let (exchange, steps) = recording(away.c)
            let before = try away.c.store.versionCount()
            let outcome = try await away.c.pass(exchange, away.c.coordinator)
            let theirs = try SnapshotTale.picture(of: tale.a.store)
            let ours = try SnapshotTale.picture(of: away.c.store)
            #expect(theirs.allSatisfy { ours[$0.key] == $0.value })
            #expect(outcome.report.imported == away.snapshot.versions - before + 1 && outcome.report.missing.isEmpty)
            #expect(outcome.needsBootstrap == nil && outcome.report.damaged.isEmpty)
            #expect(outcome.report.sent > 0, "its own work goes out in the same pass")
            #expect(try away.c.text("mine") == "of the one who was away" && away.c.text("by b") == "later")
            #expect(try away.c.store.verify(.deep).isEmpty)
            let told = steps.value.filter { $0.phase == .bootstrapping }
            #expect(told.first?.done == 0 && told.last?.done == away.snapshot.versions)
            #expect(told.allSatisfy { $0.total == away.snapshot.versions && $0.bytes?.total != nil })
            #expect(told.last?.bytes?.done == told.last?.bytes?.total && told == told.sorted { $0.done < $1.done })
            // It is known once and for all: the next pass reads no piece again.
            steps.change { $0 = [] }
            #expect(try await away.c.pass(exchange, away.c.coordinator).report.imported == 0)
            #expect(!steps.value.contains { $0.phase == .bootstrapping })
            for device in [tale.a, tale.b, away.c, tale.a] { try await device.pass() }
            try SnapshotTale.expectSame(away.c, tale.a)
            #expect(try tale.a.text("mine") == "of the one who was away")
        }
    }

    @Test(arguments: [false, true]) func fillingUpMayEndAtAnyCallAndTheStoreWorksOn(failing: Bool) async throws {
        try await SnapshotTale.with { tale in
            let away = try await Absence(tale, saving: 4)
            let c = away.c
            let start = try #require(try c.copyOfStore())
            let (ledger, names) = (c.ledger, try tale.tree.contents())
            let before = try c.store.versionCount()
            var resumed = 0
            for number in stride(from: 1, to: .max, by: failing ? 17 : 5) {
                let calls = c.mortality.calls
                if failing {
                    c.mortality.fail(call: number, with: .inputOutput)
                } else {
                    c.mortality.die(atCall: number)
                }
                do { _ = try await c.exchange.retrieve() } catch {
                    #expect(error is FolderSyncError || error is StoreError, "call \(number): \(error)")
                }
                let hasHappened = c.mortality.calls - calls >= number
                let count = try c.store.versionCount()
                #expect(count == before || count == away.snapshot.versions + 1, "call \(number): \(count) versions")
                try c.reopen()
                let begun = try c.store.inspect {
                    try ExchangeZones(lane: c.exchange.attachment.lane).bootstrapRecord(for: .refill, in: $0.reader)
                }
                if begun?.staged ?? 0 > 0 {
                    resumed += 1
                    #expect(try await c.exchange.send().sent == 1, "call \(number): what is its own it sends")
                }
                try await c.pass()
                #expect(try c.store.versionCount() > away.snapshot.versions, "call \(number)")
                #expect(try c.text("by b") == "later" && c.text("mine") != nil, "call \(number)")
                if !hasHappened { return #expect(number > 20 && (failing || resumed > 1)) }
                try tale.tree.replace(with: names)
                try c.restore(start, ledger)
            }
        }
    }

    @Test func aSnapshotThatBringsLittleWaitsForWhatIsOnItsWay() async throws {
        try await SnapshotTale.with { tale in
            for number in 0..<24 {
                try await tale.a.save("k0", "\(number)")
                try await tale.a.pass()
            }
            let c = try tale.newDevice("c")
            try await c.pass()
            try await tale.a.save("k0", "the last")
            try await tale.a.pass()
            let late = try #require(try tale.lastEntries(of: tale.a))
            _ = try await tale.publish(from: tale.a)
            try tale.tree.remove(late)
            for _ in 0..<2 {
                let waiting = try await c.pass()
                #expect(waiting.report.imported == 0 && waiting.report.missing.map(\.lane.description) == [tale.a.lane])
                #expect(waiting.needsBootstrap == nil && waiting.report.isAwaitingAnnounced)
                c.clock.advance(Self.hour / 2)
            }
            #expect(try await c.pass().report.imported == 0)
            #expect(try c.text("k0") == "23")
            #expect(try await c.pass().report.imported == 1)
            #expect(try c.text("k0") == "the last")
        }
    }

    @Test func whatNothingInTheFolderHasIsToldAsWhatIsNeededAfterAnHour() async throws {
        try await SnapshotTale.with { tale in
            let away = try await Absence(tale)
            let set = try tale.files(of: away.snapshot.set)
            let kept = try set.map { ($0, try #require(try tale.tree.read($0))) }
            // Of the snapshot there is only what says how far the lanes go.
            for file in set.dropFirst() { try tale.tree.remove(file) }
            let first = try await away.c.pass()
            let lacks = try #require(first.report.missing.first { $0.lane.description == tale.a.lane })
            #expect(first.needsBootstrap == nil && lacks.known > lacks.here)
            #expect(first.report.waiting.contains { $0.reason.contains("pieces are here") })
            for _ in 0..<2 {
                away.c.clock.advance(Self.hour)
                try await away.c.pass()
            }
            let stuck = try await away.c.pass()
            let reason = try #require(stuck.needsBootstrap)
            #expect(
                reason.contains("the history is incomplete")
                    && reason.contains("\(tale.a.lane) from \(lacks.here + 1) to \(lacks.known)"), "\(reason)")
            #expect(try await away.c.exchange.needsBootstrap() == reason)
            #expect(stuck.report.waiting.contains { $0.file.isEmpty && $0.reason == reason })
            // It works on with what it has, and goes on when the snapshot is there.
            try await away.c.save("still", "at work")
            #expect(try await away.c.pass().report.sent == 1)
            for (path, bytes) in kept { try tale.tree.write(bytes, to: path) }
            #expect(try await away.c.pass().needsBootstrap == nil)
            #expect(try away.c.text("by b") == "later" && away.c.text("still") == "at work")
        }
    }

    /// What stands on it waits, and is told of as before; but nobody's decisions wait for what may never come.
    @Test func whatALaneThatWasLeftLacksIsToldAfterAnHourAndHoldsBackNoDecision() async throws {
        try await SnapshotTale.with { tale in
            let c = try tale.newDevice("c")
            try await c.pass()
            try await tale.a.save("k0", "lost")
            try await tale.a.pass()
            let lost = try #require(try tale.lastEntries(of: tale.a))
            try await tale.a.save("k0", "stands on it")
            try await tale.a.pass()
            _ = try await tale.a.exchange.leave()
            try tale.tree.remove(lost)
            for _ in 0..<2 {
                let waiting = try await c.pass()
                #expect(waiting.report.waiting.contains { $0.reason.contains("waits for its parent") })
                #expect(waiting.needsBootstrap == nil && !waiting.report.isAwaitingAnnounced)
                c.clock.advance(Self.hour / 2)
            }
            let reason = try #require(try await c.pass().needsBootstrap)
            #expect(reason.contains("the history is incomplete: it needs the lane \(tale.a.lane)"), "\(reason)")
        }
    }

    @Test func aDamagedSnapshotGivesWayToAnotherAndToItsCopy() async throws {
        try await SnapshotTale.with { tale in
            let away = try await Absence(tale)
            let start = try #require(try away.c.copyOfStore())
            let ledger = away.c.ledger
            let last = try #require(try tale.files(of: away.snapshot.set).last)
            let bytes = try #require(try tale.tree.read(last))
            try tale.tree.write(FormatSamples.flipped(bytes, bit: bytes.count * 4), to: last)
            let before = try away.c.store.versionCount()
            let damaged = try await away.c.pass().report
            #expect(damaged.damaged.map(\.file) == ["snapshot \(away.snapshot.set)"])
            #expect(try away.c.store.versionCount() == before && !damaged.missing.isEmpty)
            let copy = last.replacing(".llvs", with: " (1).llvs")
            try tale.tree.write(bytes, to: copy)
            try await away.c.pass()
            #expect(try away.c.text("by b") == "later" && away.c.text("mine") != nil)
            try tale.tree.remove(copy)
            for path in try tale.tree.list() where path.hasPrefix(away.c.lane) { try tale.tree.remove(path) }
            try away.c.restore(start, ledger)
            try await tale.a.pass()
            _ = try await tale.publish(from: tale.b)
            try tale.removeEntries()
            try tale.tree.write(FormatSamples.flipped(bytes, bit: bytes.count * 4), to: last)
            try await away.c.pass()
            #expect(try away.c.text("by b") == "later" && away.c.text("mine") != nil)
            #expect(try away.c.store.verify(.deep).isEmpty)
        }
    }

    /// Files that were read before the snapshot came go on where it ends, which only the chains inside them show.
    @Test func whatWasReadBeyondTheGapHangsTogetherWithTheSnapshot() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            let c = try SimulatedFolderDevice("c", replica: directory + "/folder", seed: 2)
            try await a.publish(2)
            try await c.pass()
            try await a.publish(18)
            _ = try await a.exchange.publishSnapshot(pieceLength: 1_200)
            try await a.publish(20)
            _ = try await a.exchange.send()
            let set = try a.replica.list().filter { $0.contains("/p-") }
            let kept = try set.map { ($0, try #require(try a.replica.read($0))) }
            for file in set { try a.replica.remove(file) }
            let packed = try #require(try a.entries().first { $0.contains("/e-1-16-") })
            #expect(try a.entries().contains { $0.contains("/e-17-32-") })
            try a.replica.remove(packed)
            // What comes after the gap is read, and waits.
            let early = try await c.pass().report
            #expect(early.imported == 0 && early.missing.map(\.here) == [2])
            for (path, bytes) in kept { try a.replica.write(bytes, to: path) }
            let late = try await c.pass().report
            #expect(late.imported == 38 && late.missing.isEmpty, "\(late.waiting)")
            let status = try #require(try await c.exchange.lanes().first { $0.lane.description == a.lane })
            #expect(status.known == 40 && status.here == 40)
            #expect(try c.store.verify(.deep).isEmpty)
        }
    }

    @Test func aStoreFromABackupLearnsFromASnapshotThatItsLaneGoesOn() async throws {
        try await SnapshotTale.with { tale in
            let backup = try #require(try tale.a.copyOfStore())
            let (lane, ledger) = (tale.a.lane, tale.a.ledger)
            for number in 0..<3 { try await tale.a.save("k0", "lost \(number)") }
            try await tale.a.pass()
            try await tale.b.pass()
            _ = try await tale.publish(from: tale.b)
            try tale.removeEntries()
            try tale.a.restore(backup, ledger)
            let report = try await tale.a.pass().report
            #expect(report.notices.map(\.file) == [lane] && report.imported == 3)
            #expect(try tale.a.text("k0") == "lost 2" && tale.a.lane != lane)
        }
    }
}
