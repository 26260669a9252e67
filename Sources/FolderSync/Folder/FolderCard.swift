import FileCoordination
import LLVSCore

/// The folder's identity: whose store it carries. Looked at before anything else at every pass.
enum FolderCard {
    /// The identity the folder states.
    ///
    /// - Throws: ``FolderSyncError``: `.folderMissing`, `.folderEmptyOrUnmounted` if no card is there, `.secondCard` if there
    ///   are several, `.cardArriving`, `.cardDamaged`, `.newerFormat`.
    static func read(in folder: SharedFolder) throws -> StoreIdentity {
        let entries: [DirectoryEntry]
        do {
            entries = try folder.files.list(folder.path)
        } catch {
            throw FolderSyncError.cannotList(folder.path, error)
        }
        var found: Set<StoreIdentity> = []
        var trouble: FolderSyncError?
        for name in entries.compactMap(\.name).sorted() {
            guard isCandidate(name) else { continue }
            let bytes: [UInt8]
            do {
                guard let found = try folder.read(name, limit: 1 << 20) else { continue }
                bytes = found
            } catch let error as FileCoordinationError {
                // Nobody's card is a folder, a link or so large; what else cannot be read may be the one.
                if [.isDirectory, .notRegularFile, .link, .tooLarge].contains(error.code) { continue }
                trouble = trouble ?? FolderSyncError(reading: error)
                continue
            }
            switch IdentityCard.decode(bytes) {
            case .verified(let card): found.insert(card.store)
            case .arriving: trouble = trouble ?? .cardArriving(folder.url(name))
            case .damaged(let reason): trouble = trouble ?? .cardDamaged(folder.url(name), reason)
            case .future(let reason): throw FolderSyncError.newerFormat(folder.url(name), reason)
            case .foreign:
                // Under a card's own name it is a card whose beginning was lost.
                if case .card = FolderFileName(name) {
                    trouble = trouble ?? .cardDamaged(folder.url(name), "it does not begin as a card does")
                }
            }
        }
        if found.count > 1 { throw FolderSyncError.secondCard(folder.path, found.sorted()) }
        if let identity = found.first { return identity }
        throw trouble ?? .emptyOrUnmounted(folder.path)
    }

    /// A card under its own name or as a sync service may rename it: "<id>.store", "<id> (1).store".
    private static func isCandidate(_ name: String) -> Bool {
        if case .card = FolderFileName(name) { return true }
        return name.contains(".store") && !FolderFileName(name).isJunk
    }

    /// Checks that the folder is the given store's.
    static func check(_ folder: SharedFolder, is identity: StoreIdentity) throws {
        let found = try read(in: folder)
        if found != identity { throw FolderSyncError.otherStore(folder.path, found) }
    }
}
