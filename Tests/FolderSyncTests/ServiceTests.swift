import FolderSync
import Foundation
import LLVSCore
import Synchronization
import Testing

@Suite("Service", .timeLimit(.minutes(5)))
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

    /// States as they come.
    private static func service(
        _ device: ExchangeDevice, timing: FolderSyncService.Timing = .init()
    ) -> (FolderSyncService, AsyncStream<FolderSyncService.State>) {
        let (states, continuation) = AsyncStream<FolderSyncService.State>.makeStream()
        let service = FolderSyncService(coordinator: device.coordinator, exchange: device.exchange, timing: timing) {
            continuation.yield($0)
            if case .stopped = $0 { continuation.finish() }
        }
        return (service, states)
    }

    @Test func aFileThatArrivesIsTakenInWithoutAsking() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        let (service, states) = Self.service(b, timing: .init(atMost: .seconds(3_600)))
        let running = Task { try await service.run() }
        var hasSent = false
        for await state in states {
            guard case .following(let outcome) = state else { continue }
            if !hasSent {
                hasSent = true
                try await a.set("x", "hello")
                try await a.pass()
            } else if outcome.report.imported == 1 {
                break
            }
        }
        #expect(try await b.get("x") == "hello")
        running.cancel()
        try await running.value
    }

    @Test func aFolderThatGoesAwayIsWaitedFor() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        let timing = FolderSyncService.Timing(firstRetry: .milliseconds(20), longestRetry: .milliseconds(20))
        let (service, states) = Self.service(a, timing: timing)
        let away = folder + " away"
        let running = Task { try await service.run() }
        var stage = 0
        for await state in states {
            switch (stage, state) {
            case (0, .following):
                try FileManager.default.moveItem(atPath: folder, toPath: away)
                service.wake()
                stage = 1
            case (1, .offline(let reason, _)):
                #expect(reason.contains("missing or not mounted"))
                #expect(!FileManager.default.fileExists(atPath: folder))
                try FileManager.default.moveItem(atPath: away, toPath: folder)
                stage = 2
            case (2, .following): stage = 3
            default: break
            }
            if stage == 3 { break }
        }
        running.cancel()
        try await running.value
        #expect(try FolderVerification(of: folder).versions == 1)
    }

    @Test func anotherStoresFolderEndsIt() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let other = directory.appending(path: "other").path
        _ = try ExchangeDevice("b", in: directory, folder: other, creating: true)
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.copyItem(atPath: other, toPath: folder)
        let (service, _) = Self.service(a)
        await #expect(throws: FolderSyncError.self) { try await service.run() }
    }
}
