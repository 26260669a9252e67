import FileCoordination

/// What a mirror passes over, in the directory and in the store alike.
struct MirrorFilter: Sendable {
    private let filter: WatchFilter
    /// The same for the directory's watcher.
    let watchOptions: WatchOptions

    /// Temporary and control names of editors, systems and sync services, and what these patterns match; see
    /// ``FileCoordination/WatchOptions/ignoring``.
    init(ignoring patterns: [String] = []) {
        var options = WatchOptions()
        options.ignoring = patterns
        watchOptions = options
        filter = WatchFilter(options)
    }

    /// `prefix` is empty, or a folder with a slash at the end.
    func leavesOut(_ name: String, in prefix: String, _ kind: FileKind) -> Bool {
        filter.ignores(name, in: String(prefix.unicodeScalars.dropLast()), kind: kind)
    }

    /// Whether the path, or a folder it lies in, is passed over.
    func leavesOut(_ path: RelativePath) -> Bool {
        var prefix = ""
        var parts = path.utf8.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
        guard let name = parts.popLast() else { return false }
        for folder in parts {
            if leavesOut(folder, in: prefix, .directory) { return true }
            prefix += folder + "/"
        }
        return leavesOut(name, in: prefix, .file)
    }
}
