/// How far a long step is.
public struct SyncProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: String, Hashable, Sendable {
        /// Files are read; counted in files.
        case reading
        /// Versions that waited are added; counted in versions.
        case importing
        /// Versions are written to the folder; counted in versions.
        case sending
        /// An empty store is set up from a snapshot; counted in versions.
        case bootstrapping
        /// A snapshot is written to the folder; counted in its pieces.
        case snapshotting
    }

    /// So much of so much.
    public struct Amount: Hashable, Sendable {
        /// How much is done.
        public var done: Int
        /// How much there is; nil where that is not known before it is done.
        public var total: Int?

        /// An amount.
        public init(done: Int, total: Int? = nil) {
            self.done = done
            self.total = total
        }
    }

    /// What is being done.
    public let phase: Phase
    /// How much of it is done.
    public let done: Int
    /// How much there is.
    public let total: Int
    /// The same in versions; nil where it is not known what is in the files.
    public var versions: Amount?
    /// The same in bytes, of files in the folder, or of a snapshot's records.
    public var bytes: Amount?
}

/// Counts a step in files, versions and bytes.
struct ReadingProgress {
    private(set) var now: SyncProgress
    private let files: Int

    /// - Parameter unread: the files to read, each with its size. How many versions are in them, their names say.
    init(_ unread: [SharedFolder.Listed]) {
        files = unread.count
        let (versions, bytes) = unread.reduce((0, 0)) {
            ($0.0 + $1.versionCount, $0.1 + Int(clamping: $1.signature.size))
        }
        now = SyncProgress(
            phase: .reading, done: 0, total: files, versions: .init(done: 0, total: versions),
            bytes: .init(done: 0, total: bytes))
    }

    mutating func pass(_ file: SharedFolder.Listed) {
        now = SyncProgress(
            phase: .reading, done: now.done + 1, total: files, versions: now.versions?.adding(file.versionCount),
            bytes: now.bytes?.adding(Int(clamping: file.signature.size)))
    }
}

extension SyncProgress.Amount {
    func adding(_ more: Int) -> Self { Self(done: done + more, total: total) }
}

extension SharedFolder.Listed {
    /// How many versions the name says are in it.
    fileprivate var versionCount: Int {
        if case .entries(let from, let to, _) = name { Int(clamping: to - from + 1) } else { 0 }
    }
}
