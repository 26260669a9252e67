import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A folder of two levels, by what the system offers.
enum FolderListing {
    /// Lists the folder and its directories with `readdir` and `lstat`, as little as a look for changes can be. Returns the
    /// number of names.
    static func bare(_ path: String) -> Int {
        guard let directory = opendir(path) else { return 0 }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            let inner = path + "/" + name
            var attributes = stat()
            guard lstat(inner, &attributes) == 0 else { continue }
            count += 1
            if attributes.st_mode & S_IFMT == S_IFDIR { count += bare(inner) }
        }
        return count
    }

    /// How many files there are, and their bytes together.
    static func sizes(of path: String) throws -> (files: Int, bytes: Int) {
        var (files, bytes) = (0, 0)
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var attributes = stat()
            guard lstat(path + "/" + name, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFREG else { continue }
            files += 1
            bytes += Int(attributes.st_size)
        }
        return (files, bytes)
    }
}
