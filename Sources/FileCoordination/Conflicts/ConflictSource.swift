public import Foundation

/// Something that knows which files are conflict copies: sync services' names, or a system's own versions of a file.
///
/// It finds and removes. Which side is right, and how two are merged, is its caller's affair.
public protocol ConflictSource: Sendable {
    /// The copies that nobody has resolved.
    ///
    /// - Parameter url: A folder: everything below it. Anything else, also a file that is gone: the copies of that file.
    /// - Throws: If the folder cannot be read. No copies is not an error.
    func unresolvedConflicts(at url: URL) async throws -> [Conflict]

    /// Says that the copy is dealt with, and removes it.
    ///
    /// - Parameters:
    ///   - url: What it is a copy of: its ``Conflict/original`` or its ``Conflict/root``.
    ///   - conflictURL: The copy, as it was listed by this source.
    /// - Throws: And removes nothing, if the copy was not listed, is gone, or changed since it was listed.
    func resolveConflict(at url: URL, conflictURL: URL) async throws
}
