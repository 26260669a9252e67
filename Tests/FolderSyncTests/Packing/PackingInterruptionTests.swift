import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Calls of a pass that packs, and of the one that takes the old files away, fail, or are the last of a life: every sixth
/// call, the one test beginning with the first and the other with the fourth.
@Suite struct PackingInterruptionTests {
    /// One of the two, at each call in turn, on a lane that grows by sixteen versions each time.
    private func interrupt(
        _ what: String, from start: Int, _ body: (SimulatedFolderDevice, Int) async throws -> Bool
    ) async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for (call, number) in zip(stride(from: start, to: .max, by: 6), 1...) {
                for save in 0..<15 { try await a.save("k", "\(number) \(save)") }
                try await a.pass()
                try await a.save("k", "last of \(number)")
                let hasHappened = try await body(a, call)
                // Three passes finish it: one finds what was written, one packs what is left, one takes away.
                for _ in 0..<3 { #expect(try await a.pass().report.damaged.isEmpty, "\(what) \(call)") }
                let lengths = try a.entries().map { file in
                    let numbers = file.split(separator: "/")[1].split(separator: "-")
                    return try #require(Int(numbers[2])) - #require(Int(numbers[1])) + 1
                }
                #expect(lengths.reduce(0, +) == number * 16, "\(what) \(call): nothing stands twice")
                #expect(lengths.count == number / 16 + number % 16, "\(what) \(call)")
                try await b.pass()
                #expect(try b.store.versionCount() == number * 16, "\(what) \(call)")
                if !hasHappened {
                    #expect(call > 90)
                    break
                }
            }
            let d = try SimulatedFolderDevice("d", replica: a.replica.path, seed: 9)
            try await d.pass()
            #expect(try d.everything() == a.everything())
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func callsMayFail() async throws {
        try await interrupt("failure of call", from: 1) { a, number in
            let fault = CountedFault(.inputOutput, at: number)
            let exchange = FolderExchange(
                store: a.store, attachment: a.exchange.attachment, files: fault.files, pause: { _ in })
            for _ in 0..<2 {
                do {
                    _ = try await a.pass(exchange, a.coordinator)
                } catch {
                    #expect(error is FolderSyncError, "call \(number): \(error)")
                }
            }
            return fault.hasHappened
        }
    }

    @Test func callsMayBeTheLast() async throws {
        try await interrupt("death at call", from: 4) { a, number in
            a.mortality.die(atCall: number)
            do {
                for _ in 0..<2 { try await a.pass() }
            } catch {
                #expect(a.mortality.isDead, "call \(number): \(error)")
            }
            let hasDied = a.mortality.isDead
            try a.reopen()
            return hasDied
        }
    }
}
