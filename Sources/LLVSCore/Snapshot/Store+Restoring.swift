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
            try SnapshotFilling(folder: folder, manifest: manifest).run(into: writer, progress)
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
            let storage = try withoutActuallyEscaping(progress) { progress in
                try SQLiteStorage.create(at: staging.path, options: SQLiteOptions()) { writer in
                    try SnapshotFilling(folder: folder, manifest: manifest).run(into: writer, progress)
                }
            }
            let store = Store(storage: storage, path: staging.path)
            // It was on the disk when it was made, and nothing was written since.
            do {
                if let level { try store.requireSound(level) }
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

    private func requireSound(_ level: VerifyLevel) throws {
        guard let first = try verify(level).first else { return }
        throw StoreError.damagedSnapshot("holds a store that is not sound: \(first)")
    }
}

/// A snapshot on its way into a storage.
struct SnapshotFilling {
    let folder: SnapshotFolder
    let manifest: SnapshotManifest

    /// Throws unless what is there in the end is what the manifest says.
    func run(into writer: any StorageWriter, _ progress: (Int, Int) throws -> Void) throws {
        var unpacker = SnapshotUnpacker()
        var done = 0
        try folder.forEachChunk(manifest.chunks) { bytes in
            try unpacker.unpack(bytes, into: writer)
            done += bytes.count
            try progress(done, manifest.totalSize)
        }
        try unpacker.finish()
        try check(writer)
    }

    private func check(_ reader: any StorageReader) throws {
        // Caches of its own: nothing of a transaction that may be rolled back is to be remembered.
        let snapshot = StoreSnapshot(reader, StoreCaches(), stage: TransactionStage())
        guard Int(try reader.lastRow(in: StoreZones.firm)) == manifest.versionCount,
            try snapshot.heads().map(\.id) == manifest.heads
        else { throw StoreError.damagedSnapshot("has other versions than its manifest says") }
    }
}
