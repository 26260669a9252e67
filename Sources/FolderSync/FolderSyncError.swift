/// Why a folder could not be used or exchanged with: what happened and what to do, the file or folder, and the cause.
///
/// Files in the folder that are late, damaged or from newer versions are no errors: they are reported with the rest of a
/// pass, and the others go on. Errors of the local store are `StoreError`s.
public struct FolderSyncError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, for programs. More may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's stable name.
        public let rawValue: String
        /// A code of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There is nothing at the path, or no directory.
        public static let folderMissing = Code(rawValue: "folderMissing")
        /// The folder has no identity card where there was one: it is not mounted, or was emptied.
        public static let folderEmptyOrUnmounted = Code(rawValue: "folderEmptyOrUnmounted")
        /// A folder that is to become a shared folder has other things in it.
        public static let folderNotEmpty = Code(rawValue: "folderNotEmpty")
        /// The folder carries another store.
        public static let otherStore = Code(rawValue: "otherStore")
        /// The folder has the cards of two stores.
        public static let secondCard = Code(rawValue: "secondCard")
        /// Work that was not sent would be left behind.
        public static let unsent = Code(rawValue: "unsent")
        /// The identity card is not here in full yet.
        public static let cardArriving = Code(rawValue: "cardArriving")
        /// The identity card's bytes are wrong.
        public static let cardDamaged = Code(rawValue: "cardDamaged")
        /// The folder is of a format that only newer versions of this software know.
        public static let newerFormat = Code(rawValue: "newerFormat")
        /// The folder cannot be written to.
        public static let readOnly = Code(rawValue: "readOnly")
        /// The system does not permit it.
        public static let notPermitted = Code(rawValue: "notPermitted")
        /// The disk or quota is full.
        public static let noSpace = Code(rawValue: "noSpace")
        /// The store lies in the folder, or the folder in the store.
        public static let overlappingPaths = Code(rawValue: "overlappingPaths")
        /// The store is attached to this folder already.
        public static let alreadyAttached = Code(rawValue: "alreadyAttached")
        /// The store is not attached to this folder.
        public static let notAttached = Code(rawValue: "notAttached")
        /// A read or write failed.
        public static let inputOutput = Code(rawValue: "inputOutput")
        /// Another process is exchanging with the folder.
        public static let locked = Code(rawValue: "locked")
        /// The file system lacks what is needed.
        public static let unsupportedFileSystem = Code(rawValue: "unsupportedFileSystem")
        /// A version is larger than a file of the folder may be.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The store does not hold everything yet that it would have to publish.
        public static let notReady = Code(rawValue: "notReady")
        /// Files of this attachment are sealed by a transform that is not given now.
        public static let transformMissing = Code(rawValue: "transformMissing")
        /// The files of the folder are sealed with another key than the one given.
        public static let wrongKey = Code(rawValue: "wrongKey")
        /// A transform did not seal a file as it has to.
        public static let transformFailed = Code(rawValue: "transformFailed")
        /// The exchange was closed.
        public static let closed = Code(rawValue: "closed")
    }

    /// The kind of failure.
    public let code: Code
    /// What happened, in a sentence without its end: "the folder carries another store".
    public let what: String
    /// What a person can do about it: "choose another folder".
    public let remedy: String
    /// The file or folder concerned, if there is one.
    public let path: String?
    /// The failure below, as text.
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
