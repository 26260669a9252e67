/// What went wrong with a file: what was tried, on which path, why, and what a person can do about it.
///
/// Everything above ``FileSystem`` in this module throws this. What a caller's own closure throws passes through as it is.
public struct FileCoordinationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs. More may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's stable name.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The disk is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The user's quota is used up.
        public static let quotaExceeded = Code(rawValue: "quotaExceeded")
        /// The file system is mounted read-only.
        public static let readOnlyFileSystem = Code(rawValue: "readOnlyFileSystem")
        /// The process lacks the right.
        public static let notPermitted = Code(rawValue: "notPermitted")
        /// A directory where a file is needed.
        public static let isDirectory = Code(rawValue: "isDirectory")
        /// Something else where a directory is needed.
        public static let notDirectory = Code(rawValue: "notDirectory")
        /// A FIFO, socket or device where a regular file is needed.
        public static let notRegularFile = Code(rawValue: "notRegularFile")
        /// A name or path that the file system cannot hold: too long, or with bytes it refuses.
        public static let invalidName = Code(rawValue: "invalidName")
        /// Nothing is there.
        public static let noSuchFile = Code(rawValue: "noSuchFile")
        /// The folder that the file should be in is not there.
        public static let noParent = Code(rawValue: "noParent")
        /// Something is there already.
        public static let fileExists = Code(rawValue: "fileExists")
        /// It is no longer what it was when it was read.
        public static let changed = Code(rawValue: "changed")
        /// It waits for something that the caller itself has: a programmer's error.
        public static let reentrant = Code(rawValue: "reentrant")
        /// The file is a mount point or in use.
        public static let busy = Code(rawValue: "busy")
        /// Two places are on different file systems.
        public static let crossesDevices = Code(rawValue: "crossesDevices")
        /// A link that is not to be followed, points nowhere, or goes round in circles.
        public static let link = Code(rawValue: "link")
        /// Larger than was allowed.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The directory still holds something.
        public static let notEmpty = Code(rawValue: "notEmpty")
        /// Another process holds the lock.
        public static let locked = Code(rawValue: "locked")
        /// A limit of the system is used up: descriptors, watches, memory.
        public static let limitReached = Code(rawValue: "limitReached")
        /// The file system or system cannot do it.
        public static let notSupported = Code(rawValue: "notSupported")
        /// The mount's server is gone.
        public static let disconnected = Code(rawValue: "disconnected")
        /// Written, but not known to survive a power cut. The only failure after which the new content is there.
        public static let durabilityUnknown = Code(rawValue: "durabilityUnknown")
        /// The disk failed, or something that has no code of its own.
        public static let inputOutput = Code(rawValue: "inputOutput")
    }

    /// What was being done.
    public struct Operation: RawRepresentable, Hashable, Sendable {
        /// The verb that follows "cannot".
        public let rawValue: String
        /// An operation that reads as "cannot `rawValue`".
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Reading a file or its attributes.
        public static let read = Operation(rawValue: "read")
        /// Writing or replacing a file.
        public static let write = Operation(rawValue: "write")
        /// Deleting a file.
        public static let delete = Operation(rawValue: "delete")
        /// Listing a directory.
        public static let list = Operation(rawValue: "list")
        /// Making a directory.
        public static let makeDirectory = Operation(rawValue: "make the folder")
        /// Renaming a file.
        public static let rename = Operation(rawValue: "rename")
        /// Locking a file.
        public static let lock = Operation(rawValue: "lock")
        /// Waiting for a turn in a ``PathSerializer``.
        public static let wait = Operation(rawValue: "wait for")
        /// Watching a directory.
        public static let watch = Operation(rawValue: "watch")
    }

    /// The kind of failure.
    public let code: Code
    /// What was tried.
    public let operation: Operation
    /// The file or folder concerned.
    public let path: String
    /// What the system said, if it was the system.
    public let errno: Errno?
    /// What happened, in a sentence without its end: "cannot write '/a/b': the disk is full".
    public let what: String
    /// What a person can do about it: "free some space and try again".
    public let remedy: String

    /// Describes a failure; see the factories, one for each operation.
    public init(
        _ code: Code, _ operation: Operation, path: String, errno: Errno? = nil, because reason: String, remedy: String
    ) {
        self.code = code
        self.operation = operation
        self.path = path
        self.errno = errno
        self.what = "cannot \(operation.rawValue) '\(path)': \(reason)"
        self.remedy = remedy
    }

    /// "what; remedy".
    public var description: String { "\(what); \(remedy)" }
}
