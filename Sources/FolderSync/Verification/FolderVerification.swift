public import FileCoordination
public import LLVSCore

/// A check of a whole shared folder, without a store. Writes nothing.
///
/// What is judged is the folder as it is here: on a replica that a service still fills, what has not come yet is arriving or a
/// gap.
public struct FolderVerification: Hashable, Sendable {
    /// What a file, or a place where one should be, turned out to be.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// In order.
        case ok
        /// Not all of it is here yet.
        case arriving
        /// Its bytes are wrong, or cannot be read.
        case damaged
        /// Good bytes that are here under their own name too, or a torn copy of such; a spoiled file whose entries others have. In a
        /// lane that nobody writes any more also what is left of a snapshot, and a spoiled piece that is whole elsewhere. No fault.
        case duplicate
        /// None of ours. No fault.
        case stray
        /// From a newer version of this software, or sealed by a transform or with a key that is not given.
        case future
        /// Of another store that the folder's has not adopted.
        case foreign
        /// Something is not here that other files say there is.
        case gap

        /// Whether the folder is as it should be with it.
        public var isFault: Bool { ![.ok, .duplicate, .stray].contains(self) }
    }

    /// A file, or a lane, that is not simply in order.
    public struct Finding: Hashable, Sendable {
        /// What it turned out to be.
        public let kind: Kind
        /// The path below the folder, or a lane.
        public let file: String
        /// What is the matter, in a phrase.
        public let reason: String
    }

    /// The store that the folder carries.
    public let identity: StoreIdentity
    /// How much was verified: `names` opens no file but cards, and notes where numbers are missing; `hash` reads every byte, and
    /// the numbers and chains in headers; `deep` also ids, parents, changes, and values against their hashes, across files.
    public let level: VerifyLevel
    /// Lanes that have files.
    public internal(set) var lanes: [LaneID] = []
    /// Different versions in the folder; at the levels `names` and `hash` the numbers in use.
    public internal(set) var versions = 0
    /// Files of ours that were looked at.
    public internal(set) var files = 0
    /// Everything that is not simply in order, by path.
    public internal(set) var findings: [Finding] = []
    /// How many files are of each kind. A gap counts as one.
    public internal(set) var counts: [Kind: Int] = [:]
    /// What the files hold.
    var contents = FolderContents()

    /// Files that are none of ours.
    public var strays: Int { counts[.stray] ?? 0 }
    /// What does not verify, and gaps.
    public var problems: [SyncReport.Item] { items { $0.isFault && $0 != .arriving } }
    /// What is still arriving.
    public var waiting: [SyncReport.Item] { items { $0 == .arriving } }
    /// Whether everything is there and verifies.
    public var isClean: Bool { !findings.contains { $0.kind.isFault } }

    private func items(_ isMeant: (Kind) -> Bool) -> [SyncReport.Item] {
        findings.filter { isMeant($0.kind) }.map { SyncReport.Item(file: $0.file, reason: $0.reason) }
    }

    /// Checks the folder.
    /// - Parameters:
    ///   - transform: what opens sealed files. Those that it does not open are ``Kind/future``.
    ///   - progress: called with files done and their number.
    /// - Throws: ``FolderSyncError`` if there is no folder or no card.
    public init(
        of folder: String, level: VerifyLevel = .deep, transform: (any FolderTransform)? = nil,
        files: any FileSystem = .local, progress: (Int, Int) -> Void = { _, _ in }
    ) throws {
        let folder = SharedFolder(
            path: FolderExchange.absolute(folder), files: files, seal: transform.map(FolderSeal.init))
        try self.init(of: folder, level: level, progress: progress)
    }

    init(of folder: SharedFolder, level: VerifyLevel = .deep, progress: (Int, Int) -> Void) throws {
        let cards = try FolderCard.read(in: folder)
        self.init(identity: cards.identity, level: level)
        try check(folder, adopted: cards.adopted, progress: progress)
    }

    init(identity: StoreIdentity, level: VerifyLevel) {
        self.identity = identity
        self.level = level
    }

    mutating func note(_ kind: Kind, _ file: String, _ reason: String) {
        counts[kind, default: 0] += 1
        if kind != .ok { findings.append(Finding(kind: kind, file: file, reason: reason)) }
    }

    /// Whether a whole file holds the version with all its values.
    func holds(_ id: Version.ID) -> Bool { contents.versions.contains(id) && !contents.incomplete.contains(id) }

    /// What of a lane no whole file holds, up to a point, and no note says to be elsewhere.
    func gaps(in lane: LaneID, upTo end: LaneChain) -> [(from: LaneChain, to: LaneChain)] {
        contents.gaps(in: lane, of: identity, upTo: end)
    }
}
