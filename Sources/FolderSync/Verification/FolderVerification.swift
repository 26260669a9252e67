public import FileCoordination
import LLVSCore

/// A check of a whole shared folder, without a store: every byte of every file, every chain, every piece. Writes nothing.
public struct FolderVerification: Hashable, Sendable {
    /// The store that the folder carries.
    public private(set) var identity: StoreIdentity
    /// Lanes that have files.
    public private(set) var lanes: [LaneID] = []
    /// Different versions in the folder.
    public private(set) var versions = 0
    /// Files of ours that were read.
    public private(set) var files = 0
    /// Files that are none of ours.
    public private(set) var strays = 0
    /// What does not verify, and gaps.
    public private(set) var problems: [SyncReport.Item] = []
    /// What is still arriving.
    public private(set) var waiting: [SyncReport.Item] = []

    /// Whether everything is there and verifies.
    public var isClean: Bool { problems.isEmpty && waiting.isEmpty }

    /// Checks the folder.
    /// - Parameter progress: called with files done and their number.
    /// - Throws: ``FolderSyncError`` if there is no folder or no card.
    public init(
        of folder: String, files: any FileSystem = .local, progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        let folder = SharedFolder(path: FolderExchange.absolute(folder), files: files)
        identity = try FolderCard.read(in: folder)
        let listing = try folder.list()
        strays = listing.strays
        waiting = listing.stubs.map { SyncReport.Item(file: $0, reason: "is in the cloud, not on this disk") }
        var contents = Contents()
        for (done, file) in listing.files.enumerated() {
            progress(done, listing.files.count)
            if case .card = file.name { continue }
            try check(file, in: folder, &contents)
        }
        progress(listing.files.count, listing.files.count)
        conclude(contents)
    }

    fileprivate struct Contents {
        var ranges: [LaneID: [(before: LaneChain, chains: Set<LaneChain>)]] = [:]
        var announced: [LaneID: UInt64] = [:]
        var versions: Set<Version.ID> = []
        var parents: [(Version.ID, of: Version.ID, file: String)] = []
        var pieces: Set<Digest> = []
        var wanted: [(Digest, file: String)] = []
    }

    private mutating func check(
        _ file: SharedFolder.Listed, in folder: SharedFolder, _ contents: inout Contents
    ) throws {
        let bytes: [UInt8]
        do {
            guard let found = try folder.read(file.path, limit: FolderFile.Header.greatestFileLength) else { return }
            bytes = found
        } catch let error as FileCoordinationError {
            problems.append(SyncReport.Item(file: file.path, reason: "cannot be read: \(error)"))
            return
        }
        let isStranger = if case .stranger = file.name { true } else { false }
        switch FolderFile.decode(bytes) {
        case .verified(let container): check(container, file, &contents)
        case .arriving(let have, let whole):
            if isStranger, !bytes.starts(with: FolderFile.magic) {
                strays += 1
                return
            }
            let size = whole.map(String.init) ?? "an unknown number of"
            waiting.append(SyncReport.Item(file: file.path, reason: "incomplete: \(have) of \(size) bytes"))
        case .damaged(let reason):
            problems.append(SyncReport.Item(file: file.path, reason: reason))
        case .future(let reason): problems.append(SyncReport.Item(file: file.path, reason: reason))
        case .foreign:
            if isStranger {
                strays += 1
            } else {
                problems.append(SyncReport.Item(file: file.path, reason: "it does not start as a file of ours does"))
            }
        }
    }

    private mutating func check(_ container: FolderFile, _ file: SharedFolder.Listed, _ contents: inout Contents) {
        func problem(_ reason: String) -> SyncReport.Item { SyncReport.Item(file: file.path, reason: reason) }
        files += 1
        guard container.header.store == identity else {
            problems.append(problem("it belongs to the store \(container.header.store)"))
            return
        }
        if container.header.kind == .piece {
            guard case .verified(let piece) = Piece.decode(container) else {
                problems.append(problem("its piece does not decode"))
                return
            }
            contents.pieces.insert(piece.digest)
            if case .piece(let hash) = file.name, hash != NameHash(piece.digest) {
                problems.append(problem("its name is not that of its contents"))
            }
            return
        }
        switch EntriesFile.decode(container) {
        case .verified(let entries):
            if case .entries(let from, let to, let hash) = file.name,
                from != entries.header.range.lowerBound || to != entries.header.range.upperBound
                    || hash != NameHash(container.digest)
            {
                problems.append(problem("its name is not that of its contents"))
            }
            contents.take(entries, file.path)
        case .damaged(let reason), .future(let reason): problems.append(problem(reason))
        case .arriving, .foreign: problems.append(problem("it does not decode"))
        }
    }

    private mutating func conclude(_ contents: Contents) {
        lanes = contents.ranges.keys.sorted()
        versions = contents.versions.count
        for (lane, end) in contents.announced.sorted(by: { $0.key < $1.key }) {
            let here = contents.contiguous(lane, in: identity)
            if here < end {
                problems.append(
                    SyncReport.Item(
                        file: lane.description, reason: "the lane is known up to \(end), \(here) are here without a gap"
                    ))
            }
        }
        for (parent, child, file) in contents.parents where !contents.versions.contains(parent) {
            problems.append(
                SyncReport.Item(file: file, reason: "version \(child) has a parent that is not here: \(parent)"))
        }
        for (piece, file) in contents.wanted where !contents.pieces.contains(piece) {
            let name = FolderFileName.piece(NameHash(piece)).text
            problems.append(SyncReport.Item(file: file, reason: "a piece of a value is not here: \(name)"))
        }
    }
}

extension FolderVerification.Contents {
    fileprivate mutating func take(_ entries: EntriesFile, _ file: String) {
        ranges[entries.lane, default: []].append((entries.header.before, entries.chains))
        announced[entries.lane] = max(announced[entries.lane] ?? 0, entries.header.range.upperBound)
        for (lane, chain) in entries.header.seen {
            announced[lane] = max(announced[lane] ?? 0, chain.sequence)
        }
        for entry in entries.entries {
            versions.insert(entry.record.id)
            parents += entry.record.version.parents.map { ($0, of: entry.record.id, file: file) }
            wanted += PendingVersion.pieces(of: entry.bodies).map { ($0, file: file) }
        }
    }

    /// How far the lane's files lead from its start, chain by chain. A file may begin inside a packed one: where a twin wrote
    /// into the lane.
    fileprivate func contiguous(_ lane: LaneID, in store: StoreIdentity) -> UInt64 {
        var reached: Set = [LaneChain(startOf: lane, in: store)]
        for file in (ranges[lane] ?? []).sorted(by: { $0.before.sequence < $1.before.sequence })
        where reached.contains(file.before) {
            reached.formUnion(file.chains)
        }
        return reached.lazy.map(\.sequence).max() ?? 0
    }
}
