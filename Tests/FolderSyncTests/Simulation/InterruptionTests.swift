import FileCoordination
import FolderSync
import LLVSCore
import Synchronization
import TestSupport
import Testing

/// A file system in which one call fails, the n-th of those that are meant.
final class CountedFault: Sendable {
    private let errno: Errno
    private let number: Int
    private let isMeant: @Sendable (SimulatedFolderCall) -> Bool
    private let count = Mutex(0)

    init(
        _ errno: Errno, at number: Int, where isMeant: @escaping @Sendable (SimulatedFolderCall) -> Bool = { _ in true }
    ) {
        self.errno = errno
        self.number = number
        self.isMeant = isMeant
    }

    var hasHappened: Bool { count.withLock { $0 >= number } }

    var files: SimulatedFolderFaults {
        SimulatedFolderFaults { (call) throws(Errno) in
            guard call.kind != .close, self.isMeant(call) else { return }
            let isIt = self.count.withLock { count in
                count += 1
                return count == self.number
            }
            if isIt { throw self.errno }
        }
    }
}

/// Every call of a send and of a retrieve fails once, and is the last of a life once: the next pass finishes the work.
@Suite struct InterruptionTests {
    /// Two devices on one folder: work of the other to retrieve, own work of several files to send, one own file lost.
    private func prepare(_ group: SimulatedFolderGroup) async throws {
        let (a, b) = (group.devices[0], group.devices[1])
        var random = SimulatedFolderRandom(seed: 8)
        try await a.save("k", "1")
        try await a.pass()
        try await b.pass()
        try await b.save([.insert(Value(id: "big", bytes: random.bytes(20_000))), .insert(Value(id: "k", "by b"))])
        try await b.save("other", "by b")
        _ = try await b.exchange.send()
        let lost = try #require(try a.replica.list().first { $0.hasPrefix("\(a.lane)/e-") })
        try await a.save([.insert(Value(id: "large", bytes: random.bytes(20_000))), .insert(Value(id: "k", "by a"))])
        try a.replica.remove(lost)
    }

    private func finish(_ group: SimulatedFolderGroup, _ comment: String) async throws {
        let (a, b) = (group.devices[0], group.devices[1])
        try await a.pass()
        // What was to be done is done now: the other device gets everything.
        try await b.pass()
        #expect(try b.store.versionCount() >= 4, "\(comment)")
        try await group.settle()
        #expect(try group.brokenPromises().isEmpty, "\(comment)")
        let before = try a.replica.looks()
        for device in group.devices { try await device.pass() }
        #expect(try a.replica.looks() == before, "\(comment)")
    }

    @Test(arguments: [false, true]) func everyCallOfAPassMayFail(onDisk: Bool) async throws {
        for number in stride(from: 1, to: .max, by: onDisk ? 7 : 1) {
            let hasHappened = try await SimulatedFolderGroup.with(2, sharing: true, onDisk: onDisk) { group in
                try await prepare(group)
                let a = group.devices[0]
                let fault = CountedFault(.inputOutput, at: number)
                let exchange = FolderExchange(
                    store: a.store, attachment: a.exchange.attachment, files: fault.files, pause: { _ in })
                do {
                    _ = try await a.pass(exchange, a.coordinator)
                } catch {
                    #expect(error is FolderSyncError, "call \(number): \(error)")
                }
                try await finish(group, "failure of call \(number)")
                if onDisk { for device in group.devices { try device.store.close() } }
                return fault.hasHappened
            }
            if !hasHappened { return #expect(number > 50) }
        }
    }

    @Test(arguments: [false, true]) func everyCallOfAPassMayBeTheLast(onDisk: Bool) async throws {
        // Stores on disk are slow to make: every seventh call, each of them in memory.
        for number in stride(from: 1, to: .max, by: onDisk ? 7 : 1) {
            let hasDied = try await SimulatedFolderGroup.with(2, sharing: true, onDisk: onDisk) { group in
                try await prepare(group)
                let a = group.devices[0]
                a.mortality.die(atCall: number)
                do {
                    try await a.pass()
                } catch {
                    #expect(a.mortality.isDead, "call \(number): \(error)")
                }
                let hasDied = a.mortality.isDead
                try a.reopen()
                try await finish(group, "death at call \(number)")
                if onDisk { for device in group.devices { try device.store.close() } }
                return hasDied
            }
            if !hasDied { return #expect(number > 50) }
        }
    }
}
