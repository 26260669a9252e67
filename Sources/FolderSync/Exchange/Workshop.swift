import FileCoordination

/// A directory beside the store where files for the folder are made, so that a sync service sees only whole ones. Where it
/// is on another file system than the folder, files are made in the folder under a name that services skip.
enum Workshop {
    static func open(beside store: String?, files: any FileSystem) throws -> String? {
        guard let store else { return nil }
        let path = store + "/outgoing"
        do {
            try files.makeDirectory(path, permissions: .privateDirectory)
        } catch .fileExists {
            return path
        } catch {
            throw FolderSyncError(writing: .makingDirectory(path, error))
        }
        return path
    }
}
