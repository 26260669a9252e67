/// One write in progress: a temporary file that becomes the target, or goes.
struct Replacement: ~Copyable {
    private let options: CoordinatedFile
    private let path: String
    private let place: FilePlace
    private let old: FileAttributes?
    private let existing: ExistingFile
    /// Whether the old file was seen to have no extended attributes.
    private let isKnownPlain: Bool
    private let temporary: String
    private let writer: FileWriter

    /// Finds the real target and creates the temporary file.
    ///
    /// Two calls as a rule: what is there (its kind, its links, what to keep of it), and `O_EXCL` under a name nobody has.
    ///
    /// - Parameter isQuick: Whether everything is written at once, so that what was seen of the old file is still so after
    ///   it: of a plain one the mode is taken before instead of set after.
    init(
        of path: String, permissions: FilePermissions, ifExists existing: ExistingFile = .replace,
        isQuick: Bool = false, by options: CoordinatedFile
    ) throws(FileCoordinationError) {
        let (place, old) = try Self.target(path, existing, options)
        let folder = try Self.temporaryFolder(for: place, by: options)
        let isPlain = isQuick && old.map { Self.isPlain($0, place.path, options.files) } ?? false
        // What replaces a file is nobody else's until it has that file's mode.
        let mode = old.map { isPlain ? $0.permissions : .privateFile } ?? permissions
        let made = try naming(path, FileCoordinationError.writing) { () throws(Errno) in
            try options.files.makeTemporaryFile(in: folder, permissions: mode)
        }
        self.options = options
        self.path = path
        self.place = place
        self.old = old
        self.existing = existing
        isKnownPlain = isPlain
        temporary = made.path
        writer = FileWriter(files: options.files, file: made.file, path: path)
    }

    private static func target(
        _ path: String, _ existing: ExistingFile, _ options: CoordinatedFile
    ) throws(FileCoordinationError) -> (FilePlace, FileAttributes?) {
        if existing == .fail {
            guard let place = FilePlace(path) else { throw .writing(path, path.isEmpty ? .noSuchFile : .isDirectory) }
            do { _ = try options.files.attributes(at: place.path, followLinks: false) } catch {
                if error == .noSuchFile { return (place, nil) }
                throw .writing(path, error)
            }
            throw .writing(path, .fileExists)
        }
        let (place, old) = try FilePlace.resolving(
            path, followLinks: options.followLinks, in: options.files, for: .write)
        switch old?.kind {
        case .file, nil: return (place, old)
        case .directory: throw .writing(path, .isDirectory)
        case .link, .other: throw .notRegularFile(path, .write)
        }
    }

    /// Whether the file lets everybody do what its group may, and has no access control list that could take that from
    /// someone: then a new file of its mode shows nobody what the old one did not, whosever and in whatever group it is.
    /// Its owner can read and write it: some file systems refuse to open what they have just made with less.
    private static func isPlain(_ old: FileAttributes, _ path: String, _ files: any FileSystem) -> Bool {
        let mode = old.permissions.rawValue
        let others = mode & 0o7
        guard others != 0, mode & 0o7070 == others << 3, mode >> 6 & others == others, mode & 0o600 == 0o600 else {
            return false
        }
        // What cannot be said is looked at closely later.
        do { return try !files.hasExtendedAttributes(at: path) } catch { return false }
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

    /// Writes all of it, or removes the temporary file.
    consuming func filled(with bytes: [UInt8]) throws(FileCoordinationError) -> Replacement {
        do { try writer.write(bytes) } catch {
            abandon()
            throw error
        }
        return self
    }

    /// Lets `body` write, and removes the temporary file if it throws.
    consuming func filled(by body: (borrowing FileWriter) throws -> Void) throws -> Replacement {
        do { try body(writer) } catch {
            abandon()
            throw error
        }
        return self
    }

    /// Removes the temporary file; the old file was never touched.
    private consuming func abandon() {
        // Both for their effect alone: the error that led here is the one to tell.
        do { try options.files.close(writer.file) } catch {}
        do { try options.files.removeFile(temporary) } catch {}
    }

    /// Gives the temporary file the old one's attributes and syncs it: from here on only its name is wrong.
    consuming func prepared() throws(FileCoordinationError) -> PreparedFile {
        let prepared = PreparedFile(
            options: options, path: path, place: place, old: old, existing: existing, temporary: temporary)
        do {
            if let old {
                try options.files.keepAttributes(old, of: place.path, on: writer.file, isKnownPlain: isKnownPlain)
            }
            if options.durability != .fast { try options.files.sync(writer.file) }
        } catch {
            let failure = FileCoordinationError.writing(path, error)
            abandon()
            throw failure
        }
        // Some file systems tell of a full disk only here.
        do { try options.files.close(writer.file) } catch {
            prepared.abandon()
            throw .writing(path, error)
        }
        return prepared
    }
}
