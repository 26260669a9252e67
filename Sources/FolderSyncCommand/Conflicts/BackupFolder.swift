import FileCoordination
import Foundation

/// The folder that keeps what a resolved conflict loses.
enum BackupFolder {
    /// The user's own, by the XDG Base Directory Specification: for what should outlive a program's runs, but is no document.
    static func usual(_ environment: [String: String] = ProcessInfo.processInfo.environment) -> String {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (state ?? NSHomeDirectory() + "/.local/state") + "/foldersync/resolved"
    }

    /// Makes it, and those above it, if it is not there. What is made is private to the user.
    static func make(_ path: String) throws -> String {
        let path = WrittenPath(path)
        let files = LocalFileSystem.local
        do { try files.makeDirectory(path.text, permissions: FilePermissions(rawValue: 0o700)) } catch {
            switch error {
            case .fileExists: break
            case .noSuchFile where path.folder != path.text:
                _ = try make(path.folder)
                return try make(path.text)
            default: throw FileCoordinationError.makingDirectory(path.text, error)
            }
        }
        return path.text
    }
}
