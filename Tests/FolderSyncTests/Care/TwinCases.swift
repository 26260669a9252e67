import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// Stores that exist twice, and stores that are set back: they heal by themselves.
@Suite final class TwinCases {
    private let directory: URL
    private var folder: String { directory.appending(path: "shared").path }
    private var replica: SimulatedFolderTree { SimulatedFolderTree(folder) }
    /// Every file that was ever in the folder.
    private var written: [String: [UInt8]] = [:]
    private var notices: [String: [String]] = [:]

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "twins-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
    }

    private func place(_ name: String) -> URL { directory.appending(path: name) }

    /// A device that made a version and sent it, a copy of it, and another.
    private func clones() async throws -> [ExchangeDevice] {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        try await a.set("x", "1")
        try await a.pass()
        try a.store.close()
        try FileManager.default.copyItem(at: place("a"), to: place("twin"))
        return try ["a", "twin"].map { try ExchangeDevice(opening: place($0).path, folder: folder) } + [b]
    }

    /// A pass that writes no name twice with different bytes.
    private func pass(_ device: ExchangeDevice) async throws {
        let outcome = try await device.pass()
        #expect(outcome.sendFailure == nil)
        notices[device.store.path ?? "", default: []] += outcome.report.notices.map(\.reason)
        for (file, bytes) in try replica.contents() {
            #expect(written[file] ?? bytes == bytes, "\(file) was written twice")
            written[file] = bytes
        }
    }

    private func finish(_ devices: [ExchangeDevice], rounds: Int = 3) async throws {
        for _ in 0..<rounds { for device in devices { try await pass(device) } }
        let heads = try devices[0].store.heads().map(\.id)
        for device in devices {
            #expect(try device.store.heads().map(\.id) == heads)
            #expect(try await device.pass().report.waiting.isEmpty)
            #expect(try device.store.verify().isEmpty)
        }
        let verification = try FolderVerification(of: folder)
        #expect(verification.isClean, "\(verification.findings)")
    }

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func clonesTakeLanesOfTheirOwnInWhateverOrderTheySync(order: [Int]) async throws {
        let devices = try await clones()
        let old = devices[0].exchange.attachment.lane
        #expect(devices[1].exchange.attachment.lane == old)
        try await devices[0].set("by-a", "1")
        try await devices[0].set("by-a-too", "1")
        try await devices[1].set("by-twin", "2")
        try await finish(order.map { devices[$0] })
        for device in devices {
            #expect(try await [device.get("by-a"), device.get("by-a-too"), device.get("by-twin")] == ["1", "1", "2"])
        }
        let lanes = Set(devices.map(\.exchange.attachment.lane))
        #expect(lanes.count == 3 && !lanes.contains(old))
        #expect(notices.values.map(\.count).sorted() == [0, 1, 1], "each twin says so once: \(notices)")
    }

    @Test func twinsThatTakeTurnsNeverOverwriteOneAnother() async throws {
        let devices = try await clones()
        for round in 0..<10 {
            for (index, device) in devices[..<2].enumerated() {
                try await device.set("k\(index)-\(round)", "x")
                try await pass(device)
            }
        }
        try await finish(devices)
        for device in devices {
            #expect(try device.store.valueCount(at: try await device.coordinator.current()) == 21)
        }
        #expect(notices.values.map(\.count).sorted() == [0, 1, 1])
    }

    @Test func twinsThatSentTheSameNumbersBeforeTheyMetKeepBoth() async throws {
        let devices = try await clones()
        // Each on a replica of its own: both use the numbers from 2 on before they see each other's.
        let other = SimulatedFolderTree(place("replica").path)
        try other.make(copying: replica)
        let twin = try ExchangeDevice(opening: devices[1].store, moving: other.path)
        for number in 0..<3 {
            try await devices[0].set("a\(number)", "1")
            try await pass(devices[0])
            try await twin.set("t\(number)", "2")
            try await twin.pass()
        }
        for (file, bytes) in try other.contents() where try replica.read(file) == nil {
            try replica.write(bytes, to: file)
        }
        let back = try ExchangeDevice(opening: devices[1].store, moving: folder)
        try await finish([devices[0], back, devices[2]])
        for device in [devices[0], back, devices[2]] {
            #expect(try device.store.valueCount(at: try await device.coordinator.current()) == 7)
        }
    }

    @Test func aStoreRestoredFromABackupLearnsWhatItHadSentAndUsesNoNumberTwice() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        let k: Value.ID = "k"
        for number in 0..<10 {
            try await a.set(number == 0 ? "k" : "n\(number)", "x")
            try await a.pass()
        }
        try a.store.close()
        try FileManager.default.copyItem(at: place("a"), to: place("backup"))
        let later = try ExchangeDevice(opening: place("a").path, folder: folder)
        for number in 10..<20 {
            if number == 15 {
                try await later.coordinator.save([.remove(k)])
            } else {
                try await later.set("n\(number)", "x")
            }
            try await pass(later)
        }
        try later.store.close()
        try FileManager.default.removeItem(at: place("a"))
        try FileManager.default.moveItem(at: place("backup"), to: place("a"))
        let restored = try ExchangeDevice(opening: place("a").path, folder: folder)
        try await restored.set("m", "edited after the restore")
        let lane = restored.exchange.attachment.lane.description
        let before = try replica.contents().filter { $0.key.hasPrefix(lane) }
        try await finish([restored, b])
        #expect(try replica.contents().filter { $0.key.hasPrefix(lane) } == before)
        for device in [restored, b] {
            #expect(try await device.get("k") == nil)
            #expect(try await device.get("m") == "edited after the restore")
            #expect(try device.store.versionCount() == 21)
        }
    }

    @Test func aTwinThatHadCarriedForOthersAnnouncesNothingThatIsNotThere() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let gone = try ExchangeDevice("gone", in: directory, folder: folder)
        for number in 0..<3 {
            try await gone.set("g\(number)", "x")
            try await gone.pass()
        }
        try await a.pass()
        _ = try await gone.exchange.leave()
        try replica.remove(try #require(try replica.list().first { $0.contains("/e-2-") }))
        #expect(try await a.pass().report.carried == 1)
        try a.store.close()
        try FileManager.default.copyItem(at: place("a"), to: place("twin"))
        let devices = try ["a", "twin"].map { try ExchangeDevice(opening: place($0).path, folder: folder) }
        for device in devices { try await device.set("more", device.store.path ?? "") }
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        try await finish(devices + [b])
    }

    @Test func anotherProcessOfTheStoreGoesOnInTheNewLane() async throws {
        let devices = try await clones()
        let second = FolderExchange(
            store: devices[1].store, attachment: devices[1].exchange.attachment, pause: { _ in })
        try await devices[0].set("by-a", "1")
        try await pass(devices[0])
        try await pass(devices[1])
        try await devices[1].set("more", "2")
        _ = try await second.pass(devices[1].coordinator)
        #expect(second.attachment == devices[1].exchange.attachment)
        try await finish(devices)
    }
}

extension ExchangeDevice {
    /// The same store and lane, on another replica of the folder.
    fileprivate init(opening store: Store, moving folder: String) throws {
        let known = try #require(try FolderExchange.attachments(of: store).first)
        let away = known.folder + ".away"
        try FileManager.default.moveItem(atPath: known.folder, toPath: away)
        defer { do { try FileManager.default.moveItem(atPath: away, toPath: known.folder) } catch { print(error) } }
        try self.init(opening: store, folder: folder)
    }
}
