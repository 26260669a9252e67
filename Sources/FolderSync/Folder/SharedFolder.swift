import FileCoordination
import LLVSCore

/// A shared folder as a list of files: two levels, links not followed, nothing written by looking.
struct SharedFolder {
    let path: String
    let files: any FileSystem
    /// What seals the files that are written, and opens those that are read.
    var seal: FolderSeal?

    /// What tells that a file is still the same without reading it. Only ever a reason to skip work already done.
    struct Signature: Hashable {
        var size: UInt64
        var modified: Int64
        var changed: Int64
        var inode: UInt64

        init(_ attributes: FileAttributes) {
            size = UInt64(max(0, attributes.size))
            modified = attributes.modified
            changed = attributes.changed
            inode = attributes.inode
        }
    }

    struct Listed: Hashable {
        /// "name" or "directory/name".
        let path: String
        let directory: String?
        let name: FolderFileName
        let signature: Signature

        /// In this order files are read: those of entries by their numbers, so that parents come before children, and larger
        /// ones before those that they stand in for.
        func isBefore(_ other: Listed) -> Bool {
            switch (name, other.name) {
            case (.entries(let from, let to, _), .entries(let start, let end, _)):
                (directory ?? "", from, end, path) < (other.directory ?? "", start, to, other.path)
            case (.entries, _): true
            case (_, .entries): false
            default: path < other.path
            }
        }
    }

    struct Listing: Hashable {
        var files: [Listed] = []
        /// Names that are no file of ours and are not opened.
        var strays = 0
        /// Directories at the first level.
        var directories: Set<String> = []
        /// Names of iCloud's stubs for files of ours.
        var stubs: [String] = []
        /// Directories and files that the system does not show, and why. What is in them is not known, least of all that it
        /// is missing.
        var unreadable: [SyncReport.Item] = []

        /// Whether what is at this path could be seen.
        func shows(_ path: String) -> Bool {
            !unreadable.contains { path == $0.file || path.hasPrefix($0.file + "/") }
        }
    }

    func url(_ relative: String) -> String { path + "/" + relative }

    /// Every file at the first and second level.
    /// - Throws: ``FolderSyncError`` if the folder cannot be listed.
    func list() throws -> Listing { try picture().listing }

    /// As ``list()``, with what tells cheaply that the folder still looks so.
    func picture() throws -> FolderPicture {
        var picture = FolderPicture()
        try list(nil, into: &picture)
        return picture
    }

    private func list(_ directory: String?, into picture: inout FolderPicture) throws {
        let place = directory.map(url) ?? path
        let names: [DirectoryEntry]
        do {
            names = try files.list(place, followLinks: directory == nil)
        } catch {
            guard let directory else { throw FolderSyncError.cannotList(place, error) }
            picture.isWhole = false
            // A lane's directory may go while we look; it is listed again at the next pass.
            if [.noSuchFile, .notDirectory, .linkLoop].contains(error) { return }
            // One bad directory never stops the others.
            picture.listing.unreadable.append(SyncReport.Item(file: directory, reason: "cannot be listed: \(error)"))
            return
        }
        var looks = FolderPicture.Directory(name: directory, entries: names)
        var directories: [String] = []
        let order = names.indices.sorted { names[$0].nameBytes.lexicographicallyPrecedes(names[$1].nameBytes) }
        for index in order {
            guard let name = names[index].name else {
                picture.listing.strays += 1
                continue
            }
            let relative = directory.map { "\($0)/\(name)" } ?? name
            let attributes: FileAttributes
            do {
                attributes = try files.attributes(at: url(relative), followLinks: false)
            } catch {
                if error == .noSuchFile { continue }
                picture.listing.unreadable.append(
                    SyncReport.Item(file: relative, reason: "cannot be looked at: \(error)"))
                continue
            }
            looks.note(attributes, at: index)
            let parsed = FolderFileName(name)
            switch attributes.kind {
            case .directory where directory == nil && !parsed.isJunk: directories.append(name)
            case .file:
                let signature = Signature(attributes)
                add(
                    Listed(path: relative, directory: directory, name: parsed, signature: signature),
                    to: &picture.listing)
            default: picture.listing.strays += 1
            }
        }
        picture.directories.append(looks)
        picture.listing.directories.formUnion(directories)
        for name in directories { try list(name, into: &picture) }
    }

    private func add(_ file: Listed, to listing: inout Listing) {
        switch file.name {
        case .temporary, .stranger(_, .junk): listing.strays += 1
        case .stranger(_, .stub): listing.stubs.append(file.path)
        case .card where file.directory != nil: listing.strays += 1
        default: listing.files.append(file)
        }
    }

    /// The bytes of a file, or nil if it is gone.
    func read(_ relative: String, limit: Int) throws -> [UInt8]? {
        do {
            return try files.readFile(at: url(relative), limit: limit, followLinks: false)
        } catch let error where error.errno == .noSuchFile {
            return nil
        }
    }

    /// What the bytes of a file turn out to be.
    func decode(_ bytes: [UInt8]) -> FolderFileOutcome<FolderFile> { FolderFile.decode(bytes, opening: seal) }

    /// A file as it is to be written here.
    func sealed(_ file: FolderFile.Encoded) throws -> FolderFile.Encoded { try seal?.seal(file) ?? file }

    /// The name here of what has this name plain. That of entries is known only when they are sealed.
    func name(_ name: FolderFileName, in store: StoreIdentity) -> FolderFileName {
        seal?.hide(name, in: store) ?? name
    }

    /// The texts in names by which a piece may be found: the one of this device's way of writing first.
    func names(of piece: NameHash, in store: StoreIdentity) -> [NameHash] {
        seal.map { [$0.hide(piece, in: store), piece] } ?? [piece]
    }

    /// How a file looks now.
    func signature(of relative: String) throws(FileCoordinationError) -> Signature {
        do {
            return Signature(try files.attributes(at: url(relative), followLinks: false))
        } catch {
            throw .reading(url(relative), error)
        }
    }

    /// Whether the user may write here, by the file system's word: no proof, but asking writes nothing.
    var mayWrite: Bool {
        do {
            try files.checkWritable(path)
            return true
        } catch {
            return false
        }
    }
}

extension FolderFileName {
    var isJunk: Bool {
        if case .stranger(_, .junk) = self { true } else { false }
    }
}
