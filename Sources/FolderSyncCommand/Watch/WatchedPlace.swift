import FileCoordination
import Foundation

/// The folder that `watch` was given.
struct WatchedPlace: Sendable {
    /// As it was given, without slashes at its end; empty for the root of the file system.
    let spelled: String
    /// The same as an absolute path.
    let path: String

    /// - Throws: If it is no folder that can be listed. One that is not there is most likely a slip of the pen, so it is not
    ///   waited for.
    init(_ given: String, files: any FileSystem = .local) throws(FileCoordinationError) {
        do {
            try files.close(try files.open(given, [.read, .directory]))
        } catch {
            throw .watching(given, error)
        }
        var spelled = given
        while spelled.hasSuffix("/") { spelled.removeLast() }
        self.spelled = spelled
        let here = FileManager.default.currentDirectoryPath
        path =
            given.hasPrefix("/")
            ? (spelled.isEmpty ? "/" : spelled) : (here == "/" ? "" : here) + "/" + spelled
    }

    /// What follows the folder's own path in the path of something in it: empty, or from the slash on. Nil if it is not in it.
    func rest(of path: String) -> Substring.UTF8View? {
        let own = spelled.isEmpty ? "".utf8 : self.path.utf8
        guard path.utf8.starts(with: own) else { return nil }
        return path.utf8.dropFirst(own.count)
    }

    /// A path in it as the person who gave the folder would write it: `notes/a` in `notes`.
    func spelling(of path: String) -> String {
        guard let rest = rest(of: path) else { return path }
        let text = spelled + String(decoding: rest, as: UTF8.self)
        return text.isEmpty ? "/" : text
    }
}
