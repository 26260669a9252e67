import FileCoordination
import FolderSync
import Foundation
import LLVSCore
import TestSupport

@testable import FolderSyncCommand

/// A device with a mirrored directory, in this process.
final class MirrorDevice {
    let folder: TemporaryFolder
    let name: String
    let store = Store(storage: MemoryStorage())
    let coordinator: StoreCoordinator
    private let attachment: FolderAttachment
    private(set) var mirror: Mirror
    /// What the last round did.
    private(set) var imported = MirrorImport()
    private(set) var exported = MirrorExport()
    private(set) var conflicts: [ResolvedFork] = []

    init(_ name: String, in folder: TemporaryFolder, creating: Bool = false, ignoring: [String] = []) throws {
        self.folder = folder
        self.name = name
        coordinator = StoreCoordinator(store: store, arbiter: MirrorArbiter.make())
        attachment = try FolderExchange.attach(store, to: folder("shared"), creating: creating)
        if !FileManager.default.fileExists(atPath: folder(name)) { try folder.makeFolder(name) }
        mirror = try Self.make(name, folder, store, coordinator, MirrorFilter(ignoring: ignoring), .local)
    }

    private static func make(
        _ name: String, _ folder: TemporaryFolder, _ store: Store, _ coordinator: StoreCoordinator,
        _ filter: MirrorFilter, _ files: any FileSystem
    ) throws -> Mirror {
        try Mirror(
            RealPath(folder(name)), of: store, coordinator: coordinator, filter: filter, settle: 0, files: files)
    }

    /// As a new process over the same store.
    func restart(_ files: any FileSystem = .local, ignoring: [String] = []) throws {
        mirror = try Self.make(name, folder, store, coordinator, MirrorFilter(ignoring: ignoring), files)
    }

    func importOnly() async throws { imported = try await mirror.importChanges() }

    func pass() async throws {
        _ = try await FolderExchange(store: store, attachment: attachment).pass(coordinator)
    }

    func exportOnly() async throws {
        let result = try await mirror.export()
        exported = result?.export ?? MirrorExport()
        conflicts = result?.conflicts ?? []
    }

    func round() async throws {
        if mirror.isNew { try await pass() }
        try await importOnly()
        try await pass()
        try await exportOnly()
    }

    // MARK: Its files

    func write(_ text: String, to path: String) throws {
        try folder.makeFolder("\(name)/\(WrittenPath(path).folder)")
        try folder.write(text, to: "\(name)/\(path)")
    }

    func remove(_ path: String) throws { try FileManager.default.removeItem(atPath: folder("\(name)/\(path)")) }

    /// Every file with its content, but for what a mirror that "died" in this process was writing: a later process removes it.
    var files: [String: String] {
        get throws {
            let scan = try DirectoryScan(of: folder(name), leavingOut: { name, _, _ in name.hasPrefix("~syncthing~") })
            return Dictionary(uniqueKeysWithValues: try scan.files.map { ($0, try folder.text(of: "\(name)/\($0)")) })
        }
    }

    /// Whether some version has this text under the path.
    func remembers(_ text: String, at path: String) throws -> Bool {
        try store.versions(of: try Value.ID(path)).contains { revision in
            guard let reference = try revision.get().reference else { return false }
            return try store.bytes(of: reference.id, at: reference.version) == Array(text.utf8)
        }
    }
}

/// Rounds on every device until all is carried.
func settle(_ devices: MirrorDevice..., rounds: Int = 2) async throws {
    for _ in 0..<rounds {
        for device in devices { try await device.round() }
    }
}
