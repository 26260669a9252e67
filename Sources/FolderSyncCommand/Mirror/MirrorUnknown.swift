import FileCoordination

/// Where nothing is known of a mirrored directory: what is stored there stays, and nothing there counts as deleted.
///
/// Links and whatever is no file hide what is stored at and below them, as do folders that cannot be listed, and those on which
/// something was mounted that is not there now; so does a service's placeholder its original.
struct MirrorUnknown {
    /// Folders on which something was mounted, and in which files are missing.
    let unmounted: Set<RelativePath>
    /// What is to be said of it.
    let items: [SkippedItem]
    private let paths: Set<RelativePath>

    init(
        _ scan: DirectoryScan, _ record: MirrorRecord, _ found: Set<RelativePath>, accepting acceptsDeletions: Bool
    ) {
        let mounted = Set(scan.mounts.map { RelativePath(trusted: Array($0.utf8)) })
        let gone = record.mounts.subtracting(mounted)
        var unmounted: Set<RelativePath> = []
        if !gone.isEmpty, !acceptsDeletions {
            for (path, entry) in record.entries where !entry.mayBeAbsent && !found.contains(path) {
                unmounted.formUnion(path.parents.filter(gone.contains))
            }
        }
        var paths = unmounted
        for name in scan.skipped.map(\.file) where name.utf8.last != UInt8(ascii: "/") {
            paths.insert(RelativePath(trusted: Array(name.utf8)))
        }
        for folder in scan.unknownFolders { paths.insert(RelativePath(trusted: Array(folder.utf8.dropLast()))) }
        var items = unmounted.sorted().map { folder in
            SkippedItem(
                file: folder.text + "/",
                reason: "what was mounted there is not, and files are missing; nothing was deleted")
        }
        for file in scan.files {
            let path = RelativePath(trusted: Array(file.utf8))
            guard let original = Self.original(of: path) else { continue }
            paths.insert(original)
            items.append(SkippedItem(file: file, reason: "stands for a file whose content is not here"))
        }
        (self.unmounted, self.items, self.paths) = (unmounted, items, paths)
    }

    func contains(_ path: RelativePath) -> Bool {
        !paths.isEmpty && (paths.contains(path) || path.parents.contains { paths.contains($0) })
    }

    /// The file that a placeholder stands for, or nil if the path is none.
    static func original(of path: RelativePath) -> RelativePath? {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
        let name = String(decoding: path.utf8[slash...], as: UTF8.self)
        guard case .placeholder(let original, _) = TemporaryNames.classify(name) else { return nil }
        return RelativePath(trusted: path.utf8[..<slash] + Array(original.utf8))
    }
}
