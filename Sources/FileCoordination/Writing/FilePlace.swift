/// A file as its folder and its name in it, without touching the disk.
package struct FilePlace: Hashable, Sendable {
    package let folder: String
    package let path: String

    /// The last part of the path.
    package var name: String {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/"))
        return slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    }

    /// Nil if the path names a folder: empty, with a slash at its end, or `.` or `..` as its last part.
    package init?(_ path: String) {
        // By bytes: every write takes its path apart.
        var path = path
        guard let folder = path.withUTF8({ Self.folder(of: $0) }) else { return nil }
        self.folder = folder
        self.path = path
    }

    private static func folder(of path: UnsafeBufferPointer<UInt8>) -> String? {
        var start = path.count
        while start > 0, path[start - 1] != UInt8(ascii: "/") { start -= 1 }
        let name = path[start...]
        if name.count <= 2, name.allSatisfy({ $0 == UInt8(ascii: ".") }) { return nil }
        switch start {
        case 0: return "."
        case 1: return "/"
        default: return String(decoding: path[..<(start - 1)], as: UTF8.self)
        }
    }

    package static func join(_ folder: String, _ name: String) -> String {
        var path = folder
        path.reserveCapacity(folder.utf8.count + 1 + name.utf8.count)
        if folder.utf8.last != UInt8(ascii: "/") { path += "/" }
        path += name
        return path
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
