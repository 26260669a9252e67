import Foundation

/// Makes symbolic links, which the seam has no call for.
public enum FileSystemLink {
    /// Makes a link at `path` that says `target`, whatever that is.
    public static func make(at path: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target)
    }
}
