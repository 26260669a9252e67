import FileCoordination

/// The paths by which files are known where the file system shows all names in lower case, as NTFS does through
/// `lowntfs-3g -o ignore_case`: a file that is recorded with a capital letter is still that file, and nobody renamed it.
///
/// Where a single capital letter is shown, names are shown as they were given, and another spelling is a rename.
struct MirrorSpelling {
    private var recorded: [RelativePath: RelativePath] = [:]

    init(_ shown: [RelativePath], _ record: MirrorRecord, in directory: MirrorDirectory) throws(FileCoordinationError) {
        let found = Set(shown)
        let missing = record.entries.filter { !found.contains($0.key) }
        if missing.isEmpty || !shown.allSatisfy({ $0.lowerCase == $0 }) { return }
        // Of two recorded spellings the one that was written is the file; the other found its place taken.
        for (path, entry) in missing.sorted(by: { $0.key < $1.key }) {
            let name = path.lowerCase
            guard found.contains(name), entry.settled != nil || recorded[name] == nil else { continue }
            if try Self.isOneFile(path, name, in: directory) { recorded[name] = path }
        }
    }

    /// The path that the file is known by.
    func callAsFunction(_ shown: RelativePath) -> RelativePath { recorded[shown] ?? shown }

    private static func isOneFile(
        _ path: RelativePath, _ shown: RelativePath, in directory: MirrorDirectory
    ) throws(FileCoordinationError) -> Bool {
        do {
            let (one, other) = (
                try directory.files.attributes(at: directory.full(path), followLinks: false),
                try directory.files.attributes(at: directory.full(shown), followLinks: false)
            )
            return one.inode == other.inode && one.device == other.device
        } catch {
            if error == .noSuchFile || error == .notDirectory { return false }
            throw .reading(directory.full(path), error)
        }
    }
}

extension RelativePath {
    fileprivate var lowerCase: RelativePath { RelativePath(trusted: Array(text.lowercased().utf8)) }
}
