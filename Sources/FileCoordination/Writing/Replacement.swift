/// One write in progress: a temporary file that becomes the target, or goes.
struct Replacement: ~Copyable {
    private let options: CoordinatedFile
    private let path: String
    private let place: FilePlace
    private let existing: FileAttributes?
    private let permissions: FilePermissions
    private let temporary: String
    let writer: FileWriter

    private var files: any FileSystem { options.files }

    /// Finds the real target and creates the temporary file.
    init(of path: String, permissions: FilePermissions, by options: CoordinatedFile) throws(FileCoordinationError) {
        let (place, existing) = try FilePlace.resolving(
            path, followLinks: options.followLinks, in: options.files, for: .write)
        switch existing?.kind {
        case .file, nil: break
        case .directory: throw .writing(path, .isDirectory)
        case .link, .other: throw .notRegularFile(path, .write)
        }
        let folder = try Self.temporaryFolder(for: place, by: options)
        // What replaces a file is nobody else's until it has that file's mode.
        let mode = existing == nil ? permissions : .privateFile
        let made = try naming(path, FileCoordinationError.writing) { () throws(Errno) in
            try options.files.makeTemporaryFile(in: folder, permissions: mode)
        }
        self.options = options
        self.path = path
        self.place = place
        self.existing = existing
        self.permissions = permissions
        temporary = made.path
        writer = FileWriter(files: options.files, file: made.file, path: path)
    }

    /// The one asked for if a rename from there can work, else the target's own.
    private static func temporaryFolder(
        for place: FilePlace, by options: CoordinatedFile
    ) throws(FileCoordinationError) -> String {
        guard let folder = options.temporaryFolder else { return place.folder }
        let here = try naming(place.folder, FileCoordinationError.writing) { () throws(Errno) in
            try options.files.attributes(at: place.folder, followLinks: true).device
        }
        let there = try naming(folder, FileCoordinationError.writing) { () throws(Errno) in
            try options.files.attributes(at: folder, followLinks: true).device
        }
        return here == there ? folder : place.folder
    }

    /// Removes the temporary file; the old file was never touched.
    consuming func abandon() {
        // Both for their effect alone: the error that led here is the one to tell.
        do { try files.close(writer.file) } catch {}
        do { try files.removeFile(temporary) } catch {}
    }

    /// Gives the temporary file the old one's attributes, syncs it, and puts it in the old one's place.
    consuming func commit() throws(FileCoordinationError) {
        do {
            if let existing { try files.keepAttributes(existing, of: place.path, on: writer.file) }
            if options.durability != .none { try files.sync(writer.file) }
        } catch {
            let failure = FileCoordinationError.writing(path, error)
            abandon()
            throw failure
        }
        do {
            // Some file systems tell of a full disk only here.
            try files.close(writer.file)
            try publish()
        } catch {
            do { try files.removeFile(temporary) } catch {}
            throw .writing(path, error)
        }
        if options.durability == .full { try options.syncFolder(of: place, path) }
        options.sweepIfDue(place.folder)
        if let folder = options.temporaryFolder { options.sweepIfDue(folder) }
    }

    private borrowing func publish() throws(Errno) {
        do { try files.rename(temporary, to: place.path) } catch {
            guard error == .crossesDevices, options.temporaryFolder != nil else { throw error }
            // Another mount of the same device: only a copy beside the target can be renamed.
            let copy = try files.copyBeside(place, from: temporary, keeping: existing, durability: options.durability)
            do { try files.rename(copy, to: place.path) } catch {
                do { try files.removeFile(copy) } catch {}
                throw error
            }
            // It is published; a failure to remove the first copy leaves a file that the sweep knows.
            do { try files.removeFile(temporary) } catch {}
        }
    }
}
