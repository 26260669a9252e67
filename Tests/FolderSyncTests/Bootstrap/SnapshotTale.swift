import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Two devices with a history of edits, merges, branches and values of several sizes in one folder, which new devices join.
struct SnapshotTale {
    let a: SimulatedFolderDevice
    let b: SimulatedFolderDevice
    private let directory: String

    /// Where records are cut, so that a small store has sets of several pieces.
    static let pieceLength = 1_200

    init(in directory: String) throws {
        self.directory = directory
        let tree = SimulatedFolderTree(directory + "/folder")
        a = try SimulatedFolderDevice("a", replica: tree, creating: true, design: try Self.design(seed: 1, on: "main"))
        b = try SimulatedFolderDevice("b", replica: tree, design: try Self.design(seed: 2))
    }

    /// All follow the branch that one of them is on.
    private static func design(seed: UInt64, on branch: Branch? = nil) throws -> SimulatedFolderDevice.Design {
        var design = SimulatedFolderDevice.Design()
        (design.seed, design.branch, design.selecting) = (seed, branch, ["main"])
        return design
    }

    static func with<Result>(_ body: (SnapshotTale) async throws -> Result) async throws -> Result {
        try await SimulatedFolderTree.withDirectory { directory in
            let tale = try SnapshotTale(in: directory)
            try await tale.live()
            return try await body(tale)
        }
    }

    var tree: SimulatedFolderTree { a.replica }

    /// Edits on both sides, with a conflict and a value in a piece of its own, until both have everything.
    func live() async throws {
        var random = SimulatedFolderRandom(seed: 5)
        for number in 0..<6 { try await a.save(try Value.ID("k\(number % 4)"), "text \(number)") }
        try await a.pass()
        try await b.pass()
        try await b.save([.insert(Value(id: "large", bytes: random.bytes(40_000))), .insert(Value(id: "k1", "by b"))])
        try await a.save([.insert(Value(id: "k1", "by a")), .remove("k2")])
        try await a.save("empty", "")
        for device in [a, b, a, b] { try await device.pass() }
    }

    func publish(from device: SimulatedFolderDevice) async throws -> FolderSnapshot {
        try await device.exchange.publishSnapshot(pieceLength: Self.pieceLength)
    }

    /// A pass of a device, and the files that it opens.
    static func opened(by device: SimulatedFolderDevice) async throws -> (PassOutcome, [String]) {
        let opened = Shared<[String]>([])
        let files = SimulatedFolderFaults { call in
            if call.kind == .open { opened.change { $0.append(call.path) } }
        }
        let exchange = FolderExchange(
            store: device.store, attachment: device.exchange.attachment, files: files, pause: { _ in })
        let outcome = try await device.pass(exchange, device.coordinator)
        return (outcome, opened.value)
    }

    func newDevice(_ name: String = "d") throws -> SimulatedFolderDevice {
        try SimulatedFolderDevice(name, replica: tree, design: try Self.design(seed: 77))
    }

    /// The files of a set, by index.
    func files(of set: String) throws -> [String] {
        let found = try tree.list().compactMap { path -> (Int, String)? in
            let name = FolderFileName(String(path.split(separator: "/").last ?? ""))
            guard case .snapshot(set, let index, _, _) = name else { return nil }
            return (index, path)
        }
        return found.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// The file of a device's newest entries.
    func lastEntries(of device: SimulatedFolderDevice) throws -> String? {
        var last: (to: UInt64, path: String)?
        for path in try tree.list() where path.hasPrefix(device.lane) {
            let name = FolderFileName(String(path.split(separator: "/").last ?? ""))
            if case .entries(_, let to, _) = name, to > last?.to ?? 0 { last = (to, path) }
        }
        return last?.path
    }

    func removeEntries() throws {
        for path in try tree.list() where path.contains("/e-") { try tree.remove(path) }
    }

    /// What tells two stores with the same history from all others.
    static func picture(of store: Store) throws -> [Version.ID: Digest] {
        let ids = try store.inspect { view in
            var ids: [Version.ID] = []
            try view.forEachFirm(from: 1) { _, version in
                ids.append(version.id)
                return true
            }
            return ids
        }
        var picture: [Version.ID: Digest] = [:]
        for id in ids { picture[id] = try store.digest(at: id) }
        return picture
    }

    /// That a device has just what another has, and is sound.
    static func expectSame(_ new: SimulatedFolderDevice, _ old: SimulatedFolderDevice, _ comment: String = "") throws {
        let (ours, theirs) = (try picture(of: new.store), try picture(of: old.store))
        #expect(ours == theirs, "\(comment): \(ours.count) and \(theirs.count) versions")
        #expect(try Set(new.store.heads().map(\.id)) == Set(old.store.heads().map(\.id)), "\(comment)")
        #expect(try new.store.branches() == old.store.branches(), "\(comment)")
        #expect(try new.store.verify(.deep).isEmpty, "\(comment)")
    }
}
