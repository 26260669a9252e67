import FileCoordination

/// What a ``MemoryFileSystem`` holds.
struct MemoryDisk {
    struct File {
        var bytes: [UInt8]
        var modified: Int64
        var changed: Int64
        var inode: UInt64
    }

    struct Directory {
        /// Names in the order in which they came, spelt as they were made.
        var names: [String] = []
        var inode: UInt64
    }

    struct Open {
        var path: String
        var position = 0
        var isAtEnd = false
        /// Of a file that was replaced or removed meanwhile.
        var orphan: File?
    }

    private let manners: MemoryFileSystem.Manners
    private var files: [String: File] = [:]
    private var directories: [String: Directory] = [:]
    private var lastInode: UInt64 = 1
    private var lastDescriptor: Int32 = 100
    var openFiles: [Int32: Open] = [:]
    /// Nanoseconds since 1970.
    var now: Int64 = 1_767_225_600_000_000_000

    init(_ manners: MemoryFileSystem.Manners) {
        self.manners = manners
        directories[""] = Directory(inode: 1)
    }

    func copied() -> MemoryDisk {
        var copy = self
        copy.openFiles = [:]
        return copy
    }

    /// Paths are keys without a final slash, folded where the disk folds; "" is the root.
    private func key(_ path: String) -> String {
        let plain = path.hasSuffix("/") ? String(path.dropLast()) : path
        return manners.contains(.foldsCase) ? plain.lowercased() : plain
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return ("", path) }
        return (String(path[..<slash]), String(path[path.utf8.index(after: slash)...]))
    }

    private mutating func tick() -> Int64 {
        now += 1
        let step: Int64 = 2_000_000_000
        return manners.contains(.coarseTimes) ? now / step * step : now
    }

    func file(at path: String) -> File? { files[key(path)] }
}

// MARK: - Names

extension MemoryDisk {
    /// Why there is nothing at a path, or nothing can be made there; nil if its folder is one.
    private func trouble(inFolderOf path: String) -> Errno? {
        let folder = key(Self.split(path).folder)
        if directories[folder] != nil { return nil }
        return files[folder] == nil ? .noSuchFile : .notDirectory
    }

    private mutating func enter(_ path: String) throws(Errno) {
        if let trouble = trouble(inFolderOf: path) { throw trouble }
        let (folder, name) = Self.split(path)
        directories[key(folder)]?.names.append(name)
    }

    private mutating func leave(_ path: String) {
        let (folder, name) = Self.split(key(path))
        let others = directories[folder]?.names.filter { key($0) != name }
        directories[folder]?.names = others ?? []
    }

    private mutating func freshInode() -> UInt64 {
        lastInode += 1
        return lastInode
    }

    mutating func makeDirectory(_ path: String) throws(Errno) {
        let key = key(path)
        if directories[key] != nil || files[key] != nil { throw .fileExists }
        try enter(path)
        directories[key] = Directory(inode: freshInode())
    }

    mutating func remove(_ path: String, isDirectory: Bool) throws(Errno) {
        let key = key(path)
        if let directory = directories[key] {
            guard isDirectory else { throw .isDirectory }
            guard directory.names.isEmpty else { throw .notEmpty }
            directories[key] = nil
        } else {
            guard let file = files[key] else { throw trouble(inFolderOf: path) ?? .noSuchFile }
            if isDirectory { throw .notDirectory }
            orphan(key, file)
            files[key] = nil
        }
        leave(path)
    }

    /// Whoever has the file open goes on with what it was.
    private mutating func orphan(_ key: String, _ file: File) {
        for (descriptor, open) in openFiles where open.path == key && open.orphan == nil {
            openFiles[descriptor]?.orphan = file
        }
    }

    mutating func rename(_ path: String, to newPath: String, replacing: Bool) throws(Errno) {
        let (old, new) = (key(path), key(newPath))
        if let trouble = trouble(inFolderOf: path) ?? trouble(inFolderOf: newPath) { throw trouble }
        let isThere = files[new] != nil || directories[new] != nil
        if directories[old] != nil {
            if isThere, !replacing { throw .fileExists }
            return try renameDirectory(path, to: newPath)
        }
        guard var file = files[old] else { throw .noSuchFile }
        if isThere, !replacing { throw .fileExists }
        if directories[new] != nil { throw old.hasPrefix(new + "/") ? .notEmpty : .isDirectory }
        if old == new { return }
        if let replaced = files[new] {
            // The name keeps its spelling, as on disks that fold.
            orphan(new, replaced)
        } else {
            try enter(newPath)
        }
        file.changed = tick()
        for (descriptor, open) in openFiles where open.path == old { openFiles[descriptor]?.path = new }
        files[old] = nil
        files[new] = file
        leave(path)
    }

    private mutating func renameDirectory(_ path: String, to newPath: String) throws(Errno) {
        let (old, new) = (key(path), key(newPath))
        if old == new { return }
        if new.hasPrefix(old + "/") { throw .invalidArgument }
        if files[new] != nil { throw .notDirectory }
        if directories[new] != nil {
            // Only an empty one is replaced.
            try remove(newPath, isDirectory: true)
        }
        try enter(newPath)
        leave(path)
        for (place, file) in files where place.hasPrefix(old + "/") {
            files[place] = nil
            files[new + place.dropFirst(old.count)] = file
        }
        for (place, directory) in directories where place == old || place.hasPrefix(old + "/") {
            directories[place] = nil
            directories[new + place.dropFirst(old.count)] = directory
        }
    }
}

// MARK: - Contents

extension MemoryDisk {
    mutating func set(_ bytes: [UInt8], at path: String) throws(Errno) {
        let key = key(path)
        if directories[key] != nil { throw .isDirectory }
        let time = tick()
        if files[key] == nil {
            try enter(path)
            files[key] = File(bytes: bytes, modified: time, changed: time, inode: freshInode())
        } else {
            files[key]?.bytes = bytes
            files[key]?.modified = time
            files[key]?.changed = time
        }
    }

    mutating func open(
        _ path: String, _ options: OpenOptions, _ permissions: FilePermissions
    ) throws(Errno) -> OpenFile {
        let key = key(path)
        if directories[key] != nil {
            if options.contains(.write) { throw .isDirectory }
        } else if files[key] != nil {
            if options.contains(.directory) { throw .notDirectory }
            if options.contains(.create), options.contains(.exclusive) { throw .fileExists }
            if options.contains(.truncate) { try set([], at: path) }
        } else {
            guard options.contains(.create) else { throw trouble(inFolderOf: path) ?? .noSuchFile }
            if options.contains(.directory) { throw .invalidArgument }
            try set([], at: path)
        }
        lastDescriptor += 1
        openFiles[lastDescriptor] = Open(path: key, isAtEnd: options.contains(.append))
        return OpenFile(descriptor: lastDescriptor)
    }

    func content(of file: OpenFile) throws(Errno) -> ([UInt8], Int) {
        guard let open = openFiles[file.descriptor] else { throw .badDescriptor }
        guard let found = open.orphan ?? files[open.path] else { throw .isDirectory }
        return (found.bytes, open.position)
    }

    mutating func write(_ bytes: [UInt8], to file: OpenFile) throws(Errno) {
        guard var open = openFiles[file.descriptor] else { throw .badDescriptor }
        guard var found = open.orphan ?? files[open.path] else { throw .isDirectory }
        let start = open.isAtEnd ? found.bytes.count : open.position
        if start > found.bytes.count { found.bytes += [UInt8](repeating: 0, count: start - found.bytes.count) }
        found.bytes.replaceSubrange(start..<min(found.bytes.count, start + bytes.count), with: bytes)
        open.position = start + bytes.count
        put(found, &open, file)
    }

    mutating func truncate(_ file: OpenFile, to size: Int) throws(Errno) {
        guard var open = openFiles[file.descriptor] else { throw .badDescriptor }
        guard var found = open.orphan ?? files[open.path] else { throw .isDirectory }
        found.bytes.removeLast(max(0, found.bytes.count - size))
        put(found, &open, file)
    }

    private mutating func put(_ file: File, _ open: inout Open, _ handle: OpenFile) {
        var file = file
        file.modified = tick()
        file.changed = file.modified
        if open.orphan != nil { open.orphan = file } else { files[open.path] = file }
        openFiles[handle.descriptor] = open
    }
}

// MARK: - Looking

extension MemoryDisk {
    func list(_ directory: OpenFile) throws(Errno) -> [DirectoryEntry] {
        guard let path = openFiles[directory.descriptor]?.path else { throw .badDescriptor }
        guard let found = directories[path] else { throw files[path] == nil ? .noSuchFile : .notDirectory }
        return found.names.map { name in
            let isDirectory = directories[key(path + "/" + name)] != nil
            return DirectoryEntry(nameBytes: Array(name.utf8), kind: isDirectory ? .directory : .file)
        }
    }

    func attributes(at path: String) throws(Errno) -> FileAttributes {
        let key = key(path)
        if let directory = directories[key] { return Self.attributes(of: directory) }
        guard let file = files[key] else { throw trouble(inFolderOf: path) ?? .noSuchFile }
        return Self.attributes(of: file)
    }

    func attributes(of file: OpenFile) throws(Errno) -> FileAttributes {
        guard let open = openFiles[file.descriptor] else { throw .badDescriptor }
        if let file = open.orphan ?? files[open.path] { return Self.attributes(of: file) }
        guard let directory = directories[open.path] else { throw .staleHandle }
        return Self.attributes(of: directory)
    }

    private static func attributes(of file: File) -> FileAttributes {
        FileAttributes(
            kind: .file, size: Int64(file.bytes.count), modified: file.modified, changed: file.changed,
            inode: file.inode, device: 1, permissions: .file, owner: 0, group: 0, linkCount: 1)
    }

    private static func attributes(of directory: Directory) -> FileAttributes {
        FileAttributes(
            kind: .directory, size: 0, modified: 0, changed: 0, inode: directory.inode, device: 1,
            permissions: .directory, owner: 0, group: 0, linkCount: 1)
    }

    mutating func shiftTimes(by nanoseconds: Int64) {
        for key in files.keys {
            files[key]?.modified += nanoseconds
            files[key]?.changed += nanoseconds
        }
    }

    mutating func renumber() {
        for key in files.keys.sorted() {
            let inode = freshInode()
            files[key]?.inode = inode
        }
    }
}
