import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Two devices with a text that changes, of which one prunes, and what others can still do.
private struct PruningTale {
    let a: SimulatedFolderDevice
    let b: SimulatedFolderDevice
    let directory: String
    let isSealed: Bool

    static func with(sealed: Bool = false, _ body: (PruningTale) async throws -> Void) async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let tale = try PruningTale(in: directory, sealed: sealed)
            try await body(tale)
        }
    }

    private init(in directory: String, sealed: Bool) throws {
        self.directory = directory
        isSealed = sealed
        a = try Self.device("a", directory, sealed, creating: true)
        b = try Self.device("b", directory, sealed)
    }

    private static func device(
        _ name: String, _ directory: String, _ isSealed: Bool, creating: Bool = false
    ) throws -> SimulatedFolderDevice {
        var design = SimulatedFolderDevice.Design()
        design.arbiter = TextMergeArbiter()
        design.seed = UInt64(name.utf8.first ?? 0)
        if isSealed { design.transform = ScramblingTransform(key: 7) }
        return try SimulatedFolderDevice(
            name, replica: SimulatedFolderTree(directory + "/folder"), creating: creating, design: design)
    }

    func newDevice(_ name: String) throws -> SimulatedFolderDevice { try Self.device(name, directory, isSealed) }

    /// A text with lines that a number replaces.
    static func text(first: Int = 0, last: Int = 0) -> String {
        "first \(first)\n" + (0..<200).map { "line \($0) that stays\n" }.joined() + "last \(last)\n"
    }

    /// Saves and sends of `a`: the text, a large value and a value that goes; `b` reads them.
    func live(_ random: inout SimulatedFolderRandom, times: Int = 4) async throws {
        for number in 1...times {
            try await a.save("text", Self.text(first: number))
            try await a.save([.insert(Value(id: "large", bytes: random.bytes(20_000)))])
            try await a.pass()
        }
        try await a.save("stays", "always the same")
        for device in [a, b, a] { try await device.pass() }
    }

    func verification() throws -> FolderVerification {
        try FolderVerification(
            of: a.replica.path, transform: isSealed ? ScramblingTransform(key: 7) : nil)
    }

    /// The canonical bytes of every firm version.
    static func records(of store: Store) throws -> [[UInt8]] {
        try store.inspect { view in
            var records: [[UInt8]] = []
            try view.forEachFirm(from: 1) { _, version in
                records.append(version.headerBytes + (try version.changesBytes()))
                return true
            }
            return records
        }
    }

    /// How many values a device can read in all of its versions, and how many not.
    static func readable(_ store: Store) throws -> (whole: Int, pruned: Int) {
        var (whole, pruned) = (0, 0)
        for id in try SnapshotTale.picture(of: store).keys {
            for value in try store.valueIDs(at: id) {
                do {
                    _ = try store.bytes(of: value, at: id)
                    whole += 1
                } catch let error as StoreError where error.code == .valuePruned {
                    #expect(try store.size(of: value, at: id) != nil)
                    pruned += 1
                }
            }
        }
        return (whole, pruned)
    }

    /// The replaced files go when nobody can need them any more: where there is another lane, after three days.
    func sweep(_ device: SimulatedFolderDevice, hours: Int = 3) async throws {
        for _ in 0..<hours {
            device.clock.advance(3_600_000)
            try await device.pass()
        }
    }
}

@Suite("Pruning")
struct PruningTests {
    @Test(arguments: [false, true])
    func oldValuesGoAndTheHistoryStays(sealed: Bool) async throws {
        try await PruningTale.with(sealed: sealed) { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            _ = try await a.exchange.publishSnapshot(pieceLength: 4_000)
            try await a.save("text", PruningTale.text(first: 9))
            let (records, values) = (try PruningTale.records(of: a.store), try a.values())
            _ = try await a.exchange.send()
            let planned = try await a.exchange.prune(dryRun: true)
            #expect(try PruningTale.readable(a.store).pruned == 0 && planned.files == 0)
            let pruning = try await a.exchange.prune()
            #expect(planned.values == pruning.values)
            // Three texts and three large values; the fourth text is what the later version was based on.
            #expect(pruning.values.values == 6 && pruning.files > 0 && pruning.values.byteCount > 60_000)
            #expect(try PruningTale.records(of: a.store) == records)
            #expect(try a.values() == values)
            #expect(try a.store.verify().isEmpty)
            #expect(try PruningTale.readable(a.store).pruned > 0)
            #expect(try await a.exchange.prune().values.values == 0)
            // Who had the values keeps them, and does not bring them back.
            let here = try PruningTale.readable(b.store)
            let outcome = try await b.pass()
            #expect(outcome.report.damaged.isEmpty && outcome.report.future.isEmpty && outcome.report.sent == 0)
            #expect(try here.pruned == 0 && PruningTale.readable(b.store).pruned == 0)
            try await tale.sweep(a)
            let found = try tale.verification()
            #expect(found.isClean, "\(found.findings)")
            // A new device has the whole history without them, from the entries and from a snapshot.
            for beginning in ["/p-", "/e-"] {
                if beginning == "/e-" { _ = try await a.exchange.publishSnapshot(pieceLength: 4_000) }
                let removed = try a.replica.contents().filter { $0.key.contains(beginning) }
                for path in removed.keys { try a.replica.remove(path) }
                let d = try tale.newDevice("d\(beginning.dropFirst())")
                #expect(try await d.exchange.retrieve().damaged.isEmpty)
                _ = try await d.coordinator.merge(publishing: false)
                try SnapshotTale.expectSame(d, a, beginning)
                #expect(try PruningTale.readable(d.store) == PruningTale.readable(a.store))
                for (path, bytes) in removed { try a.replica.write(bytes, to: path) }
            }
            try await b.pass()
            #expect(try b.values() == a.values())
        }
    }

    @Test func aDeviceThatWasLongAwayComesBackAndNothingIsLost() async throws {
        try await PruningTale.with { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            let c = try tale.newDevice("c")
            try await c.pass()
            // Edits on both sides of the same text, and a value that only the absent one has.
            try await c.save("text", PruningTale.text(first: 4, last: 77))
            try await c.save("of c", "saved far away")
            try await tale.live(&random, times: 6)
            try await a.exchange.publishSnapshot()
            #expect(try await a.exchange.prune().values.values > 6)
            try await tale.sweep(a)
            // It sends before it merges: the one who pruned cannot merge the text, says so, and goes on.
            _ = try await c.exchange.send()
            let waiting = try await a.pass()
            #expect(waiting.merge.left.contains { $0.code == .valuePruned && $0.reason.contains("'text'") })
            #expect(try a.store.heads().count == 2)
            #expect(try a.text("text") == PruningTale.text(first: 6))
            try await a.save("meanwhile", "work goes on")
            try await a.pass()
            // Who has the old value merges; here it is the one who comes back.
            for device in [c, a, b, c, a, b] { try await device.pass() }
            for device in [a, b, c] {
                #expect(try device.text("text") == PruningTale.text(first: 6, last: 77), "\(device.name)")
                #expect(try device.text("of c") == "saved far away")
                #expect(try device.text("meanwhile") == "work goes on")
                #expect(try device.store.verify().isEmpty)
                for id in a.acknowledged + b.acknowledged + c.acknowledged {
                    #expect(try device.store.state(of: id) == .firm)
                }
            }
            #expect(try a.store.heads().map(\.id) == c.store.heads().map(\.id))
        }
    }

    @Test func whatADeviceWasLastKnownToHaveStays() async throws {
        try await PruningTale.with { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            let c = try tale.newDevice("c")
            try await c.pass()
            try await c.save("of c", "a sign of life")
            try await c.pass()
            try await tale.live(&random, times: 6)
            try await a.exchange.publishSnapshot()
            // All that was shown between what c had and what is shown now, and before: one of ten texts stays for c.
            #expect(try await a.exchange.prune().values.values == 2 * (3 + 5))
            try await c.save("text", PruningTale.text(first: 4, last: 77))
            _ = try await c.exchange.send()
            let merged = try await a.pass()
            #expect(merged.merge.left.isEmpty)
            #expect(try a.text("text") == PruningTale.text(first: 6, last: 77))
            for device in [b, c, a] { try await device.pass() }
            #expect(try c.values() == a.values() && b.values() == a.values())
            // Without its files nobody knows.
            for (path, _) in try a.replica.contents() where path.hasPrefix(c.lane) { try a.replica.remove(path) }
            let error = await #expect(throws: FolderSyncError.self) { try await a.exchange.prune(dryRun: true) }
            #expect(error?.code == .notReady && error?.what.contains(c.lane) == true)
        }
    }

    @Test func bytesThatComeLaterFillIn() async throws {
        try await PruningTale.with { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            try await a.exchange.publishSnapshot()
            try await a.exchange.prune()
            try await tale.sweep(a)
            // The snapshot has them still.
            for path in try a.replica.list() where path.contains("/p-") { try a.replica.remove(path) }
            let d = try tale.newDevice("d")
            try await d.pass()
            let absent = try PruningTale.readable(d.store)
            #expect(absent.pruned > 0)
            // The files of a are lost for good; b, which has the values, publishes what is missing in its own lane.
            let lane = a.lane
            _ = try await a.exchange.leave()
            try await b.pass()
            for (path, _) in try a.replica.contents() where path.hasPrefix(lane) && !path.contains("/r-") {
                try a.replica.remove(path)
            }
            for _ in 0..<3 { try await b.pass() }
            #expect(try a.replica.list().contains { $0.hasPrefix(b.lane) })
            try await d.pass()
            let now = try PruningTale.readable(d.store)
            #expect(now.pruned == 0 && now.whole == absent.whole + absent.pruned)
            #expect(try d.store.verify().isEmpty)
        }
    }

    @Test func withoutASnapshotOrWithUnsentWorkNothingIsPruned() async throws {
        try await PruningTale.with { tale in
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            let error = await #expect(throws: FolderSyncError.self) { try await tale.a.exchange.prune() }
            #expect(error?.code == .notReady && error?.remedy.contains("snapshot") == true)
            try await tale.a.exchange.publishSnapshot()
            try tale.a.attach(to: SimulatedFolderTree(tale.directory + "/other"), creating: true)
            let unsent = await #expect(throws: FolderSyncError.self) { try await tale.a.exchange.prune() }
            #expect(unsent?.code == .unsent)
            try await tale.a.pass()
            // A snapshot that is not there in full is none, until it was written again; with a value's piece it is none either.
            for part in ["/p-", "/v-"] {
                let lost = try tale.a.replica.contents().filter { $0.key.contains(part) }
                for path in lost.keys { try tale.a.replica.remove(path) }
                let none = await #expect(throws: FolderSyncError.self) {
                    try await tale.a.exchange.prune(dryRun: true)
                }
                #expect(none?.code == .notReady && none?.remedy.contains("snapshot") == true, "\(part)")
            }
            #expect(try PruningTale.readable(tale.a.store).pruned == 0)
            #expect(try await tale.a.exchange.prune().values.values == 6)
        }
    }

    @Test func piecesOfPrunedValuesGoLastAndAreMissedByNobody() async throws {
        try await PruningTale.with { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            try await tale.live(&random)
            func pieces() throws -> Int { try a.replica.list().filter { $0.contains("/v-") }.count }
            #expect(try pieces() == 4)
            try await a.exchange.publishSnapshot()
            #expect(try await a.exchange.prune().pieces == 0)
            try await tale.sweep(a)
            #expect(try await a.exchange.prune().pieces == 0, "the snapshot may name them")
            for number in 0..<3 {
                try await a.save("more", "\(number)")
                try await a.exchange.publishSnapshot()
                try await b.pass()
            }
            #expect(try await a.exchange.prune().pieces == 3)
            #expect(try pieces() == 1)
            for _ in 0..<2 { #expect(try await a.pass().report.restored == 0) }
            #expect(try pieces() == 1)
            #expect(try tale.verification().isClean)
            let d = try tale.newDevice("d")
            #expect(try await d.pass().report.damaged.isEmpty)
            #expect(try d.values() == a.values())
            // Others missed the pieces, find that nothing is missing, and come to rest.
            try await tale.sweep(b, hours: 74)
            let report = try await b.pass().report
            #expect(report.carried == 0 && report.sent == 0 && report.waiting.isEmpty)
            #expect(try PruningTale.readable(b.store).pruned == 0)
            #expect(try pieces() == 1)
        }
    }

    @Test(arguments: [false, true]) func callsMayFailOrBeTheLast(dying: Bool) async throws {
        try await PruningTale.with { tale in
            let (a, b) = (tale.a, tale.b)
            var random = SimulatedFolderRandom(seed: 4)
            var pruned = 0
            for number in stride(from: dying ? 1 : 11, to: .max, by: 19) {
                try await tale.live(&random, times: 1)
                try await a.exchange.publishSnapshot()
                let values = try a.values()
                let calls = a.mortality.calls
                if dying {
                    a.mortality.die(atCall: number)
                } else {
                    a.mortality.fail(call: number, with: .inputOutput)
                }
                do {
                    _ = try await a.exchange.prune()
                } catch {
                    #expect(
                        error is FolderSyncError || error is StoreError || a.mortality.isDead, "\(number): \(error)")
                }
                let hasHappened = a.mortality.calls - calls >= number
                try a.reopen()
                #expect(try a.values() == values, "call \(number)")
                #expect(try tale.verification().problems.isEmpty, "call \(number)")
                pruned += try await a.exchange.prune().values.values
                #expect(try a.values() == values, "call \(number)")
                let outcome = try await b.pass()
                #expect(outcome.report.damaged.isEmpty && outcome.report.sent == 0, "call \(number)")
                if !hasHappened {
                    #expect(number > 30)
                    break
                }
            }
            try await tale.sweep(a)
            #expect(try a.store.verify().isEmpty)
            let found = try tale.verification()
            #expect(found.isClean, "\(found.findings)")
            let d = try tale.newDevice("d")
            #expect(try await d.pass().report.damaged.isEmpty)
            #expect(try d.values() == a.values())
            #expect(pruned > 0)
        }
    }
}
