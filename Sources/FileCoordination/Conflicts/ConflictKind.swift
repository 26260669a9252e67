extension SyncService {
    /// Of a copy that has the shape of a dated tag in a language or from a program that is not known.
    public static let unknown = SyncService(rawValue: "unknown")
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
