import Foundation

/// Which spellings of a name a folder takes for the same file.
///
/// Upper and lower case on vfat, exfat, SMB and in the folders of ext4 and f2fs that were made so; composed and decomposed
/// letters in the latter, and on HFS+ and APFS.
public struct NameFolding: OptionSet, Hashable, Sendable {
    /// One bit for each way.
    public let rawValue: UInt8
    /// The ways of these bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `a` and `A` are one file.
    public static let letterCase = NameFolding(rawValue: 1)
    /// One letter with its accent and two characters are one file.
    public static let composition = NameFolding(rawValue: 2)

    /// The spelling that stands for all that the folder takes for the same.
    ///
    /// By Unicode's full lower-case mapping and canonical composition. A file system's own tables may differ in rare
    /// letters: those share no spelling here.
    public func spelling(of name: String) -> String {
        if isEmpty { return name }
        let lowered = contains(.letterCase) ? name.lowercased() : name
        return lowered.utf8.allSatisfy { $0 < 0x80 } ? lowered : lowered.precomposedStringWithCanonicalMapping
    }
}

extension FileSystem {
    /// Asks the file system itself whether other spellings of a name that is there lead to the same file.
    ///
    /// At most two calls, none for a name without letters.
    func nameFolding(shownBy name: String, in folder: String, _ found: FileAttributes) -> NameFolding {
        var result: NameFolding = []
        let lowered = name.lowercased()
        let otherCase = name.utf8.elementsEqual(lowered.utf8) ? name.uppercased() : lowered
        if isSame(otherCase, as: name, in: folder, found) { result.insert(.letterCase) }
        if name.utf8.contains(where: { $0 >= 0x80 }) {
            let composed = name.precomposedStringWithCanonicalMapping
            let isComposed = name.utf8.elementsEqual(composed.utf8)
            let otherForm = isComposed ? name.decomposedStringWithCanonicalMapping : composed
            if isSame(otherForm, as: name, in: folder, found) { result.insert(.composition) }
        }
        return result
    }

    private func isSame(_ other: String, as name: String, in folder: String, _ found: FileAttributes) -> Bool {
        if other.utf8.elementsEqual(name.utf8) { return false }
        do {
            let attributes = try attributes(at: FilePlace.join(folder, other), followLinks: false)
            return attributes.inode == found.inode && attributes.device == found.device
        } catch { return false }
    }
}
