import FolderSync
import Foundation
import LLVSCore
import TestSupport
import Testing

/// A store, its coordinator and its exchange in a directory that is removed with it.
struct ExchangeDevice {
    let store: Store
    let coordinator: StoreCoordinator
    let exchange: FolderExchange

    init(_ name: String, in directory: URL, folder: String, creating: Bool = false) throws {
        store = try Store.create(at: directory.appending(path: name).path)
        let attachment = try FolderExchange.attach(store, to: folder, creating: creating)
        coordinator = StoreCoordinator(store: store)
        exchange = FolderExchange(store: store, attachment: attachment, pause: { _ in })
    }

    /// A store that is there, attached again.
    init(opening path: String, folder: String) throws {
        try self.init(opening: try Store.open(at: path), folder: folder)
    }

    init(opening store: Store, folder: String) throws {
        self.store = store
        coordinator = StoreCoordinator(store: store)
        exchange = FolderExchange(
            store: store, attachment: try FolderExchange.attach(store, to: folder), pause: { _ in })
    }

    @discardableResult
    func pass() async throws -> PassOutcome { try await exchange.pass(coordinator) }

    func set(_ id: String, _ text: String) async throws {
        let id = try Value.ID(id)
        let current = try await coordinator.current()
        let change: Value.Change =
            try store.reference(of: id, at: current) == nil
            ? .insert(Value(id: id, text)) : .update(Value(id: id, text))
        try await coordinator.save([change])
    }

    func get(_ id: String) async throws -> String? {
        let bytes = try store.bytes(of: try Value.ID(id), at: try await coordinator.current())
        return bytes.map { String(decoding: $0, as: UTF8.self) }
    }
}

@Suite("Exchange")
final class ExchangeTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "exchange-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do { try FileManager.default.removeItem(at: directory) } catch { print("left behind: \(directory.path)") }
    }

    private var folder: String { directory.appending(path: "shared").path }

    @Test func editsOfBothDevicesMergeAndSettle() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        try await a.set("x", "from a")
        try await b.set("y", "from b")
        for device in [a, b, a, b] { try await device.pass() }
        #expect(try await a.get("x") == "from a")
        #expect(try await a.get("y") == "from b")
        #expect(try await a.coordinator.current() == b.coordinator.current())
        let current = try await a.coordinator.current()
        #expect(try a.store.digest(at: current) == b.store.digest(at: current))
        let idle = try await a.pass()
        #expect(idle.report.imported == 0 && idle.report.sent == 0)
        #expect(try a.store.verify().isEmpty && b.store.verify().isEmpty)
        #expect(try FolderVerification(of: folder).isClean)
    }

    @Test func aConflictIsResolvedAlike() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        try await a.set("x", "common")
        for device in [a, b] { try await device.pass() }
        try await a.set("x", "by a")
        try await b.set("x", "by b")
        for device in [a, b, a, b] { try await device.pass() }
        #expect(try await a.get("x") == b.get("x"))
        #expect(try await a.coordinator.current() == b.coordinator.current())
        #expect(try a.store.heads().map(\.id) == b.store.heads().map(\.id))
        #expect(try a.store.heads().count == 1)
    }

    @Test func valuesOfAllSizesTravel() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        let b = try ExchangeDevice("b", in: directory, folder: folder)
        let sizes = [0, 1, 16 << 10, (16 << 10) + 1, 1 << 20, (1 << 20) + 1, 9 << 20]
        var random = SimulatedFolderRandom(seed: 31)
        var changes = try sizes.map { size in
            Value.Change.insert(Value(id: try Value.ID("size-\(size)"), content: .bytes(random.bytes(size))))
        }
        for small in 0..<300 {
            let bytes = [UInt8](repeating: UInt8(small % 251), count: 8_000)
            changes.append(.insert(Value(id: try Value.ID("small-\(small)"), content: .bytes(bytes))))
        }
        try await a.coordinator.save(changes)
        try await a.pass()
        let outcome = try await b.pass()
        #expect(outcome.report.imported == 1)
        let current = try await b.coordinator.current()
        for id in try a.store.valueIDs(at: current) {
            let sent = try #require(try a.store.bytes(of: id, at: current))
            #expect(sent.isSame(as: try b.store.bytes(of: id, at: current)), "\(id)")
        }
        #expect(try b.store.verify().isEmpty)
        #expect(try FolderVerification(of: folder).isClean)
    }

    @Test func anObstacleUnderAnOwnNameStopsNoOtherFile() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        try await a.pass()
        let lane = folder + "/" + a.exchange.attachment.lane.description
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: lane).first)
        try FileManager.default.removeItem(atPath: lane + "/" + name)
        try FileManager.default.createDirectory(atPath: lane + "/" + name + "/x", withIntermediateDirectories: true)
        try await a.set("x", "2")
        let outcome = try await a.pass()
        #expect(outcome.report.sent == 1)
        #expect(outcome.report.damaged.map(\.file) == [a.exchange.attachment.lane.description + "/" + name])
        try FileManager.default.removeItem(atPath: lane + "/" + name)
        #expect(try await a.pass().report.restored == 1)
        #expect(try FolderVerification(of: folder).isClean)
    }

    @Test func nothingIsWrittenThroughALinkOutOfTheFolder() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        try await a.pass()
        let lane = folder + "/" + a.exchange.attachment.lane.description
        let outside = directory.appending(path: "outside").path
        try FileManager.default.moveItem(atPath: lane, toPath: outside)
        try FileManager.default.createSymbolicLink(atPath: lane, withDestinationPath: outside)
        let before = try FileManager.default.contentsOfDirectory(atPath: outside)
        try await a.set("x", "2")
        await #expect(throws: FolderSyncError.self) { try await a.pass() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == before)
        try FileManager.default.removeItem(atPath: lane)
        try await a.pass()
        #expect(try FolderVerification(of: folder).versions == 2)
    }

    @Test(arguments: [Data(), Data("FolderSync sto".utf8), Data(repeating: 0, count: 123), Data("Xolder".utf8)])
    func aSpoiledCardIsWrittenAgainByItsStoreOnly(bytes: Data) async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        try await a.pass()
        let identity = try #require(try FolderExchange.identity(of: a.store))
        try bytes.write(to: URL(fileURLWithPath: folder + "/\(identity).store"))
        await #expect(throws: FolderSyncError.self) { try await a.pass() }
        let other = try Store.create(at: directory.appending(path: "other").path)
        #expect(throws: FolderSyncError.self) { try FolderExchange.attach(other, to: folder, creating: true) }
        #expect(try FolderExchange.attach(a.store, to: folder, creating: true) == a.exchange.attachment)
        try await a.pass()
        #expect(try FolderVerification(of: folder).isClean)
    }

    @Test func lostAndDamagedOwnFilesAreWrittenAgain() async throws {
        let a = try ExchangeDevice("a", in: directory, folder: folder, creating: true)
        try await a.set("x", "1")
        try await a.pass()
        try await a.set("x", String(repeating: "2", count: 40_000))
        try await a.pass()
        let lane = folder + "/" + a.exchange.attachment.lane.description
        let names = try FileManager.default.contentsOfDirectory(atPath: lane).sorted()
        #expect(names.count == 3)
        try FileManager.default.removeItem(atPath: lane + "/" + names[0])
        try Data(repeating: 0, count: 500).write(to: URL(fileURLWithPath: lane + "/" + names[1]))
        try FileManager.default.removeItem(atPath: lane + "/" + names[2])
        #expect(try await a.pass().report.restored == 3)
        #expect(try FolderVerification(of: folder).isClean)
        #expect(try await a.pass().report.restored == 0)
    }
}
