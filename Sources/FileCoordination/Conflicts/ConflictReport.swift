/// What was found in a folder.
public struct ConflictReport: Hashable, Sendable {
    /// The copies, ordered by path.
    public var conflicts: [Conflict]
    /// Temporary, control and placeholder files, ordered by path; none unless ``ConflictListingOptions/listsTemporary``.
    public var temporary: [TemporaryItem] = []
    /// The folders below that could not be read; what is in them is not known.
    public var failures: [FileCoordinationError]

    /// ``conflicts`` by what they are copies of.
    public var groups: [ConflictGroup] { ConflictGroup.grouping(conflicts) }
}

/// What is looked at, and how closely.
public struct ConflictListingOptions: Hashable, Sendable {
    /// Whether folders below are looked into too. Links never are.
    public var isRecursive: Bool
    /// Whether bytes are compared, which reads files of equal length; see ``Conflict/sameContent``.
    public var comparesContent: Bool
    /// Whether temporary, control and placeholder names are listed too, from the same pass. Of a file, its placeholders.
    public var listsTemporary: Bool
    /// Names of the user's devices. Without them only names that look like a device's count as one.
    public var deviceNames: Set<String>

    /// The options; everything below, names only, unless told otherwise.
    public init(
        isRecursive: Bool = true, comparesContent: Bool = false, listsTemporary: Bool = false,
        deviceNames: Set<String> = []
    ) {
        self.isRecursive = isRecursive
        self.comparesContent = comparesContent
        self.listsTemporary = listsTemporary
        self.deviceNames = deviceNames
    }
}
