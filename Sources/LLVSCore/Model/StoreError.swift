/// What went wrong in a store: what happened and what to do, the path or id it concerns, and the cause.
///
/// The store throws nothing else for what disks, other processes and foreign data do. A caller's own errors (thrown by an
/// arbiter or a stream it supplied) pass through as they are.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs. More may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's stable name.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The version is not in the store.
        public static let noSuchVersion = Code(rawValue: "noSuchVersion")
        /// Not 1 to 65,535 bytes of UTF-8.
        public static let invalidValueID = Code(rawValue: "invalidValueID")
        /// Neither a native id nor 1 to 255 bytes of UTF-8.
        public static let invalidVersionID = Code(rawValue: "invalidVersionID")
        /// Changes that contradict each other or the version they are based on.
        public static let invalidChanges = Code(rawValue: "invalidChanges")
        /// Bytes that are no version: not canonical, of another id, or at odds with their parents.
        public static let invalidVersion = Code(rawValue: "invalidVersion")
        /// Bytes of the store that do not decode or verify.
        public static let damaged = Code(rawValue: "damaged")
        /// Nothing at the path, or something that is no store.
        public static let notAStore = Code(rawValue: "notAStore")
        /// A store is there already.
        public static let storeExists = Code(rawValue: "storeExists")
        /// Written by a newer version of this software.
        public static let fromNewerVersion = Code(rawValue: "fromNewerVersion")
        /// Another process holds a lock for longer than was waited.
        public static let locked = Code(rawValue: "locked")
        /// The disk or quota is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The place cannot be written to.
        public static let readOnly = Code(rawValue: "readOnly")
        /// A read or write failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// The file system lacks what a store needs.
        public static let unsupportedFileSystem = Code(rawValue: "unsupportedFileSystem")
        /// The arbiter's answer does not resolve the merge.
        public static let arbiterMisbehaved = Code(rawValue: "arbiterMisbehaved")
        /// A value's bytes are not what the version says.
        public static let valueUnreadable = Code(rawValue: "valueUnreadable")
        /// A cursor of another store or coordinator.
        public static let foreignCursor = Code(rawValue: "foreignCursor")
        /// The store was closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence without its end: "the store file is damaged".
    public let what: String
    /// What a person can do about it: "restore it from a backup".
    public let remedy: String
    /// The file or folder concerned, if there is one.
    public let path: String?
    /// The failure below, as text: an errno or SQLite's message.
    public let cause: String?

    /// Describes a failure.
    public init(_ code: Code, _ what: String, remedy: String, path: String? = nil, cause: String? = nil) {
        self.code = code
        self.what = what
        self.remedy = remedy
        self.path = path
        self.cause = cause
    }

    /// "what (path: cause); what to do".
    public var description: String {
        let place = [path, cause].compactMap(\.self).joined(separator: ": ")
        return (place.isEmpty ? what : "\(what) (\(place))") + "; \(remedy)"
    }
}
