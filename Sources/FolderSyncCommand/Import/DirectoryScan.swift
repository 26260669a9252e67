import FileCoordination

/// Everything below a folder: its regular files, and what is none.
struct DirectoryScan {
    /// Paths of regular files relative to the folder, ascending by their bytes.
    private(set) var files: [String] = []
    /// Links, pipes, sockets, devices, names that are not UTF-8, empty folders, folders that cannot be listed.
    private(set) var skipped: [SkippedItem] = []
    /// Folders, relative and with a slash at the end, of which nothing is known: what is stored below them is kept.
    private(set) var unknownFolders: [String] = []

    /// Folders on which another file system is mounted, relative.
    private(set) var mounts: [String] = []

    private let root: String
    private let fileSystem: any FileSystem
    private let leavesOut: (_ name: String, _ prefix: String, FileKind) -> Bool

    /// Lists the folder and all below it, never through a link.
    /// - Parameter leavesOut: whether a name in the folder `prefix` (empty, or with a slash at the end) is passed over.
    /// - Throws: If the folder itself cannot be listed.
    init(
        of root: String, in fileSystem: any FileSystem = .local,
        leavingOut leavesOut: @escaping (_ name: String, _ prefix: String, FileKind) -> Bool = { _, _, _ in false },
        progress: (Int) -> Void = { _ in }
    ) throws(FileCoordinationError) {
        self.root = root
        self.fileSystem = fileSystem
        self.leavesOut = leavesOut
        // A stack of its own: the depth of folders is foreign data.
        var pending: [(prefix: String, device: UInt64?)] = [("", nil)]
        while let (prefix, device) = pending.popLast() {
            do {
                pending += try list(prefix, onDevice: device)
            } catch {
                if prefix.isEmpty { throw .listing(root, error) }
                unknownFolders.append(prefix)
                skipped.append(SkippedItem(file: prefix, reason: "unreadable folder: \(error)"))
            }
            progress(files.count)
        }
        files.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        skipped.sort { $0.file.utf8.lexicographicallyPrecedes($1.file.utf8) }
    }

    /// Takes in one folder and returns those below it, each with the device of this one.
    private mutating func list(
        _ prefix: String, onDevice parent: UInt64?
    ) throws(Errno) -> [(prefix: String, device: UInt64?)] {
        let path = prefix.isEmpty ? root : root + "/" + prefix.dropLast()
        let directory = try fileSystem.open(path, [.read, .directory, .noFollow])
        return try fileSystem.closing(directory) { () throws(Errno) in
            let device = try fileSystem.attributes(of: directory).device
            if let parent, parent != device { mounts.append(String(prefix.unicodeScalars.dropLast())) }
            var folders: [(prefix: String, device: UInt64?)] = []
            let entries = try fileSystem.list(directory)
            if entries.isEmpty, !prefix.isEmpty {
                skipped.append(SkippedItem(file: prefix, reason: "empty folder"))
            }
            for entry in entries {
                guard let name = entry.name else {
                    skipped.append(
                        SkippedItem(file: prefix + printable(name: entry.nameBytes), reason: "name is not UTF-8"))
                    continue
                }
                let kind = try kind(of: entry, in: directory)
                if let kind, leavesOut(name, prefix, kind) { continue }
                switch kind {
                case .file: files.append(prefix + name)
                case .directory: folders.append((prefix + name + "/", device))
                case .link: skipped.append(SkippedItem(file: prefix + name, reason: "link"))
                case .other: skipped.append(SkippedItem(file: prefix + name, reason: "pipe, socket or device"))
                case nil: break
                }
            }
            return folders
        }
    }

    /// Nil for what vanished since the folder was listed.
    private func kind(of entry: DirectoryEntry, in directory: OpenFile) throws(Errno) -> FileKind? {
        if let kind = entry.kind { return kind }
        do { return try fileSystem.attributes(ofEntry: entry.nameBytes, in: directory).kind } catch {
            if error == .noSuchFile { return nil }
            throw error
        }
    }
}
