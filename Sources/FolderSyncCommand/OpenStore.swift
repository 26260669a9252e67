import FileCoordination
import FolderSync
import LLVSCore

/// The store that a command works on.
struct OpenStore {
    let store: Store
    /// As it was given.
    let name: String
    let path: RealPath
    let coordinator: StoreCoordinator

    var names: VersionNames { VersionNames(store: store) }

    /// - Parameter isMirrored: whether it is, or is about to be, the store of a mirror, which merges texts.
    init(at name: String, isMirrored: Bool = false) throws {
        self.name = name
        path = RealPath(name)
        do {
            store = try Store.open(at: path.text)
        } catch let error as StoreError where error.code == .notAStore {
            throw CommandError("there is no store at '\(name)'", remedy: "make one with 'foldersync init \(name)'")
        }
        // Every command that merges decides as the mirror does.
        coordinator =
            try isMirrored || MirrorRecord.isMirrored(store)
            ? StoreCoordinator(store: store, arbiter: MirrorArbiter.make()) : StoreCoordinator(store: store)
    }

    func current() async throws -> Version.ID { try await coordinator.current() }

    /// The version of `--at`, or the current one.
    func version(_ argument: String?) async throws -> Version.ID {
        let current = try await current()
        return try argument.map { try names.resolve($0, current: current) } ?? current
    }

    /// The folder of an import or export, which must be apart from the store and from what the store is attached to.
    func folder(_ name: String) throws -> RealPath {
        let folder = RealPath(name)
        try refuseOverlap(("the store", path), ("the folder", folder))
        for attachment in try FolderExchange.attachments(of: store) {
            try refuseOverlap(("the shared folder", RealPath(attachment.folder)), ("the folder", folder))
        }
        return folder
    }
}
