public import FileCoordination
public import LLVSCore

/// What became of a store that took a folder's identity.
public struct FolderAdoption: Hashable, Sendable {
    /// A folder that the store was attached to as another store.
    public struct Detached: Hashable, Sendable {
        /// The folder's path.
        public let folder: String
        /// Versions that were never sent there; the store has them.
        public let unsent: Int
    }

    /// The attachment to the folder.
    public let attachment: FolderAttachment
    /// The identity that the store had, if it is another one now.
    public let former: StoreIdentity?
    /// The attachments that the store no longer has, because its former identity's folders are another store's now.
    public let detached: [Detached]
}

extension FolderExchange {
    /// Makes the store a member of a folder that may carry another store, and merges the two: the explicit consent without
    /// which nothing of two stores is ever mixed.
    ///
    /// The store takes the folder's identity; of a folder with two cards that count, that of the other one. Its attachments to
    /// folders of its former identity end. With the next pass all its versions go to the folder and merge with those there, and
    /// a note voids the card that the former identity has in the folder, or may come to have. The other devices of the former store adopt too, or
    /// stay out. Nothing is written in the folder by this call; what it does in the store is one transaction.
    ///
    /// - Throws: ``FolderSyncError``: as ``attach(_:to:creating:files:)``, `.secondCard` if it is not clear which of several
    ///   stores is meant. Then nothing was changed.
    @discardableResult
    public static func adopt(
        _ store: Store, into folder: String, files: any FileSystem = .local,
        pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
        onWaiting: @Sendable (String) -> Void = { _ in }, lane: LaneID = .random()
    ) async throws -> FolderAdoption {
        let path = absolute(folder)
        try refuseOverlap(of: path, with: store.path)
        guard let beside = store.path else { return try adoptAlone(store, path, files, lane) }
        // A pass that is under way must not go on with the identity that ends.
        let lock = try await PassLock.take(beside: beside, files: files, pause: pause, onWaiting: onWaiting)
        defer { lock.release() }
        return try adoptAlone(store, path, files, lane)
    }

    private static func adoptAlone(
        _ store: Store, _ path: String, _ files: any FileSystem, _ lane: LaneID
    ) throws -> FolderAdoption {
        let shared = SharedFolder(path: realPath(path), files: files)
        let target = try target(of: store, in: shared)
        let former = try identity(of: store)
        guard let former, former != target else {
            let attachment = try attach(store, to: path, files: files)
            return FolderAdoption(attachment: attachment, former: nil, detached: [])
        }
        let known = try attachments(of: store)
        let detached = try known.map { FolderAdoption.Detached(folder: $0.folder, unsent: try store.unsent(in: $0)) }
        let attachment = try store.exchange { transaction in
            let writer = transaction.writer
            for old in known { try ExchangeZones(old).removeAttachment(writer) }
            try setIdentity(target, writer)
            let attachment = try begin(lane, of: target, shared.path, writer)
            // Whether or not its card is here now: it may come later, or be unreadable at the moment.
            try OwnNotes.add(.adopted(former), zones: ExchangeZones(attachment), writer)
            return attachment
        }
        return FolderAdoption(
            attachment: attachment, former: former, detached: detached.filter { $0.folder != shared.path })
    }

    /// The store to become.
    private static func target(of store: Store, in folder: SharedFolder) throws -> StoreIdentity {
        let cards = try FolderCard.all(in: folder)
        let own = try identity(of: store)
        var adoptions = cards.count > 1 ? try AdoptionNotes.all(in: folder) : []
        if let own {
            // What this store adopted before and has not said yet.
            adoptions += try adopting(store, in: folder.path).map { AdoptionNotes.Adoption(old: $0, new: own) }
        }
        let standing = AdoptionNotes.standing(cards, adoptions)
        if standing.count == 1, let only = standing.first { return only }
        let others = standing.filter { $0 != own }
        guard let own, standing.contains(own), others.count == 1, let other = others.first else {
            throw FolderSyncError.secondCard(folder.path, standing.sorted())
        }
        return other
    }
}
