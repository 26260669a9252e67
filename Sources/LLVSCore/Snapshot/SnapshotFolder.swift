import FileCoordination

/// The directory of a snapshot: its manifest and its chunks, each named after its bytes.
///
/// No name in it comes from what is stored, so that nothing stored can become a path.
struct SnapshotFolder {
    static let manifestName = "snapshot.manifest"
    private static let lockName = "snapshot.lock"
    private static let chunkEnding = ".chunk"
    /// As many characters of a digest as the shared folder's names have.
    private static let hashLength = 32

    let path: String
    let files: any FileSystem
    private var writing: CoordinatedFile { CoordinatedFile(files: files, durability: .content, followLinks: false) }

    private func place(_ name: String) -> String { path.hasSuffix("/") ? path + name : "\(path)/\(name)" }

    static func name(of digest: Digest) -> String { digest.base32.prefix(hashLength) + chunkEnding }

    /// Whether a name is one that a snapshot's chunk has.
    static func isChunkName(_ name: [UInt8]) -> Bool {
        guard name.count == hashLength + chunkEnding.utf8.count,
            name.suffix(chunkEnding.utf8.count).elementsEqual(chunkEnding.utf8)
        else { return false }
        return name.prefix(hashLength).allSatisfy { (97...122).contains($0) || (50...55).contains($0) }
    }

    func lock() throws(StoreError) -> SnapshotLock {
        try SnapshotLock(place(Self.lockName), files, what: "another snapshot is being written there")
    }
}

// Reading.
extension SnapshotFolder {
    /// The manifest, or nil if there is none.
    func manifestIfAny() throws(StoreError) -> SnapshotManifest? {
        let path = place(Self.manifestName)
        let bytes: [UInt8]
        do throws(FileCoordinationError) {
            bytes = try files.readFile(at: path, limit: SnapshotManifest.maximumByteCount, followLinks: false)
        } catch {
            if error.errno == .noSuchFile { return nil }
            throw StoreError(error)
        }
        do throws(StoreError) { return try SnapshotManifest(decoding: bytes) } catch {
            throw StoreError(error.code, error.what, remedy: error.remedy, path: path)
        }
    }

    func manifest() throws(StoreError) -> SnapshotManifest {
        if let manifest = try manifestIfAny() { return manifest }
        throw StoreError(
            .notASnapshot, "there is no snapshot, or one that was not finished",
            remedy: "check the path, or take a snapshot with `snapshot`", path: path)
    }

    /// The bytes of a chunk, which are those that the manifest means.
    func bytes(of chunk: SnapshotManifest.Chunk) throws(StoreError) -> [UInt8] {
        let path = place(Self.name(of: chunk.digest))
        let bytes: [UInt8]
        do throws(FileCoordinationError) {
            bytes = try files.readFile(at: path, limit: chunk.size, followLinks: false)
        } catch {
            switch error.code {
            case .noSuchFile: throw .damagedSnapshot("lacks a chunk", path: path)
            case .tooLarge: throw .damagedSnapshot("has a chunk of more than \(chunk.size) bytes", path: path)
            default: throw StoreError(error)
            }
        }
        guard bytes.count == chunk.size else {
            throw .damagedSnapshot("has a chunk of \(bytes.count) of its \(chunk.size) bytes", path: path)
        }
        guard SHA256.hash(bytes) == chunk.digest else {
            throw .damagedSnapshot("has a chunk with other bytes than it was written with", path: path)
        }
        return bytes
    }
}

// Writing.
extension SnapshotFolder {
    /// Makes the directory, unless it is there and holds nothing or an earlier snapshot, finished or not.
    func prepare() throws(StoreError) {
        do throws(Errno) {
            try files.makeDirectory(path, permissions: .privateDirectory)
        } catch {
            guard error == .fileExists else { throw StoreError(FileCoordinationError.makingDirectory(path, error)) }
            for name in try names() where !isOwn(name) {
                throw StoreError(
                    .notASnapshot, "the folder has other things in it: \(String(decoding: name, as: UTF8.self))",
                    remedy: "choose an empty folder, or one with an earlier snapshot of the store", path: path)
            }
        }
    }

    private func isOwn(_ name: [UInt8]) -> Bool {
        Self.isChunkName(name) || name == Array(Self.manifestName.utf8) || name == Array(Self.lockName.utf8)
            || String(validating: name, as: UTF8.self).map(TemporaryNames.isTemporary) ?? false
    }

    private func names() throws(StoreError) -> [[UInt8]] {
        try StoreError.ofCall(path, FileCoordinationError.listing) { () throws(Errno) in
            try files.list(path).map(\.nameBytes)
        }
    }

    /// Writes a chunk, unless it is there.
    func put(_ bytes: [UInt8], _ digest: Digest) throws(StoreError) {
        let path = place(Self.name(of: digest))
        do throws(FileCoordinationError) {
            if try files.readFile(at: path, limit: bytes.count, followLinks: false) == bytes { return }
        } catch {
            // Whatever is there instead is replaced; what keeps us from reading will keep us from writing.
        }
        let writing = writing
        try StoreError.ofFiles { () throws(FileCoordinationError) in
            try writing.write(bytes, to: path, permissions: .privateFile)
        }
    }

    /// Makes the chunks that were put a snapshot: from here on, and not before, the manifest is this one.
    func publish(_ manifest: SnapshotManifest) throws(StoreError) {
        let path = place(Self.manifestName)
        // The names of the chunks first: after a power cut no manifest may name a chunk that is not there.
        do throws(Errno) { try files.syncDirectory(self.path) } catch {
            let harmless: Set<Errno> = [.invalidArgument, .notSupported, .notImplemented, .badDescriptor]
            if !harmless.contains(error) { throw StoreError(FileCoordinationError.durabilityUnknown(self.path, error)) }
        }
        let writing = CoordinatedFile(files: files, durability: .full, followLinks: false)
        try StoreError.ofFiles { () throws(FileCoordinationError) in
            try writing.write(manifest.encoded, to: path, permissions: .privateFile)
        }
    }

    /// Removes chunks that the manifest does not name: of an earlier snapshot, or one that was not finished.
    func removeChunks(notIn manifest: SnapshotManifest) throws(StoreError) {
        let named = Set(manifest.chunks.map { Array(Self.name(of: $0.digest).utf8) })
        for name in try names() where Self.isChunkName(name) && !named.contains(name) {
            let path = place(String(decoding: name, as: UTF8.self))
            try StoreError.ofCall(path, FileCoordinationError.deleting) { () throws(Errno) in
                try files.removeFile(path)
            }
        }
    }
}
