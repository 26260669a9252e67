import FileCoordination

extension FolderSyncError {
    /// What a failed write means for an exchange.
    init(writing error: FileCoordinationError) {
        let code: Code =
            switch error.code {
            case .noSpace, .quotaExceeded: .noSpace
            case .readOnlyFileSystem, .notPermitted: .readOnly
            default: .inputOutput
            }
        self.init(
            code, code == .readOnly ? "the shared folder is read-only" : "the shared folder cannot be written to",
            remedy: error.remedy, path: error.path, cause: error.errno.map { "\($0)" })
    }

    /// What a failed read means for an exchange that cannot go on without it.
    init(reading error: FileCoordinationError) {
        self.init(
            error.code == .notPermitted ? .notPermitted : .inputOutput, "the shared folder cannot be read",
            remedy: error.remedy, path: error.path, cause: error.errno.map { "\($0)" })
    }
}
