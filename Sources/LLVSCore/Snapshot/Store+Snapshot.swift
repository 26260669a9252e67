public import FileCoordination

extension Store {
    /// Writes a consistent snapshot of the store into a directory: all versions, values, states and current versions, as of
    /// one moment, while others go on writing.
    ///
    /// The directory is made if it is absent; else it must be empty or hold an earlier snapshot, of which chunks that are
    /// still right are not written again: an interrupted call goes on where it stopped, and a snapshot of a store that grew
    /// costs what is new. Until the call is done the earlier snapshot stays what it was; then it is gone. What exchanges
    /// remember (attachments to folders) is not in it. The format is independent of the storage; see <doc:SnapshotFormat>.
    ///
    /// Reads everything once. Memory: some chunks, and the largest row. The log of a SQLite store grows with what others
    /// write meanwhile.
    ///
    /// - Parameters:
    ///   - directory: where; its parent must exist.
    ///   - chunkSize: the most bytes of a file, one of ``SnapshotManifest/chunkSizes``.
    ///   - now: milliseconds since 1970, for the manifest.
    ///   - progress: called with the rows done and their number, which is an upper bound. What it throws ends the call and
    ///     leaves what was written for the next one.
    /// - Returns: the manifest.
    /// - Throws: ``StoreError`` with `.notASnapshot` if other things are in the directory, or a snapshot with heads that this
    ///   store does not have, `.damagedSnapshot` or `.fromNewerVersion` for an earlier manifest that cannot be read, `.locked` if another snapshot is
    ///   being written there, or what reading the store and writing files may throw.
    @discardableResult
    public func writeSnapshot(
        to directory: String, files: any FileSystem = .local, chunkSize: Int = SnapshotManifest.defaultChunkSize,
        now: Int64 = Store.wallClock(), progress: (_ done: Int, _ total: Int) throws -> Void = { _, _ in }
    ) throws -> SnapshotManifest {
        precondition(
            SnapshotManifest.chunkSizes.contains(chunkSize),
            "A chunk has \(SnapshotManifest.chunkSizes) bytes, got \(chunkSize).")
        let folder = SnapshotFolder(path: directory, files: files)
        try folder.prepare()
        let lock = try folder.lock()
        defer { lock.release() }
        try refuseForeign(try folder.manifestIfAny(), at: directory)
        let writing = ChunkWriting(folder)
        defer { writing.wait() }
        let manifest = try read { snapshot in
            var packer = SnapshotPacker(limit: chunkSize) { try writing.add($0) }
            try Self.pack(snapshot.reader, &packer, progress)
            return SnapshotManifest(
                format: SnapshotManifest.currentFormat, created: now,
                versionCount: Int(try snapshot.reader.lastRow(in: StoreZones.firm)),
                heads: try snapshot.heads().map(\.id), chunks: try writing.finish())
        }
        try folder.publish(manifest)
        try folder.removeChunks(notIn: manifest)
        return manifest
    }

    /// The only backup of another store, or of a later state of this one, must not give way to this.
    private func refuseForeign(_ earlier: SnapshotManifest?, at directory: String) throws {
        guard let earlier, let unknown = try earlier.heads.first(where: { try !contains($0) }) else { return }
        throw StoreError(
            .notASnapshot,
            "the folder has a snapshot with a version that this store does not have: \(unknown)",
            remedy: "choose another folder: it is of another store, or of a later state of this one", path: directory)
    }

    private static func pack(
        _ reader: any StorageReader, _ packer: inout SnapshotPacker, _ progress: (Int, Int) throws -> Void
    ) throws {
        // A damaged row number must not overflow the sum.
        let total = try StoreZones.allRows.reduce(0) { $0 + Int(min(try reader.lastRow(in: $1), 1 << 48)) }
        var done = 0
        func count() throws {
            done += 1
            if done % 256 == 0 { try progress(min(done, total), total) }
        }
        for zone in StoreZones.allRows {
            packer.begin(zone.name)
            try reader.scanRows(zone, from: 1) { id, bytes in
                try packer.row(id, bytes)
                try count()
                return true
            }
            try packer.end()
        }
        for zone in StoreZones.allKeyed {
            packer.begin(zone.name)
            try reader.scan(zone, from: [], before: nil) { key, value in
                try packer.key(key, value)
                try count()
                return true
            }
            try packer.end()
        }
        try packer.finish()
        try progress(total, total)
    }
}
