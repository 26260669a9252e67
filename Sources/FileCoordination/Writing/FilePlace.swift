/// A file as its folder and its name in it, without touching the disk.
struct FilePlace: Hashable, Sendable {
    let folder: String
    let name: String
    let path: String

    /// Nil if the path names a folder: empty, with a slash at its end, or `.` or `..` as its last part.
    init?(_ path: String) {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        let name = slash.map { path[path.utf8.index(after: $0)...] } ?? path[...]
        guard !name.isEmpty, name != ".", name != ".." else { return nil }
        self.name = String(name)
        switch slash {
        case nil:
            folder = "."
            self.path = "./" + path
        case path.startIndex?:
            folder = "/"
            self.path = path
        case let slash?:
            folder = String(path[..<slash])
            self.path = path
        }
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
    }
}

extension FilePlace {
    /// Where the bytes of `path` really are, or would be made: links are followed, also chains, relative ones and ones that
    /// point nowhere yet. Parents are left to the system, so that `link/../x` means what it means to it.
    ///
    /// One call for a path that is no link.
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
