import FileCoordination
import Foundation
import LLVSCore
import Synchronization
import TestSupport
import Testing

@testable import FolderSync

@Suite("Service", .timeLimit(.minutes(20)))
final class ServiceTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "service-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
    }

    private var folder: String { directory.appending(path: "shared").path }

    private static let rarely = FolderSyncService.Timing(atMost: .seconds(3_600))

    /// Runs a service while `body` does.
    private static func running(_ service: FolderSyncService, _ body: () async throws -> Void) async throws {
        let task = Task { try await service.run() }
        defer { task.cancel() }
        try await body()
        task.cancel()
        try await task.value
    }

    @Test func aFileThatArrivesIsTakenInWithoutAsking() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        let service = FolderSyncService(coordinator: b.coordinator, exchange: b.exchange, timing: Self.rarely)
        let passes = service.passes
        try await Self.running(service) {
            var hasSent = false
            for await pass in passes {
                if !hasSent {
                    hasSent = true
                    try await a.set("x", "hello")
                    try await a.pass()
                } else if pass.report.imported == 1 {
                    break
                }
            }
            #expect(try await b.get("x") == "hello")
        }
    }

    /// As on network file systems: no event comes, since the kernel is not asked.
    @Test func whereNothingIsToldTheFolderIsLookedAt() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        var watching = WatchOptions()
        watching.pollsOnly = true
        watching.pollInterval = .milliseconds(20)
        let service = FolderSyncService(
            coordinator: b.coordinator, exchange: b.exchange, timing: Self.rarely, watching: watching)
        try await Self.running(service) {
            #expect(await eventually { service.connection == .following })
            try await a.set("x", "hello")
            try await a.pass()
            #expect(try await eventually { try await b.get("x") == "hello" })
        }
    }

    @Test func aSaveIsSentWithoutAskingAndAStormOfThemInFewPasses() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let clock = ManualClock()
        let timing = FolderSyncService.Timing(atMost: .seconds(3_600), minimumPause: .seconds(10))
        let service = FolderSyncService(
            coordinator: a.coordinator, exchange: a.exchange, timing: timing, clock: clock)
        let passes = service.passes
        let count = Shared(0)
        try await Self.running(service) {
            let counting = Task {
                for await _ in passes { count.change { $0 += 1 } }
            }
            #expect(await eventually { service.connection == .following })
            for number in 0..<50 { try await a.set("x", "\(number)") }
            // The pause after the first pass holds the second back, whatever comes.
            for _ in 0..<9 { clock.advance(by: .seconds(1)) }
            #expect(try a.store.waiting(in: a.exchange) > 0)
            #expect(
                try await eventually {
                    clock.advance(by: .seconds(1))
                    return try a.store.waiting(in: a.exchange) == 0
                })
            #expect(count.value <= 4)
            counting.cancel()
        }
        #expect(try FolderVerification(of: folder).versions == 50)
    }

    @Test func aFolderThatGoesAwayIsWaitedFor() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        let timing = FolderSyncService.Timing(
            minimumPause: .zero, firstRetry: .milliseconds(20), longestRetry: .milliseconds(20))
        let service = FolderSyncService(coordinator: a.coordinator, exchange: a.exchange, timing: timing)
        let away = folder + " away"
        try await Self.running(service) {
            #expect(await eventually { service.connection == .following && a.coordinator.connection == .following })
            try FileManager.default.moveItem(atPath: folder, toPath: away)
            service.wake()
            #expect(
                await eventually {
                    guard case .offline(let reason, let delay) = service.connection else { return false }
                    return reason.contains("missing or not mounted") && delay == .milliseconds(20)
                })
            #expect(!FileManager.default.fileExists(atPath: folder))
            // The coordinator hears of it a moment later.
            let isTold = await eventually {
                if case .offline = a.coordinator.connection { true } else { false }
            }
            #expect(isTold, "\(a.coordinator.connection)")
            try FileManager.default.moveItem(atPath: away, toPath: folder)
            #expect(await eventually { service.connection == .following })
        }
        #expect(a.coordinator.connection == .stopped(reason: nil))
        #expect(try FolderVerification(of: folder).versions == 1)
    }

    private struct Unexpected: Error {}

    @Test func anotherStoresFolderEndsIt() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let other = directory.appending(path: "other").path
        _ = try ExchangeDevice("b", in: directory, folder: other, creating: true)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: other, toPath: folder)
        let service = FolderSyncService(coordinator: a.coordinator, exchange: a.exchange)
        let states = service.states
        await #expect(throws: FolderSyncError.self) { try await service.run() }
        var last: ConnectionState?
        for await state in states { last = state }
        guard case .stopped(.some) = last else { throw Unexpected() }
    }

    /// Two folders of one store, of which one lies in the folder of another store, each with a service.
    @Test func aStoreHasSeveralFoldersAndATreeSeveralStores() async throws {
        let inner = folder + "/inner"
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: inner, creating: true)
        let far = directory.appending(path: "far").path
        let onFar = FolderExchange(
            store: b.store, attachment: try FolderExchange.attach(b.store, to: far, creating: true))
        let c = try ExchangeDevice("c", in: directory, folder: far)
        let services = [(a.coordinator, a.exchange), (b.coordinator, b.exchange), (b.coordinator, onFar)].map {
            FolderSyncService(coordinator: $0, exchange: $1, timing: Self.rarely)
        }
        try await Self.running(services[0]) {
            try await Self.running(services[1]) {
                try await Self.running(services[2]) {
                    try await a.set("of a", "1")
                    try await b.set("of b", "2")
                    #expect(
                        try await eventually {
                            try await c.pass()
                            return try await c.get("of b") == "2"
                        })
                    try await c.set("of c", "3")
                    try await c.pass()
                    #expect(try await eventually { try FolderVerification(of: inner).versions == 2 })
                    #expect(try await eventually { try FolderVerification(of: self.folder).versions == 1 })
                }
            }
        }
        #expect(try await b.get("of a") == nil)
        #expect(try await b.get("of c") == "3")
    }

    @Test func pausesAfterFailuresGrowUntilAllWasWellForFiveMinutes() {
        var backoff = Backoff(FolderSyncService.Timing())
        let growing = (0..<8).map { backoff.failed(at: .seconds($0)) }
        #expect(growing == [5, 10, 20, 40, 80, 160, 300, 300].map { .seconds($0) })
        backoff.succeeded(at: .seconds(1_000))
        #expect(backoff.failed(at: .seconds(1_299)) == .seconds(300))
        backoff.succeeded(at: .seconds(2_000))
        backoff.succeeded(at: .seconds(2_290))
        #expect(backoff.failed(at: .seconds(2_300)) == .seconds(5))
    }

    /// Cancelled at each report of progress in turn: what the next pass finds is what it would have found.
    @Test func aPassCancelledAnywhereIsFinishedByTheNext() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        for number in 0..<4 {
            try await a.set("small \(number)", "\(number)")
            try await a.pass()
        }
        let large = [UInt8](repeating: 7, count: 1_100_000)
        try await a.coordinator.save([.insert(Value(id: Value.ID("large"), bytes: large))])
        try await a.pass()
        var cancelled = 0
        for call in 1... {
            let copy = directory.appending(path: "copy-\(call)").path
            try FileManager.default.copyItem(atPath: folder, toPath: copy)
            let store = try Store.create(at: directory.appending(path: "b-\(call)").path)
            let coordinator = StoreCoordinator(store: store)
            let attachment = try FolderExchange.attach(store, to: copy)
            try await coordinator.save([.insert(Value(id: Value.ID("own"), bytes: large + [1]))])
            let calls = Mutex(0)
            let exchange = FolderExchange(
                store: store, attachment: attachment, pause: { _ in },
                progress: { _ in
                    let number = calls.withLock { count in
                        count += 1
                        return count
                    }
                    if number == call { withUnsafeCurrentTask { $0?.cancel() } }
                })
            do {
                _ = try await Task { try await exchange.pass(coordinator) }.value
            } catch is CancellationError {
                cancelled += 1
            }
            let isLast = calls.withLock { $0 } < call
            _ = try await exchange.pass(coordinator)
            #expect(try store.valueCount(at: try await coordinator.current()) == 6, "call \(call)")
            let verification = try FolderVerification(of: copy)
            #expect(verification.versions == 6 && verification.isClean, "call \(call)")
            try FileManager.default.removeItem(atPath: copy)
            if isLast { break }
        }
        #expect(cancelled > 4)
    }
}

extension Store {
    fileprivate func waiting(in exchange: FolderExchange) throws -> Int { try unsent(in: exchange.attachment) }
}
