import CPlatform
import Foundation

/// Where the lock files of updates are: outside every shared folder, private, and the same for all processes of a user.
///
/// `~/.cache/filecoordination-locks` of the home directory in the user database (not `$HOME` and not the session's run-time
/// folder, which differ between a terminal and cron), or `filecoordination-locks-<uid>` in `/tmp` if that cannot be made.
/// Users who update one file together must agree on another one.
public enum LockFolder {
    /// Makes the folder if needed.
    public static func ofUser(in files: any FileSystem = .local) throws(FileCoordinationError) -> String {
        let user = getuid()
        var failure: FileCoordinationError?
        for (parent, name) in candidates(user) {
            do {
                if name.hasPrefix(".") { try make(parent, in: files, owner: nil) }
                let folder = FilePlace.join(parent, "filecoordination-locks" + (name.hasPrefix(".") ? "" : "-\(user)"))
                try make(folder, in: files, owner: user)
                return folder
            } catch { failure = failure ?? error }
        }
        throw failure ?? .makingDirectory("/tmp", .noSuchFile)
    }

    private static func candidates(_ user: uid_t) -> [(parent: String, name: String)] {
        var result = [(parent: "/tmp", name: "tmp")]
        if let home = getpwuid(user).flatMap({ $0.pointee.pw_dir }) {
            result.insert((FilePlace.join(String(cString: home), ".cache"), ".cache"), at: 0)
        }
        return result
    }

    /// A folder in `/tmp` could be someone else's trap: it counts only if it is a real folder of this user.
    private static func make(_ path: String, in files: any FileSystem, owner: uid_t?) throws(FileCoordinationError) {
        do { try files.makeDirectory(path, permissions: .privateDirectory) } catch {
            guard error == .fileExists else { throw .makingDirectory(path, error) }
        }
        guard let owner else { return }
        let found = try naming(path, FileCoordinationError.locking) { () throws(Errno) in
            try files.attributes(at: path, followLinks: false)
        }
        guard found.kind == .directory else { throw .locking(path, .notDirectory) }
        guard found.owner == owner else { throw .locking(path, .notPermitted) }
    }
}
