/// What an exchange or import of LLVS's data did, and what it could not, file by file.
///
/// Nothing in it is an error: files that are late, torn or strange are what shared folders are made of. Each is looked at
/// again by the next call.
public struct LLVSReport: ExchangeReport, Hashable {
    /// A file and what is to be said of it.
    public struct Item: Hashable, Sendable {
        /// The path below the folder.
        public let file: String
        /// What is the matter, in a phrase.
        public let reason: String

        /// An item.
        public init(file: String, reason: String) {
            self.file = file
            self.reason = reason
        }
    }

    /// Versions added to the store.
    public var imported = 0
    /// Versions written to the folder.
    public var sent = 0
    /// Versions of which a file of this store's was lost or changed and is written again.
    public var restored = 0
    /// Versions that wait for others or for their changes, under the name of their file.
    public var waiting: [Item] = []
    /// Files that are torn, cannot be read, or contradict themselves or what is known.
    public var damaged: [Item] = []
    /// Versions of this store that LLVS's format cannot hold, under the name they would have, and those that build on them.
    public var unsendable: [Item] = []
    /// Files that are none of LLVS's: ignored.
    public var strays = 0
    /// Whether every file was read or classified.
    public var isComplete = true
    /// Whether versions wait for others that are on their way, and have for less than an hour.
    public var isAwaitingAnnounced = false

    /// An empty report.
    public init() {}

    /// Both, as one report: a retrieve's findings and a send's.
    public func followed(by later: LLVSReport) -> LLVSReport {
        var both = self
        both.imported += later.imported
        both.sent += later.sent
        both.restored += later.restored
        both.damaged += later.damaged.filter { !damaged.contains($0) }
        both.unsendable += later.unsendable
        return both
    }
}
