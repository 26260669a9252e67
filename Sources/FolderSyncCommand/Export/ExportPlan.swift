import LLVSCore

/// The files that a version has, as far as its ids can be files.
struct ExportPlan {
    struct File {
        let id: Value.ID
        let path: RelativePath
        let hash: Digest
        /// The version that stored the content.
        let storedBy: Version.ID
    }

    let version: Version.ID
    /// Ascending by path.
    private(set) var files: [File] = []
    /// Ids that no file can have.
    private(set) var skipped: [SkippedItem] = []
    /// The paths of ``files``.
    private(set) var paths: Set<RelativePath> = []
    /// The folders that ``files`` lie in.
    let folders: Set<RelativePath>

    init(of version: Version.ID, in store: Store) throws {
        self.version = version
        var references: [Value.Reference] = []
        try store.forEachValue(at: version) {
            references.append($0)
            return true
        }
        let names = FolderNames(references.map(\.id))
        folders = names.paths
        for reference in references {
            guard let path = RelativePath(reference.id) else {
                skip(reference.id, RelativePath.problem(of: reference.id) ?? "its name is no path")
                continue
            }
            guard !names.contains(reference.id) else {
                skip(reference.id, "another value's name makes it a folder")
                continue
            }
            files.append(File(id: reference.id, path: path, hash: reference.contentHash, storedBy: reference.version))
            paths.insert(path)
        }
    }

    /// Whether the version has it.
    func has(_ key: ExportRecord.Key) -> Bool { (key.isFolder ? folders : paths).contains(key.path) }

    private mutating func skip(_ id: Value.ID, _ reason: String) {
        skipped.append(SkippedItem(file: id.rawValue, reason: reason))
    }
}
