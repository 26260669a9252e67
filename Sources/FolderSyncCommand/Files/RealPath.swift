import FileCoordination
import Foundation

/// A path with all links resolved; what does not exist yet is kept as it is written.
struct RealPath: Hashable, CustomStringConvertible {
    let text: String

    init(_ path: String) {
        var existing = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        var missing: [String] = []
        while true {
            if let real = Self.resolve(existing) {
                text = ([real == "/" ? "" : real] + missing.reversed()).joined(separator: "/")
                return
            }
            let parts = existing.split(separator: "/", omittingEmptySubsequences: true)
            guard let last = parts.last else { break }
            missing.append(String(last))
            existing = "/" + parts.dropLast().joined(separator: "/")
        }
        text = "/" + missing.reversed().joined(separator: "/")
    }

    var description: String { text }

    private static func resolve(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(validatingCString: real)
    }

    /// Whether this is `other` or lies in it, by name, or because a folder above it is the same one under another name (a
    /// bind mount, a file system that folds case).
    func isInside(_ other: RealPath, files: any FileSystem = .local) -> Bool {
        if text == other.text || text.hasPrefix(other.text == "/" ? "/" : other.text + "/") { return true }
        guard let container = Self.place(other.text, files) else { return false }
        var current = text
        while true {
            if let place = Self.place(current, files), place == container { return true }
            guard let slash = current.lastIndex(of: "/"), current != "/" else { return false }
            current = slash == current.startIndex ? "/" : String(current[..<slash])
        }
    }

    private static func place(_ path: String, _ files: any FileSystem) -> [UInt64]? {
        do {
            let attributes = try files.attributes(at: path, followLinks: true)
            return [attributes.device, attributes.inode]
        } catch {
            // What does not exist has no other name.
            return nil
        }
    }
}

/// The store, the shared folder and the folder of import or export must be apart: each would carry the other away.
func refuseOverlap(_ first: (name: String, path: RealPath), _ second: (name: String, path: RealPath)) throws {
    guard first.path.isInside(second.path) || second.path.isInside(first.path) else { return }
    throw CommandError(
        "\(first.name) and \(second.name) lie inside one another ('\(first.path)' and '\(second.path)')",
        remedy: "choose folders that are apart")
}
