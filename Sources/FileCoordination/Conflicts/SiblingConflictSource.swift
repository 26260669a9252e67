import Dispatch
public import Foundation
import Synchronization

/// Finds the conflict copies that sync services leave beside the originals, by their names.
///
/// The names are those of some thirty services and their languages; see <doc:ConflictNames>. Every folder is read once;
/// nothing is remembered but what was listed, and links are never followed. Temporary, control and placeholder files of
/// services are no conflicts, whatever they are called, and their folders are not looked into.
///
/// A folder of ordinary names costs little more than reading it. Memory is that of the names of one folder, and of the
/// copies.
public final class SiblingConflictSource: ConflictSource {
    /// The file system it reads.
    public let files: any FileSystem
    /// What it looks at.
    public let options: ConflictListingOptions

    private let listed = Mutex<[PathKey: Conflict]>([:])
    private let queue = DispatchQueue(label: "SiblingConflictSource")

    /// More copies than anybody resolves one by one; beyond, the oldest listings are forgotten.
    private static let mostRemembered = 1 << 16

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
        try report(at: path) { false }
    }

    private func report(
        at path: String, isCancelled: @escaping () -> Bool
    ) throws(FileCoordinationError) -> ConflictReport {
        let report = try ConflictListing(files: files, options: options, isCancelled: isCancelled).report(at: path)
        listed.withLock { listed in
            if listed.count + report.conflicts.count > Self.mostRemembered { listed.removeAll() }
            for conflict in report.conflicts { listed[PathKey(conflict.path)] = conflict }
        }
        return report
    }

    /// Removes the copy, or puts its content in the root's place; on the calling thread, which blocks on the disk.
    ///
    /// What goes is checked just before, but a program that writes to it in that very moment is not held up: a backup
    /// folder keeps what it wrote.
    ///
    /// - Returns: The file or folder in the backup folder that has what did not stay; nil without a backup folder, and where
    ///   nothing was lost because the copy became the original.
    /// - Throws: And changes nothing: `.noSuchFile` if the copy is gone, `.conflictChanged` if it is not as it was listed
    ///   (or the root, when the copy's content is to replace it), `.notConflict` if its name is not a conflict's, and
    ///   `.notEmpty` for a folder with something in it, which can be moved to a backup folder though.
    @discardableResult
    public func resolve(
        _ conflict: Conflict, by resolution: ConflictResolution = ConflictResolution()
    ) throws(FileCoordinationError) -> String? {
        let work = try ConflictResolving(conflict, resolution, files, deviceNames: options.deviceNames)
        let backup =
            switch resolution.kept {
            case .original: try work.keepOriginal()
            case .copy: try work.keepCopy()
            }
        _ = listed.withLock { $0.removeValue(forKey: PathKey(conflict.path)) }
        return backup
    }

    /// The conflicts of ``report(at:)``, found on a thread that may block. Folders below that cannot be read are left out.
    public func unresolvedConflicts(at url: URL) async throws -> [Conflict] {
        let path = url.path
        let isCancelled = Mutex(false)
        let conflicts = try await withTaskCancellationHandler {
            try await onQueue { [self] in
                try report(at: path) { isCancelled.withLock { $0 } }.conflicts
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
        }
        try Task.checkCancellation()
        return conflicts
    }

    /// Removes the copy as ``resolve(_:by:)`` does without a backup, on a thread that may block.
    ///
    /// - Throws: Also `.conflictNotListed`, if this source has not listed the copy.
    public func resolveConflict(at url: URL, conflictURL: URL) async throws {
        let (original, copy) = (url.path, conflictURL.path)
        guard let conflict = listed.withLock({ $0[PathKey(copy)] }) else {
            throw FileCoordinationError.conflictNotListed(copy)
        }
        try await onQueue { [self] in
            guard files.isCopy(conflict, of: original) else {
                throw FileCoordinationError.notCopy(copy, of: original)
            }
            _ = try resolve(conflict)
        }
    }

    private func onQueue<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result(catching: body)) }
        }
    }
}
