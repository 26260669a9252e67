extension SyncService {
    /// CmisSync.
    public static let cmisSync = SyncService(rawValue: "CmisSync")
}

extension ConflictGrammar {
    /// After the extension; seen in an issue of the project.
    static let cmisSync = [ConflictGrammar(.weak, .cmisSync, tags: ["_{who}-version"])]
}
