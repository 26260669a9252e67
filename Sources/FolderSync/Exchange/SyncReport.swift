public import LLVSCore

/// What a retrieve or a send did, and what it could not, file by file.
///
/// Nothing in it is an error: files that are late, torn, foreign or newer are what shared folders are made of. Each is looked
/// at again at every pass.
public struct SyncReport: ExchangeReport, Hashable {
    /// A file, or a lane, and what is to be said of it.
    public struct Item: Hashable, Sendable {
        /// The path below the shared folder; empty for what concerns the folder as a whole.
        public let file: String
        /// What is the matter, in a phrase.
        public let reason: String

        /// An item.
        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    /// Entries of a lane that are known to exist and are not here.
    public struct MissingEntries: Hashable, Sendable {
        /// The lane: its owner's device can write them again.
        public let lane: LaneID
        /// The last number that is known of.
        public let known: UInt64
        /// The number up to which all are here.
        public let here: UInt64
    }

    /// Versions added to the store.
    public var imported = 0
    /// Versions sent.
    public var sent = 0
    /// Bytes of the files that were read for it.
    public var readByteCount = 0
    /// Bytes of the versions sent, as they were saved: before compression, with values that are in pieces.
    public var sentByteCount = 0
    /// Files that are still arriving, versions that wait for others, work that waits to be sent.
    public var waiting: [Item] = []
    /// What the history lacks, lane by lane; each is in ``waiting`` too, in words.
    public var missing: [MissingEntries] = []
    /// Files whose bytes do not verify.
    public var damaged: [Item] = []
    /// Files of another store.
    public var foreign: [Item] = []
    /// Files that need a newer version of this software, or a transform or key that is not given here.
    public var future: [Item] = []
    /// Files whose contents are known under another name.
    public var duplicates = 0
    /// Files that are none of ours: ignored.
    public var strays = 0
    /// Files of our own that were lost or damaged in the folder and are written again.
    public var restored = 0
    /// Files of our own whose contents went into larger ones.
    public var packed = 0
    /// Files of our own that were taken away, because a larger one stands in for them.
    public var removed = 0
    /// Versions that were published here because the files of lanes that nobody writes any more were lost.
    public var carried = 0
    /// What happened to this device's place in the folder, told once: a twin was met, say.
    public var notices: [Item] = []
    /// Whether every file was read or classified.
    public var isComplete = true
    /// Whether versions that other lanes announced are on their way, and have been for less than an hour.
    public var isAwaitingAnnounced = false

    /// An empty report.
    public init() {}

    /// Whether nothing came and nothing has to be looked at again.
    var isIdle: Bool { imported == 0 && waiting.isEmpty && damaged.isEmpty && isComplete }

    /// The later report with the counts of both: of passes that are told as one.
    func counts(addedTo later: SyncReport) -> SyncReport {
        var both = later
        both.imported += imported
        both.sent += sent
        both.readByteCount += readByteCount
        both.sentByteCount += sentByteCount
        both.restored += restored
        both.packed += packed
        both.removed += removed
        both.carried += carried
        both.notices = notices + later.notices
        return both
    }

    /// Both, as one report of a pass: a retrieve's findings and a send's.
    public func followed(by later: SyncReport) -> SyncReport {
        var both = self
        both.imported += later.imported
        both.sent += later.sent
        both.readByteCount += later.readByteCount
        both.sentByteCount += later.sentByteCount
        both.waiting += later.waiting
        both.damaged += later.damaged
        both.restored += later.restored
        both.packed += later.packed
        both.removed += later.removed
        both.carried += later.carried
        both.notices += later.notices
        return both
    }
}
