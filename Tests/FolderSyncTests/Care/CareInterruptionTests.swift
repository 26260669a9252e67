import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Calls of adopting, leaving and carrying fail, or are the last of a life: the next finishes the work.
@Suite struct CareInterruptionTests {
    private func interrupt(_ device: SimulatedFolderDevice, at number: Int, dying: Bool) {
        if dying {
            device.mortality.die(atCall: number)
        } else {
            device.mortality.fail(call: number, with: .inputOutput)
        }
    }

    /// Runs `body` with interruptions at calls one after the other until none comes; it returns whether it came. Failing and
    /// dying meet every fifth call each, not the same ones.
    private func calls(dying: Bool, atLeast least: Int, _ body: (Int) async throws -> Bool) async throws {
        for number in stride(from: dying ? 1 : 3, to: .max, by: 5) where try await !body(number) {
            return #expect(number > least)
        }
    }

    private func attempt(_ device: SimulatedFolderDevice, _ comment: String, _ body: () async throws -> Void)
        async throws
    {
        do { try await body() } catch {
            #expect(error is FolderSyncError || error is StoreError, "\(comment): \(error)")
        }
    }

    @Test(arguments: [false, true]) func adopting(dying: Bool) async throws {
        try await calls(dying: dying, atLeast: 30) { number in
            var hasCome = false
            try await AdoptCases.meeting { p, q in
                let former = try FolderExchange.identity(of: p.store)
                let before = p.mortality.calls
                interrupt(p, at: number, dying: dying)
                try await attempt(p, "call \(number)") {
                    try await FolderExchange.adopt(p.store, into: p.replica.path, files: p.mortality.files)
                    try await p.pass()
                }
                hasCome = p.mortality.calls - before >= number
                try p.reopen()
                #expect(try FolderExchange.attachments(of: p.store).count == 1, "call \(number)")
                // Only the explicit call is repeated, and only if it did not come to its end.
                if try FolderExchange.identity(of: p.store) == former {
                    try await FolderExchange.adopt(p.store, into: p.replica.path)
                }
                for device in [p, q, p] {
                    try await device.pass()
                    try AdoptCases.exchangeFiles(p, q)
                }
                try await q.pass()
                #expect(try p.values() == q.values(), "call \(number)")
                #expect(try FolderVerification(of: p.replica.path).isClean, "call \(number)")
            }
            return hasCome
        }
    }

    @Test(arguments: [false, true]) func leaving(dying: Bool) async throws {
        try await calls(dying: dying, atLeast: 20) { number in
            try await SimulatedFolderGroup.with(2, sharing: true) { group in
                let (a, b) = (group.devices[0], group.devices[1])
                try await a.save("k", "1")
                let before = a.mortality.calls
                interrupt(a, at: number, dying: dying)
                try await attempt(a, "call \(number)") { _ = try await a.exchange.leave() }
                let hasCome = a.mortality.calls - before >= number
                try a.reopen()
                if try !FolderExchange.attachments(of: a.store).isEmpty {
                    try await a.pass()
                    _ = try await a.exchange.leave()
                }
                #expect(try FolderExchange.attachments(of: a.store).isEmpty)
                try await b.pass()
                #expect(try b.text("k") == "1", "call \(number)")
                #expect(try await b.exchange.lanes().allSatisfy { $0.isMine || $0.isRetired }, "call \(number)")
                #expect(try FolderVerification(of: a.replica.path).isClean, "call \(number)")
                return hasCome
            }
        }
    }

    @Test(arguments: [false, true]) func carrying(dying: Bool) async throws {
        try await calls(dying: dying, atLeast: 50) { number in
            try await SimulatedFolderGroup.with(2, sharing: true) { group in
                let (a, b) = (group.devices[0], group.devices[1])
                for number in 0..<3 {
                    try await a.save(try Value.ID("k\(number)"), "x")
                    try await a.pass()
                }
                try await b.pass()
                let files = try a.replica.list().filter { $0.contains("/e-") }
                _ = try await a.exchange.leave()
                try a.replica.remove(files[1])
                let before = b.mortality.calls
                interrupt(b, at: number, dying: dying)
                try await attempt(b, "call \(number)") { try await b.pass() }
                let hasCome = b.mortality.calls - before >= number
                try b.reopen()
                try await b.pass()
                let d = try SimulatedFolderDevice("d", replica: b.replica.path, seed: 9)
                let report = try await d.pass().report
                #expect(report.imported == 3 && report.waiting.isEmpty, "call \(number): \(report)")
                #expect(try FolderVerification(of: b.replica.path).isClean, "call \(number)")
                let looks = try b.replica.looks()
                try await b.pass()
                #expect(try b.replica.looks() == looks, "call \(number): an idle pass writes nothing")
                return hasCome
            }
        }
    }
}
