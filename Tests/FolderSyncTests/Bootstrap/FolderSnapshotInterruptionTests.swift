import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// A device dies, or a call fails, at any call of setting up from a snapshot and of writing one.
@Suite("Interrupted snapshots")
struct FolderSnapshotInterruptionTests {
    @Test(arguments: [false, true]) func settingUpMayEndAtAnyCallAndIsNeverHalf(failing: Bool) async throws {
        try await SnapshotTale.with { tale in
            let whole = try await tale.publish(from: tale.a).versions
            try tale.removeEntries()
            let names = try tale.tree.everyName()
            var resumed = 0
            for number in stride(from: 1, to: .max, by: failing ? 3 : 1) {
                let d = try tale.newDevice("d\(number)")
                if failing {
                    d.mortality.fail(call: number, with: .inputOutput)
                } else {
                    d.mortality.die(atCall: number)
                }
                let calls = d.mortality.calls
                do {
                    _ = try await d.exchange.retrieve()
                } catch {
                    #expect(error is FolderSyncError || error is StoreError, "call \(number): \(error)")
                }
                let hasHappened = d.mortality.calls - calls >= number
                let count = try d.store.versionCount()
                #expect(count == 0 || count == whole, "call \(number): \(count) versions")
                try d.reopen()
                let begun = try d.store.inspect { view in
                    try ExchangeZones(lane: d.exchange.attachment.lane).bootstrapRecord(in: view.reader)
                }
                if begun != nil {
                    resumed += 1
                    let sent = try await d.exchange.send()
                    #expect(sent.sent == 0 && !sent.waiting.isEmpty, "call \(number)")
                }
                try await d.pass()
                #expect(try tale.tree.everyName() == names, "call \(number)")
                if number % 8 == 0 || !hasHappened { try SnapshotTale.expectSame(d, tale.a, "call \(number)") }
                #expect(try d.store.versionCount() == whole, "call \(number)")
                if !hasHappened {
                    #expect(number > 20 && (failing || resumed > 5))
                    break
                }
            }
        }
    }

    @Test func whatWasStagedIsNotReadAgain() async throws {
        try await SnapshotTale.with { tale in
            let set = try tale.files(of: try await tale.publish(from: tale.a).set)
            try tale.removeEntries()
            // The last piece is not there in full: all before it is staged, and then the set is given up.
            let last = try #require(set.last)
            let bytes = try #require(try tale.tree.read(last))
            let d = try tale.newDevice()
            try tale.tree.write(FormatSamples.flipped(bytes, bit: bytes.count * 4), to: last)
            #expect(try await d.exchange.retrieve().damaged.isEmpty == false)
            let rows = try d.everyVersion()
            #expect(try rows.count > 5 && d.store.versionCount() == 0 && d.store.heads().isEmpty)
            try tale.tree.write(bytes, to: last)
            try await d.pass()
            try SnapshotTale.expectSame(d, tale.a)
            #expect(try d.store.verify(.deep).isEmpty)
        }
    }

    @Test func whatIsSavedBeforeTheStoreIsReadyMergesWithWhatComes() async throws {
        try await SnapshotTale.with { tale in
            _ = try await tale.publish(from: tale.a)
            var found: SimulatedFolderDevice?
            for number in stride(from: 10, to: 200, by: 5) where found == nil {
                let d = try tale.newDevice("d\(number)")
                d.mortality.die(atCall: number)
                do { _ = try await d.exchange.retrieve() } catch { #expect(d.mortality.isDead, "\(error)") }
                try d.reopen()
                let begun = try d.store.inspect { view in
                    try ExchangeZones(lane: d.exchange.attachment.lane).bootstrapRecord(in: view.reader)
                }
                if let begun, begun.staged > 3 { found = d }
            }
            let d = try #require(found)
            try await d.save("mine", "early")
            for device in [d, tale.a, tale.b, d, tale.a] { try await device.pass() }
            #expect(try d.text("mine") == "early" && tale.a.text("mine") == "early")
            #expect(try d.text("k0") == tale.a.text("k0") && d.text("k0") != nil)
            try SnapshotTale.expectSame(d, tale.a)
            #expect(try d.current() == tale.a.current())
        }
    }

    @Test(arguments: [false, true]) func writingOneMayEndAtAnyCall(failing: Bool) async throws {
        for number in stride(from: 1, to: .max, by: failing ? 11 : 5) {
            let hasHappened = try await SnapshotTale.with { tale in
                let a = tale.a
                let calls = a.mortality.calls
                if failing {
                    a.mortality.fail(call: number, with: .inputOutput)
                } else {
                    a.mortality.die(atCall: number)
                }
                do { _ = try await tale.publish(from: a) } catch {
                    #expect(error is FolderSyncError || error is StoreError, "call \(number): \(error)")
                }
                let hasHappened = a.mortality.calls - calls >= number
                try a.reopen()
                // A device that joins in between finds a whole set or reads the entries.
                let d = try tale.newDevice("d")
                try await d.pass()
                try SnapshotTale.expectSame(d, a, "call \(number)")
                let set = try await tale.publish(from: a)
                #expect(try tale.files(of: set.set).count == set.files, "call \(number)")
                try tale.removeEntries()
                let e = try tale.newDevice("e")
                try await e.pass()
                #expect(try e.store.versionCount() == set.versions, "call \(number)")
                return hasHappened
            }
            if !hasHappened { return #expect(number > 20) }
        }
    }
}
