public import FileCoordination

extension SnapshotManifest {
    /// The manifest of the snapshot in a directory.
    /// - Throws: ``StoreError`` with `.notASnapshot` if there is none, `.damagedSnapshot` if it does not verify,
    ///   `.fromNewerVersion` for a later format.
    public static func read(in directory: String, files: any FileSystem = .local) throws -> SnapshotManifest {
        try SnapshotFolder(path: directory, files: files).manifest()
    }
}

extension Store {
    /// Puts a snapshot into this store, which must have no versions, in one transaction: all of it, or nothing if anything is
    /// wrong. Every byte is verified before it is used. The store may be of another kind than the one that was written.
    ///
    /// - Parameter progress: called with the bytes done and their number. What it throws ends the call.
    /// - Returns: the snapshot's manifest.
    /// - Throws: ``StoreError`` with `.storeExists` if the store has versions, `.notASnapshot`, `.damagedSnapshot`,
    ///   `.fromNewerVersion`, or what files and the store may throw.
    @discardableResult
    public func restore(
        snapshot directory: String, files: any FileSystem = .local,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> SnapshotManifest {
        let folder = SnapshotFolder(path: directory, files: files)
        let manifest = try folder.manifest()
        try storage.write { writer in
            try Self.refuseVersions(in: writer, path: path)
            var filling = SnapshotFilling(folder: folder, manifest: manifest)
            while let bytes = try filling.next() {
                try filling.put(bytes, into: writer, progress)
            }
            try filling.finish(in: writer)
        }
        return manifest
    }

    private static func refuseVersions(in reader: any StorageReader, path: String?) throws {
        var isEmpty = try StoreZones.allRows.allSatisfy { try reader.lastRow(in: $0) == 0 }
        for zone in StoreZones.allKeyed where isEmpty {
            try reader.scan(zone, from: [], before: nil) { _, _ in
                isEmpty = false
                return false
            }
        }
        guard isEmpty else {
            throw StoreError(
                .storeExists, "the store has versions already",
                remedy: "restore to a path where nothing is; the two can be merged through a shared folder", path: path)
        }
    }

    /// Makes a store at a path where nothing is, out of a snapshot.
    ///
    /// It is made beside the path, as `.NAME.restoring`, and renamed when it is whole and on the disk. If the call fails or is
    /// cancelled nothing remains; if it is killed, what remains under that name is cleared away by the next call.
    ///
    /// - Parameters:
    ///   - level: what more is verified before the store is put in place; nil: that the bytes are those that were written,
    ///     which they always are. Use `.deep` for a snapshot that somebody else may have made.
    ///   - progress: called with the bytes done and their number. What it throws ends the call.
    /// - Returns: the snapshot's manifest.
    /// - Throws: ``StoreError`` with `.storeExists` if anything is at the path, `.locked` if another restore to it runs, and
    ///   as ``restore(snapshot:files:progress:)``.
    @discardableResult
    public static func restore(
        snapshot directory: String, to path: String, files: any FileSystem = .local,
        verifying level: VerifyLevel? = nil,
        progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> SnapshotManifest {
        let staging = try RestoreStaging(path, files)
        try staging.refuseExisting()
        let folder = SnapshotFolder(path: directory, files: files)
        // Before anything is made: most mistakes show here.
        let manifest = try folder.manifest()
        let lock = try staging.lock()
        defer { lock.release() }
        try staging.clear()
        do {
            let store = try Store.create(at: staging.path)
            do {
                try store.fill(SnapshotFilling(folder: folder, manifest: manifest), progress)
                if let level { try store.requireSound(level) }
                try store.storage.sync()
            } catch {
                do { try store.close() } catch {}
                throw error
            }
            try store.close()
            try staging.publish()
        } catch {
            // The error that led here is the one to tell; what stays is cleared away by the next call.
            do { try staging.clear() } catch {}
            throw error
        }
        return manifest
    }

    /// A transaction a chunk: nobody sees the store yet, and none grows with the snapshot.
    private func fill(_ filling: SnapshotFilling, _ progress: (Int, Int) throws -> Void) throws {
        var filling = filling
        while let bytes = try filling.next() {
            try storage.write { try filling.put(bytes, into: $0, progress) }
        }
        try storage.read { try filling.finish(in: $0) }
    }

    private func requireSound(_ level: VerifyLevel) throws {
        guard let first = try verify(level).first else { return }
        throw StoreError.damagedSnapshot("holds a store that is not sound: \(first)")
    }
}

/// A snapshot on its way into a storage.
struct SnapshotFilling {
    let folder: SnapshotFolder
    let manifest: SnapshotManifest
    private var unpacker = SnapshotUnpacker()
    private var index = 0
    private var done = 0

    init(folder: SnapshotFolder, manifest: SnapshotManifest) {
        self.folder = folder
        self.manifest = manifest
    }

    /// The verified bytes of the next chunk; nil after the last.
    mutating func next() throws -> [UInt8]? {
        guard index < manifest.chunks.count else { return nil }
        defer { index += 1 }
        return try folder.bytes(of: manifest.chunks[index])
    }

    mutating func put(
        _ chunk: [UInt8], into writer: any StorageWriter, _ progress: (Int, Int) throws -> Void
    ) throws {
        try unpacker.unpack(chunk, into: writer)
        done += chunk.count
        try progress(done, manifest.totalSize)
    }

    /// Throws unless what is there now is what the manifest says.
    func finish(in reader: any StorageReader) throws {
        try unpacker.finish()
        // Caches of its own: nothing of a transaction that may be rolled back is to be remembered.
        let snapshot = StoreSnapshot(reader, StoreCaches(), stage: TransactionStage())
        guard Int(try reader.lastRow(in: StoreZones.firm)) == manifest.versionCount,
            try snapshot.heads().map(\.id) == manifest.heads
        else { throw StoreError.damagedSnapshot("has other versions than its manifest says") }
    }
}
