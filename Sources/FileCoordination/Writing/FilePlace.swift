/// A file as its folder and its name in it, without touching the disk.
struct FilePlace: Hashable, Sendable {
    var folder: String
    var name: String

    var path: String { Self.join(folder, name) }

    /// Nil if the path names a folder: empty, with a slash at its end, or `.` or `..` as its last part.
    init?(_ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let last = parts.last, !last.isEmpty, last != ".", last != ".." else { return nil }
        let folder = parts.dropLast().joined(separator: "/")
        self.folder = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
        self.name = String(last)
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
    }
}

extension FilePlace {
    /// Where the bytes of `path` really are, or would be made: links are followed, also chains, relative ones and ones that
    /// point nowhere yet. Parents are left to the system, so that `link/../x` means what it means to it.
    static func resolving(
        _ path: String, followLinks: Bool, in files: any FileSystem, for operation: FileCoordinationError.Operation
    ) throws(FileCoordinationError) -> (place: FilePlace, existing: FileAttributes?) {
        var current = path
        // As many as the kernel follows.
        for _ in 0..<40 {
            guard let place = FilePlace(current) else {
                throw FileCoordinationError(operation, path, current.isEmpty ? .noSuchFile : .isDirectory)
            }
            let found: FileAttributes
            do { found = try files.attributes(at: place.path, followLinks: false) } catch {
                if error == .noSuchFile { return (place, nil) }
                throw FileCoordinationError(operation, path, error)
            }
            guard found.kind == .link else { return (place, found) }
            guard followLinks else { throw FileCoordinationError(operation, path, .linkLoop) }
            let target: String
            do { target = try files.readLink(place.path) } catch { throw FileCoordinationError(operation, path, error) }
            current = target.hasPrefix("/") ? target : join(place.folder, target)
        }
        throw FileCoordinationError(operation, path, .linkLoop)
    }
}
