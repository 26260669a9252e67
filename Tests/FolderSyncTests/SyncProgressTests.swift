import FolderSync
import LLVSCore
import TestSupport
import Testing

/// How far a pass is, in versions and bytes.
@Suite("Progress")
struct SyncProgressTests {
    private func recording(_ device: SimulatedFolderDevice) -> (FolderExchange, Shared<[SyncProgress]>) {
        let steps = Shared<[SyncProgress]>([])
        let exchange = FolderExchange(
            store: device.store, attachment: device.exchange.attachment, files: device.mortality.files,
            pause: { _ in }, progress: { step in steps.change { $0.append(step) } })
        return (exchange, steps)
    }

    /// That a phase begins at nothing, never goes back, keeps its totals and ends at them.
    private func expectWhole(_ steps: [SyncProgress], versions: Int?, _ comment: String) throws {
        let first = try #require(steps.first, "\(comment)")
        let last = try #require(steps.last, "\(comment)")
        #expect(first.done == 0 && first.bytes?.done == 0, "\(comment)")
        #expect(last.done == last.total && last.bytes?.done == last.bytes?.total, "\(comment)")
        #expect(last.versions?.done == versions && last.versions?.total == versions, "\(comment)")
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(step.total == next.total && step.bytes?.total == next.bytes?.total, "\(comment)")
            #expect(step.versions?.total == next.versions?.total, "\(comment)")
            let goesOn = try step.done <= next.done && #require(step.bytes).done <= #require(next.bytes).done
            #expect(goesOn && step.versions?.done ?? 0 <= next.versions?.done ?? 0, "\(comment): \(step), \(next)")
        }
    }

    /// Small values, shared pieces, and one of several pieces: 17 MB in all.
    private func fill(_ a: SimulatedFolderDevice) async throws {
        var random = SimulatedFolderRandom(seed: 4)
        for number in 0..<5 { try await a.save("small", "text \(number)") }
        try await a.save([
            .insert(Value(id: "shared 1", bytes: random.bytes(40_000))), .insert(Value(id: "empty", bytes: [])),
            .insert(Value(id: "shared 2", bytes: random.bytes(50_000))), .insert(Value(id: "inline", "x")),
        ])
        // Three pieces, of which no two are the same.
        let huge = [UInt8](repeating: 1, count: 8 << 20) + [UInt8](repeating: 2, count: 17_000_000 - (8 << 20))
        try await a.save([.insert(Value(id: "huge", bytes: huge))])
        try await a.save([.remove("small")])
    }

    @Test func sendingAndRetrievingCountVersionsAndBytesUpToTheirTotals() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            try await fill(a)
            let (exchange, steps) = recording(a)
            let sent = try await a.pass(exchange, a.coordinator).report
            let sending = steps.value.filter { $0.phase == .sending }
            try expectWhole(sending, versions: 8, "sending")
            #expect(sending.last?.bytes?.total == sent.sentByteCount && sent.sentByteCount > 17_090_000)
            // Each piece of the large value is a step of its own.
            #expect(Set(sending.compactMap(\.bytes?.done)).count >= 5)
            let b = try SimulatedFolderDevice("b", replica: directory + "/folder", seed: 2)
            let (retrieving, told) = recording(b)
            let came = try await b.pass(retrieving, b.coordinator).report
            let reading = told.value.filter { $0.phase == .reading }
            try expectWhole(reading, versions: 8, "reading")
            #expect(came.imported == 8 && came.readByteCount == reading.last?.bytes?.total)
            let importing = told.value.filter { $0.phase == .importing }
            try expectWhole(importing, versions: 3, "importing")
            #expect(importing.last?.bytes?.total == 17_090_000)
            #expect(Set(importing.compactMap(\.bytes?.done)).count >= 5)
            let idle = try await b.pass(retrieving, b.coordinator).report
            #expect(idle.readByteCount == 0 && idle.sentByteCount == 0)
        }
    }

    @Test func aSendThatGoesOnCountsWhatIsThereAlready() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            try await fill(a)
            let (interrupted, before) = recording(a)
            var pieces = 0
            for call in stride(from: 60, to: 2_000, by: 20) where pieces < 2 {
                a.mortality.die(atCall: call)
                do { _ = try await interrupted.send() } catch { #expect(a.mortality.isDead, "\(error)") }
                pieces = try a.replica.list().count { $0.contains("/v-") }
                if pieces < 2 { a.mortality.revive() }
            }
            #expect(pieces >= 2 && !before.value.isEmpty)
            try a.reopen()
            let (exchange, steps) = recording(a)
            let report = try await exchange.send()
            let sending = steps.value.filter { $0.phase == .sending }
            try expectWhole(sending, versions: report.sent, "sending")
            #expect(sending.last?.bytes?.total == report.sentByteCount)
        }
    }
}
