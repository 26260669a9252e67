/// How far a long step is.
public struct SyncProgress: Hashable, Sendable {
    /// What is being done.
    public enum Phase: String, Hashable, Sendable {
        /// Files are read; counted in files.
        case reading
        /// Versions that waited are added, with values that are in pieces; counted in versions.
        case importing
        /// Versions are written to the folder; counted in versions.
        case sending
        /// A store is set up or filled up from a snapshot; counted in versions.
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
    /// The same in bytes: of files where they are read, of values in pieces where versions are added, of versions as they were
    /// saved where they are sent, of a snapshot's records.
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

/// Counts versions that are added, and the bytes of them that are in pieces.
struct ImportingProgress {
    private(set) var now: SyncProgress

    /// - Parameter lengths: of each version, how many bytes of it are in pieces.
    init(_ lengths: [Int]) {
        now = Self.step(0, of: lengths.count, .init(done: 0, total: lengths.reduce(0, Self.sum)))
    }

    mutating func pass(_ length: Int) {
        now = Self.step(now.done + 1, of: now.total, within(length).bytes)
    }

    /// When so many bytes of a version are copied.
    func within(_ length: Int) -> SyncProgress {
        guard let bytes = now.bytes, let total = bytes.total else { return now }
        let done = min(Self.sum(bytes.done, length), total)
        return Self.step(now.done, of: now.total, .init(done: done, total: total))
    }

    private static func step(_ done: Int, of total: Int, _ bytes: SyncProgress.Amount?) -> SyncProgress {
        SyncProgress(
            phase: .importing, done: done, total: total, versions: .init(done: done, total: total), bytes: bytes)
    }

    /// What versions that came from elsewhere say of lengths may be anything.
    private static func sum(_ left: Int, _ right: Int) -> Int {
        let (sum, isOver) = left.addingReportingOverflow(right)
        return isOver ? Int.max : sum
    }
}

/// Counts what is sent in versions and bytes. Bytes go ahead of versions: a version of many pieces is one for long.
struct SendingProgress {
    private(set) var now: SyncProgress

    /// - Parameter bytes: those of all versions, as ``OutgoingVersion/byteCount()`` counts them.
    init(versions: Int, bytes: Int) {
        now = SyncProgress(
            phase: .sending, done: 0, total: versions, versions: .init(done: 0, total: versions),
            bytes: .init(done: 0, total: bytes))
    }

    mutating func pass(bytes: Int) { now.bytes = now.bytes?.adding(bytes) }

    mutating func pass(versions: Int) {
        now = SyncProgress(
            phase: .sending, done: versions, total: now.total, versions: .init(done: versions, total: now.total),
            bytes: now.bytes)
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
