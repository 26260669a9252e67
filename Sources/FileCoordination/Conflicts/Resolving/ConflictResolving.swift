/// Deals with one copy. Everything is checked before anything is changed, and again just before a file goes.
struct ConflictResolving {
    let files: any FileSystem
    let conflict: Conflict
    let place: FilePlace
    let backup: ConflictBackup?

    init(
        _ conflict: Conflict, _ resolution: ConflictResolution, _ files: any FileSystem, deviceNames: Set<String>
    ) throws(FileCoordinationError) {
        guard let place = FilePlace(conflict.path), FilePlace(conflict.root)?.folder == place.folder,
            TemporaryNames.classify(place.name) == nil,
            !ConflictName.readings(of: place.name, deviceNames: deviceNames).isEmpty
        else { throw .notConflict(conflict.path) }
        self.files = files
        self.conflict = conflict
        self.place = place
        backup = resolution.backupFolder.map { ConflictBackup(files: files, folder: $0) }
    }

    /// The root's content stays.
    ///
    /// - Returns: The backup, if one was made.
    func keepOriginal() throws(FileCoordinationError) -> String? {
        var kept: String?
        if let backup {
            kept = try backup.move(place) { () throws(FileCoordinationError) in try checkCopy() }
        } else {
            try checkCopy()
            try naming(place.path, FileCoordinationError.deleting) { () throws(Errno) in
                if conflict.isFolder { try files.removeDirectory(place.path) } else { try files.removeFile(place.path) }
            }
        }
        try syncFolder()
        return kept
    }

    /// The copy's content stays, under the root's name.
    ///
    /// - Returns: The backup, if one was made.
    func keepCopy() throws(FileCoordinationError) -> String? {
        try checkCopy()
        try checkRoot()
        guard let root = FilePlace(conflict.root), let state = conflict.rootState else {
            try naming(conflict.root, FileCoordinationError.renaming) { () throws(Errno) in
                try files.moveWithoutReplacing(place.path, to: conflict.root)
            }
            try syncFolder()
            return nil
        }
        if conflict.isFolder || state.kind == .directory { throw .writing(conflict.root, .isDirectory) }
        guard state.kind == .file, conflict.state.kind == .file else { throw .writing(conflict.root, .linkLoop) }
        let kept = try backup?.copy(root)
        try replaceRoot()
        try checkCopy()
        try naming(place.path, FileCoordinationError.deleting) { () throws(Errno) in try files.removeFile(place.path) }
        try syncFolder()
        return kept
    }

    private func replaceRoot() throws(FileCoordinationError) {
        let source = try naming(place.path, FileCoordinationError.reading) { () throws(Errno) in
            try files.open(place.path, [.read, .noFollow, .nonBlocking])
        }
        // It is only read.
        defer { do { try files.close(source) } catch {} }
        do {
            try CoordinatedFile(files: files, followLinks: false).write(to: conflict.root) { writer in
                try copy(source, to: writer)
                try checkCopy()
                try checkRoot()
            }
        } catch let error as FileCoordinationError {
            throw error
        } catch {
            throw .writing(conflict.root, .inputOutput)
        }
    }

    private func copy(_ source: OpenFile, to writer: borrowing FileWriter) throws(FileCoordinationError) {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let got = try naming(place.path, FileCoordinationError.reading) { () throws(Errno) in
                try files.read(source, into: buffer)
            }
            if got == 0 { return }
            try writer.write(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }

    private func checkCopy() throws(FileCoordinationError) {
        let now = try naming(place.path, FileCoordinationError.reading) { () throws(Errno) in
            try files.attributes(at: place.path, followLinks: false)
        }
        if Conflict.State(now) != conflict.state { throw .conflictChanged(place.path) }
    }

    private func checkRoot() throws(FileCoordinationError) {
        let now: Conflict.State?
        do { now = Conflict.State(try files.attributes(at: conflict.root, followLinks: false)) } catch {
            if error != .noSuchFile { throw .reading(conflict.root, error) }
            now = nil
        }
        if now != conflict.rootState { throw .conflictChanged(conflict.root) }
    }

    private func syncFolder() throws(FileCoordinationError) {
        try CoordinatedFile(files: files).syncFolder(place.folder, of: place.path)
    }
}
