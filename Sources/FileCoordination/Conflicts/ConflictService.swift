/// A program that leaves conflict copies behind. More may be added.
public struct ConflictService: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name that people know it by: "Dropbox".
    public let rawValue: String

    /// A service of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name.
    public var description: String { rawValue }

    /// A copy that has the shape of a dated tag in a language or from a program that is not known.
    public static let unknown = ConflictService(rawValue: "unknown")
}

/// Why a service made a copy, as far as its name says.
public enum ConflictKind: String, Hashable, Sendable, CaseIterable {
    /// The file was changed in two places.
    case edit
    /// It was changed in one place and deleted in another.
    case deletion
    /// Two new files had the same name.
    case nameClash
    /// Two names differ in upper and lower case only.
    case caseClash
    /// Two names differ in spaces at an end only.
    case whitespaceClash
    /// Two names differ in their Unicode normalization only.
    case encodingClash
    /// A folder is excluded from the sync, and another one of its name came into being.
    case selectiveSync
    /// The user may not change the file or folder.
    case permission
    /// A folder clashes with a shared folder of its name.
    case sharedFolder
}

/// How good the evidence is that a file is a conflict copy.
public enum Confidence: String, Hashable, Sendable, Comparable, CaseIterable {
    /// People name files like this too; there is an original beside it that it could be a copy of.
    case possible
    /// A service's mark, and an original or a second copy beside it; or something as good.
    case probable
    /// A service's mark with a real date or a device's number, complete and in its place. Nobody names a file like this.
    case certain

    /// Weaker is less.
    public static func < (a: Confidence, b: Confidence) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .possible: 0
        case .probable: 1
        case .certain: 2
        }
    }
}
