public import FileCoordination
import Foundation
public import LLVSCore

/// A store's membership in a shared folder.
public struct FolderAttachment: Hashable, Sendable {
    /// The lane it writes, 26 characters: a directory of the folder that nobody else writes to.
    public let lane: LaneID
    /// The folder's absolute path on this device.
    public let folder: String
    /// Names the attachment as long as it lasts: the first lane it had.
    let id: LaneID
}

extension ExchangeZones {
    init(_ attachment: FolderAttachment) {
        self.init(attachment: attachment.id, lane: attachment.lane)
    }
}

extension FolderExchange {
    /// The store's identity, 26 characters: what the cards of its folders say. Nil until it is first attached.
    public static func identity(of store: Store) throws -> StoreIdentity? {
        try store.inspect { try identity(in: $0.reader) }
    }

    /// The identity of the store that a folder carries; nil where there is no folder or no card.
    /// - Throws: ``FolderSyncError`` for cards that contradict each other, are on their way, damaged or of a newer format.
    public static func identity(ofFolder folder: String, files: any FileSystem = .local) throws -> StoreIdentity? {
        do {
            return try FolderCard.read(in: SharedFolder(path: absolute(folder), files: files)).identity
        } catch let error as FolderSyncError where [.folderMissing, .folderEmptyOrUnmounted].contains(error.code) {
            return nil
        }
    }

    static func identity(in reader: any StorageReader) throws -> StoreIdentity? {
        guard let bytes = try reader.value(identityKey, in: ExchangeZones.identity) else { return nil }
        guard let identity = StoreIdentity(bytes: bytes) else {
            throw StoreError(
                .damaged, "the store's identity does not decode",
                remedy: "restore the store from a backup or make a new one from the shared folder")
        }
        return identity
    }

    private static let identityKey = Array("store".utf8)

    /// The folders the store is attached to, ascending by lane.
    public static func attachments(of store: Store) throws -> [FolderAttachment] {
        try store.inspect { view in
            var found: [FolderAttachment] = []
            try view.reader.scan(ExchangeZones.attachment, from: [], before: nil) { key, bytes in
                guard let id = LaneID(bytes: key) else { return true }
                let lane = try ExchangeZones(attachment: id, in: view.reader).lane
                found.append(
                    FolderAttachment(lane: lane, folder: try AttachmentRecord(decoding: bytes).folder, id: id))
                return true
            }
            return found
        }
    }

    /// Makes the store a member of a shared folder.
    ///
    /// The folder must have an identity card, of this store if it has an identity already; otherwise the store takes the
    /// folder's. With `creating`, the folder is made if it is missing (its parent must exist), must be empty or this store's
    /// own, and gets a card; a store without an identity gets a new one. Attaching again finds the same attachment; a folder
    /// that was moved is found by its lane. Nothing else is written in the folder.
    ///
    /// - Throws: ``FolderSyncError``; then nothing was written.
    @discardableResult
    public static func attach(
        _ store: Store, to folder: String, creating: Bool = false, files: any FileSystem = .local
    ) throws -> FolderAttachment {
        var names = SystemRandomNumberGenerator()
        return try attach(store, to: folder, creating: creating, files: files, naming: &names)
    }

    /// As above, with names that a generator makes: what follows from a seed must follow from it wholly.
    package static func attach(
        _ store: Store, to folder: String, creating: Bool, files: any FileSystem,
        naming names: inout some RandomNumberGenerator
    ) throws -> FolderAttachment {
        let path = absolute(folder)
        try refuseOverlap(of: path, with: store.path)
        if creating { try prepare(path, store: store, files: files, naming: &names) }
        let shared = SharedFolder(path: realPath(path), files: files)
        return try join(store, try card(of: shared, path, store), shared, naming: &names)
    }

    /// The store that the folder carries, for one that wants to join it.
    static func card(of shared: SharedFolder, _ path: String, _ store: Store) throws -> StoreIdentity {
        do {
            let own = try identity(of: store)
            let card = try FolderCard.read(in: shared, as: own, adopting: adopting(store, in: shared.path))
            if let own, card.adopted.contains(own) { throw FolderSyncError.adopted(path, by: card.identity) }
            return card.identity
        } catch let error as FolderSyncError where error.code == .folderEmptyOrUnmounted {
            throw FolderSyncError(
                .folderEmptyOrUnmounted, "there is no store in this folder",
                remedy: "wait until it has synced, or start a new one with --create", path: path)
        } catch let error as FolderSyncError where error.code == .folderMissing {
            throw FolderSyncError(
                .folderMissing, "there is no folder at this path, or it is not mounted; nothing was changed",
                remedy: "check the path, or make a new folder with --create", path: path)
        }
    }

    /// The stores that this one took the place of in a folder it is attached to.
    static func adopting(_ store: Store, in folder: String) throws -> Set<StoreIdentity> {
        guard let known = try attachments(of: store).first(where: { $0.folder == folder }) else { return [] }
        return try store.inspect { try OwnNotes.adopted(zones: ExchangeZones(known), in: $0.reader) }
    }

    private static func join(
        _ store: Store, _ found: StoreIdentity, _ folder: SharedFolder, naming names: inout some RandomNumberGenerator
    ) throws -> FolderAttachment {
        let known = try attachments(of: store)
        let moved = try known.first {
            try $0.folder != folder.path && has(folder, lane: $0.lane)
                && isGone(SharedFolder(path: $0.folder, files: folder.files))
        }
        return try store.exchange { transaction in
            let writer = transaction.writer
            if let own = try identity(in: writer) {
                if own != found { throw FolderSyncError.otherStore(folder.path, found) }
            } else {
                try setIdentity(found, writer)
            }
            if let same = known.first(where: { $0.folder == folder.path }) { return same }
            if let moved {
                let zones = ExchangeZones(moved)
                var record = try zones.attachmentRecord(in: writer)
                record.folder = folder.path
                try zones.put(record, in: writer)
                return FolderAttachment(lane: moved.lane, folder: folder.path, id: moved.id)
            }
            return try begin(.random(using: &names), of: found, folder.path, writer)
        }
    }

    /// A new attachment, with its first lane.
    static func begin(
        _ lane: LaneID, of identity: StoreIdentity, _ folder: String, _ writer: any StorageWriter
    ) throws -> FolderAttachment {
        let zones = ExchangeZones(lane: lane)
        let start = LaneChain(startOf: lane, in: identity)
        try zones.put(AttachmentRecord(folder: folder, last: start), in: writer)
        return FolderAttachment(lane: lane, folder: folder, id: lane)
    }

    static func setIdentity(_ identity: StoreIdentity, _ writer: any StorageWriter) throws {
        try writer.put(identity.bytes, for: identityKey, in: ExchangeZones.identity)
    }

    private static func has(_ folder: SharedFolder, lane: LaneID) throws -> Bool {
        try folder.list().directories.contains(lane.description)
    }

    private static func isGone(_ folder: SharedFolder) throws -> Bool {
        do {
            _ = try FolderCard.read(in: folder)
            return false
        } catch let error as FolderSyncError where [.folderMissing, .folderEmptyOrUnmounted].contains(error.code) {
            return true
        }
    }

    /// Makes the folder and its card where they are missing.
    private static func prepare(
        _ path: String, store: Store, files: any FileSystem, naming names: inout some RandomNumberGenerator
    ) throws {
        do {
            try files.makeDirectory(path, permissions: .directory)
        } catch .fileExists {
            // Whether it is one shows below.
        } catch .noSuchFile {
            throw FolderSyncError(
                .folderMissing,
                "the folder in which the shared folder is to be made does not exist; nothing was changed",
                remedy: "make it first, or start the service that makes it", path: path)
        } catch {
            throw FolderSyncError(writing: .makingDirectory(path, error))
        }
        let folder = SharedFolder(path: path, files: files)
        let own = try identity(of: store)
        do {
            let found = try FolderCard.read(in: folder).identity
            if let own, own != found { throw FolderSyncError.otherStore(path, found) }
            return
        } catch let error as FolderSyncError where error.code == .folderEmptyOrUnmounted {
            try refuseOccupied(folder, own)
        } catch let error as FolderSyncError where [.cardDamaged, .cardArriving].contains(error.code) {
            // The one card that may be written again is this store's own.
            guard let own, error.path == folder.url(FolderFileName.card(own).text) else { throw error }
        }
        // The store first: a card without a store that has its id could never be joined by its maker.
        let identity = try store.exchange { transaction in
            if let known = try Self.identity(in: transaction.writer) { return known }
            let new = StoreIdentity.random(using: &names)
            try setIdentity(new, transaction.writer)
            return new
        }
        try store.storage.sync()
        let card = IdentityCard(store: identity)
        do {
            try CoordinatedFile(files: files, followLinks: false).write(
                card.encoded, to: folder.url(card.fileName.text))
        } catch {
            throw FolderSyncError(writing: error)
        }
    }

    /// A folder with things of other people in it does not become a shared folder by accident.
    private static func refuseOccupied(_ folder: SharedFolder, _ own: StoreIdentity?) throws {
        let listing = try folder.list()
        if own != nil, listing.directories.allSatisfy({ LaneID($0) != nil }),
            listing.files.allSatisfy({ $0.directory != nil })
        {
            return
        }
        if listing.directories.isEmpty, listing.files.isEmpty { return }
        throw FolderSyncError(
            .folderNotEmpty, "the folder is not empty and holds no store; nothing was changed",
            remedy: "choose an empty folder, or a new one inside it", path: folder.path)
    }

    static func refuseOverlap(of folder: String, with store: String?) throws {
        guard let store else { return }
        let pair = [realPath(absolute(store)) + "/", realPath(folder) + "/"]
        if pair[0].hasPrefix(pair[1]) || pair[1].hasPrefix(pair[0]) {
            throw FolderSyncError(
                .overlappingPaths, "the store and the shared folder lie inside one another; nothing was changed",
                remedy: "keep the store outside the folder: a sync service must not carry the store itself",
                path: folder)
        }
    }

    static func absolute(_ path: String) -> String {
        URL(fileURLWithPath: path, isDirectory: true).standardizedFileURL.path(percentEncoded: false).withoutFinalSlash
    }

    /// The path with links resolved as far as it exists: what will be made lies where its parent really is.
    static func realPath(_ path: String) -> String {
        let url = URL(fileURLWithPath: path, isDirectory: true)
        if path != "/", !FileManager.default.fileExists(atPath: path) {
            let parent = realPath(url.deletingLastPathComponent().path(percentEncoded: false).withoutFinalSlash)
            return (parent == "/" ? "" : parent) + "/" + url.lastPathComponent
        }
        return url.resolvingSymlinksInPath().path(percentEncoded: false).withoutFinalSlash
    }
}

extension String {
    fileprivate var withoutFinalSlash: String { count > 1 && hasSuffix("/") ? String(dropLast()) : self }
}
