import FileCoordination
import Foundation
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// A pass over a folder in which nothing happened, and what must not be missed by it.
@Suite("Resting passes", .timeLimit(.minutes(20)))
final class RestingTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "resting-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
    }

    private var folder: String { directory.appending(path: "shared").path }

    /// Two devices that are in step, and whose passes have nothing to do any more.
    private func pair() async throws -> (ExchangeDevice, ExchangeDevice) {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        try await a.set("x", "1")
        for _ in 0..<4 {
            try await a.pass()
            try await b.pass()
        }
        #expect(await a.exchange.rest != nil)
        #expect(await b.exchange.rest != nil)
        return (a, b)
    }

    @Test func aRestingPassSaysTheSameAndSeesEverySave() async throws {
        let (a, b) = try await pair()
        let mark = try a.store.storage.changeMark()
        #expect(try await a.pass() == a.pass())
        #expect(try a.store.storage.changeMark() == mark, "an idle pass writes nothing")
        // By another object, as by another process.
        let other = try Store.open(at: directory.appending(path: "a").path)
        try await StoreCoordinator(store: other).save([.insert(Value(id: "y", "2"))])
        #expect(try await a.pass().report.sent == 1)
        #expect(try await b.pass().report.imported == 1)
        #expect(try await b.get("y") == "2")
    }

    @Test func whateverChangesInTheFolderEndsTheRest() async throws {
        let (a, b) = try await pair()
        let lane = folder + "/\(a.exchange.attachment.lane)"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: lane).first)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: lane + "/" + name))
        // Overwritten in place: the directory looks as before.
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: lane + "/" + name))
        try file.write(contentsOf: Data(repeating: 0, count: bytes.count))
        try file.close()
        #expect(try await a.pass().report.restored == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: lane + "/" + name)) == bytes)
        for _ in 0..<3 { try await a.pass() }
        try FileManager.default.removeItem(atPath: lane + "/" + name)
        #expect(try await a.pass().report.restored == 1)
        try FileManager.default.moveItem(atPath: folder, toPath: folder + " away")
        await #expect(throws: FolderSyncError.self) { try await b.pass() }
        try FileManager.default.moveItem(atPath: folder + " away", toPath: folder)
        #expect(try await b.pass().report.damaged.isEmpty)
    }
}
