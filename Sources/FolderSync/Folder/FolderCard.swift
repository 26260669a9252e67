import FileCoordination
import LLVSCore

/// The folder's identity: whose store it carries. Looked at before anything else at every pass.
struct FolderCard {
    /// The store that the folder carries.
    let identity: StoreIdentity
    /// Stores whose cards are there too and are void: this one's notes say that it took their place.
    let adopted: Set<StoreIdentity>

    /// The identity the folder states.
    ///
    /// - Parameter adopting: stores that the reader's own took the place of, whether or not its note is in the folder yet.
    /// - Throws: ``FolderSyncError``: `.folderMissing`, `.folderEmptyOrUnmounted` if no card is there, `.secondCard` if there
    ///   are several that count, `.cardArriving`, `.cardDamaged`, `.newerFormat`.
    static func read(
        in folder: SharedFolder, as own: StoreIdentity? = nil, adopting: Set<StoreIdentity> = []
    ) throws -> FolderCard {
        let found = try all(in: folder)
        if found.count == 1, let identity = found.first { return FolderCard(identity: identity, adopted: []) }
        var voided = try AdoptionNotes.all(in: folder)
        if let own { voided += adopting.map { AdoptionNotes.Adoption(old: $0, new: own) } }
        let standing = AdoptionNotes.standing(found, voided)
        guard standing.count == 1, let identity = standing.first else {
            throw FolderSyncError.secondCard(folder.path, standing.sorted())
        }
        return FolderCard(identity: identity, adopted: found.subtracting(standing))
    }

    /// Every store that has a card in the folder; at least one.
    static func all(in folder: SharedFolder) throws -> Set<StoreIdentity> {
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
        if found.isEmpty { throw trouble ?? .emptyOrUnmounted(folder.path) }
        return found
    }

    /// A card under its own name or as a sync service may rename it: "<id>.store", "<id> (1).store".
    private static func isCandidate(_ name: String) -> Bool {
        if case .card = FolderFileName(name) { return true }
        return name.contains(".store") && !FolderFileName(name).isJunk
    }

    /// Checks that the folder is the given store's, which took the place of these.
    static func check(
        _ folder: SharedFolder, is identity: StoreIdentity, adopting: Set<StoreIdentity> = []
    ) throws -> FolderCard {
        let card = try read(in: folder, as: identity, adopting: adopting)
        if card.identity == identity { return card }
        throw card.adopted.contains(identity)
            ? FolderSyncError.adopted(folder.path, by: card.identity)
            : FolderSyncError.otherStore(folder.path, card.identity)
    }
}
