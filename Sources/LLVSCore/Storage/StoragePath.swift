#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The paths that stores are given by people.
enum StoragePath {
    /// The folder at `path`, absolute and free of links, so that neither `chdir` nor a moved link changes what is meant.
    static func existing(_ path: String) throws -> String {
        try check(path)
        guard let real = realpath(path, nil) else {
            guard errno == ENOENT || errno == ENOTDIR else {
                throw StoreError.systemCall("the store's folder cannot be reached", errno, path: path)
            }
            throw StoreError(
                .notAStore, "there is no store", remedy: "check the path, or make a store with `init`", path: path)
        }
        defer { free(real) }
        return String(cString: real)
    }

    /// Refuses what would reach the kernel as another path.
    static func check(_ path: String) throws {
        guard !path.isEmpty, !path.utf8.contains(0) else {
            throw StoreError(.notAStore, "the path is empty or contains a zero byte", remedy: "give the store's path")
        }
    }
}
