import FileCoordination

/// A folder in LLVS's format: `versions/<id>` and `changes/<id>`. Links below it are not followed; looking writes nothing.
struct LLVSFolder {
    static let versions = "versions"
    static let changes = "changes"
    /// The largest file of a version, which is its metadata in the main.
    static let greatestVersionFile = 64 << 20
    /// The largest file of changes.
    static let greatestChangesFile = 1 << 30

    let path: String
    let files: any FileSystem

    /// What tells that a file is still the same without reading it. Only ever a reason to skip work already done.
    struct Signature: Hashable {
        var size: Int64
        var modified: Int64
        var changed: Int64
        var inode: UInt64

        init(_ attributes: FileAttributes) {
            size = attributes.size
            modified = attributes.modified
            changed = attributes.changed
            inode = attributes.inode
        }
    }

    /// The name of a file, compared by its bytes.
    struct Name: Hashable {
        let utf8: [UInt8]

        init(_ text: String) { utf8 = [UInt8](text.utf8) }
        init(_ id: Version.ID) { utf8 = id.utf8 }

        var text: String { String(decoding: utf8, as: UTF8.self) }
    }

    struct Listing {
        /// The files that may be versions.
        var versions: [Name: Signature] = [:]
        /// The files that may be lists of changes.
        var changes: [Name: Signature] = [:]
        /// Names of other programs and systems.
        var strays = 0
        /// Versions whose files are known to a cloud service and not here.
        var placeholders: [String] = []
        /// Whether there is no folder of versions at all.
        var isBare = false
    }

    func url(_ relative: String) -> String { path + "/" + relative }

    /// Lists the folder for a store that may have used it before.
    /// - Throws: ``StoreError/Code/folderUnavailable`` if there is no folder, or no versions where there were some.
    func list(for store: Store, _ records: LLVSFolderRecords) throws -> Listing {
        let listing = try list()
        if listing.isBare, try store.inspect({ try records.hasAny(in: $0.reader) }) {
            throw StoreError(
                .folderUnavailable, "the folder to exchange with has no versions any more",
                remedy: "mount it, or if it is to start anew make a folder 'versions' in it", path: path)
        }
        return listing
    }

    private func list() throws -> Listing {
        var listing = Listing()
        do throws(Errno) {
            guard try files.attributes(at: path, followLinks: true).kind == .directory else { throw .notDirectory }
        } catch {
            throw StoreError(
                error == .noSuchFile ? .folderUnavailable : .inputOutput, "the folder to exchange with is not there",
                remedy: "mount it or correct the path", path: path, cause: "\(error)")
        }
        if let versions = try list(Self.versions, into: &listing) {
            listing.versions = versions
        } else {
            listing.isBare = true
            try refuseOtherThings()
        }
        listing.changes = try list(Self.changes, into: &listing) ?? [:]
        return listing
    }

    /// A folder that is used for something else is not begun in.
    private func refuseOtherThings() throws {
        let names = try StoreError.ofCall(path, FileCoordinationError.listing) { () throws(Errno) in
            try files.list(path).map { String(decoding: $0.nameBytes, as: UTF8.self) }
        }
        let other = names.first { $0 != Self.changes && !$0.hasPrefix(".") && !TemporaryNames.isTemporary($0) }
        guard let other else { return }
        throw StoreError(
            .folderUnavailable, "the folder has no versions, but other things in it: \(other)",
            remedy: "choose an empty folder, or make a folder 'versions' in this one", path: path)
    }

    private func list(_ directory: String, into listing: inout Listing) throws -> [Name: Signature]? {
        do throws(Errno) {
            var found: [Name: Signature] = [:]
            for entry in try files.list(url(directory), followLinks: false) {
                guard let name = entry.name else {
                    listing.strays += 1
                    continue
                }
                if case .placeholder(let original, _)? = TemporaryNames.classify(name) {
                    if directory == Self.versions { listing.placeholders.append("\(directory)/\(original)") }
                    continue
                }
                let isHidden = name.hasPrefix(".") || TemporaryNames.isTemporary(name)
                guard !isHidden, let attributes = try attributes("\(directory)/\(name)"), attributes.kind == .file
                else {
                    listing.strays += 1
                    continue
                }
                found[Name(name)] = Signature(attributes)
            }
            return found
        } catch {
            if error == .noSuchFile { return nil }
            throw StoreError(
                .inputOutput, "the folder to exchange with cannot be listed", remedy: "check its mount and rights",
                path: url(directory), cause: "\(error)")
        }
    }

    /// How a file looks now, or nil if it is gone.
    func signature(of relative: String) throws(FileCoordinationError) -> Signature? {
        do { return try attributes(relative).map { Signature($0) } } catch { throw .reading(url(relative), error) }
    }

    private func attributes(_ relative: String) throws(Errno) -> FileAttributes? {
        do { return try files.attributes(at: url(relative), followLinks: false) } catch {
            if error == .noSuchFile { return nil }
            throw error
        }
    }

    /// The bytes of a file, or nil if it is gone.
    func read(_ relative: String, limit: Int) throws(FileCoordinationError) -> [UInt8]? {
        do {
            return try files.readFile(at: url(relative), limit: limit, followLinks: false)
        } catch {
            if error.errno == .noSuchFile { return nil }
            throw error
        }
    }

    /// Makes the two folders if they are missing.
    func prepare() throws {
        for directory in [Self.changes, Self.versions] {
            do {
                try files.makeDirectory(url(directory), permissions: .directory)
            } catch {
                if error != .fileExists { throw StoreError(exchanging: .makingDirectory(url(directory), error)) }
            }
        }
    }

    /// Writes a file atomically. The temporary file lies in the folder itself: LLVS takes every name beside the others for an
    /// id.
    func write(_ bytes: [UInt8], to relative: String) throws -> Signature {
        let target = CoordinatedFile(files: files, followLinks: false, temporaryFolder: path)
        do {
            do {
                try target.write(bytes, to: url(relative))
            } catch  where error.code == .durabilityUnknown {
                // It is in place, and written again should it be lost.
            }
            guard let signature = try signature(of: relative) else {
                throw FileCoordinationError.reading(url(relative), .noSuchFile)
            }
            return signature
        } catch let error as FileCoordinationError {
            throw StoreError(exchanging: error)
        }
    }

    /// Whether a version of this id can have files here. Only names that every file system takes are used.
    static func holds(_ id: Version.ID) -> Bool {
        let utf8 = id.utf8
        let refused = Set("/\\:*?\"<>|".utf8)
        return !utf8.contains { $0 < 0x20 || $0 == 0x7f || refused.contains($0) } && utf8.first != UInt8(ascii: ".")
            && TemporaryNames.classify(id.description) == nil
    }
}

extension StoreError.Code {
    /// The folder to exchange with is not there, or was emptied.
    public static let folderUnavailable = StoreError.Code(rawValue: "folderUnavailable")
}

extension StoreError {
    /// Whether the same call may succeed later without anybody changing the data: when the disk has room, the folder is
    /// mounted, another process is done.
    public var isRetryable: Bool {
        [.noSpace, .readOnly, .inputOutput, .locked, .folderUnavailable, .peerUnavailable].contains(code)
    }

    /// What a failed write to a folder means for an exchange.
    init(exchanging error: FileCoordinationError) {
        let code: Code =
            switch error.code {
            case .noSpace, .quotaExceeded: .noSpace
            case .readOnlyFileSystem, .notPermitted: .readOnly
            default: .inputOutput
            }
        self.init(
            code, "the folder to exchange with cannot be written to", remedy: error.remedy, path: error.path,
            cause: error.errno.map { "\($0)" })
    }
}
