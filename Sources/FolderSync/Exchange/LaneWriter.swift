import FileCoordination
import LLVSCore

/// Writes files of the own lane: pieces before the entries that name them, each verified by reading it back before it counts.
struct LaneWriter {
    let store: Store
    let zones: ExchangeZones
    let outbox: Outbox
    let identity: StoreIdentity
    let folder: SharedFolder
    /// Where files are made before they are moved into the folder; nil: beside their place.
    let workshop: String?
    let now: Int64
    /// Told how many bytes of versions are in the folder with each file: all of them together are what the versions have.
    var onSent: (Int) -> Void = { _ in }

    /// Writes the file of entries from number `from` on that is due: as many as fit, up to `to`. Returns the last number.
    func writeEntries(from: UInt64, to: UInt64) throws -> UInt64 {
        let (builder, byteCount) = try build(from: from) { $0 <= to && !$1.isFull }
        try write(builder, seen: try whatIsSeen())
        onSent(byteCount)
        return builder.after.sequence
    }

    /// - Returns: the file, and how many bytes of its versions are in it and not in pieces.
    private func build(
        from: UInt64, while goesOn: (UInt64, EntriesFileBuilder) -> Bool
    ) throws -> (EntriesFileBuilder, byteCount: Int) {
        let start = try store.inspect { try outbox.chain(at: from - 1, in: $0.reader) }
        var builder = EntriesFileBuilder(store: identity, lane: zones.lane, after: start)
        var byteCount = 0
        while goesOn(builder.after.sequence + 1, builder) {
            let (record, bodies) = try prepare(builder.after.sequence + 1)
            try builder.append(record, bodies: bodies)
            byteCount += record.header.count + record.changesBytes.count
            for case .inline(let bytes) in bodies { byteCount += bytes.count }
        }
        return (builder, byteCount)
    }

    /// Writes a file of entries.
    func write(_ builder: EntriesFileBuilder, seen: [LaneID: LaneChain]) throws {
        try write(
            builder.finish(seen: seen),
            .entries(from: builder.before.sequence + 1, to: builder.after.sequence, seen: seen),
            plainLength: UInt64(builder.length))
    }

    /// How far this store has the other lanes.
    func whatIsSeen() throws -> [LaneID: LaneChain] {
        try store.inspect { view in
            let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
            var seen: [LaneID: LaneChain] = [:]
            for lane in try knowledge.lanes() where lane != zones.lane {
                let end = try knowledge.contiguous(lane, in: identity)
                if end.sequence > 0 { seen[lane] = end }
            }
            return seen
        }
    }

    /// A version's record and its bodies; those that go to pieces are written first.
    private func prepare(_ number: UInt64) throws -> (VersionRecord, [EntriesFile.Body]) {
        let (record, layout) = try plan(version(at: number))
        var digests: [Digest] = []
        for parts in layout.packing.pieces {
            try Task.checkCancellation()
            let bytes = try bytes(of: parts, in: record.id)
            let digest = SHA256.hash(bytes)
            try writePiece(digest, .piece(of: number, digest)) { bytes }
            digests.append(digest)
            onSent(parts.reduce(0) { $0 + $1.length })
        }
        let bodies = try store.inspect { view in
            try layout.bodies(of: try view.outgoing(record.id), record.changes.storing, pieces: digests)
        }
        return (record, bodies)
    }

    private func version(at number: UInt64) throws -> Version.ID {
        try store.inspect { try outbox.entry(number, in: $0.reader).id }
    }

    private func plan(_ id: Version.ID) throws -> (VersionRecord, BodyLayout) {
        try store.inspect { view in
            let version = try view.outgoing(id)
            let record = try VersionRecord(
                decodingHeader: version.headerBytes, changes: try version.changesBytes(), id: version.id,
                allowingForeign: true)
            return (record, try BodyLayout(version, count: record.changes.storing.count))
        }
    }

    private func bytes(of parts: [BodyPacking.Part], in id: Version.ID) throws -> [UInt8] {
        try store.inspect { view in
            let version = try view.outgoing(id)
            return try parts.reduce(into: [UInt8]()) { bytes, part in
                bytes += try version.body(part.change, from: part.offset, count: part.length)
            }
        }
    }

    /// Writes a piece into the own lane, unless it is there as it would be written.
    func writePiece(_ digest: Digest, _ content: OwnFile.Content, bytes: () throws -> [UInt8]) throws {
        let path = piecePath(digest)
        if let own = try ownFile(path) {
            if own.confirmed != nil { return }
        } else if let found = try ownFileCheck.sound(OwnFile(content: content, confirmed: nil), at: path) {
            // Written by an earlier call that was interrupted, or when such pieces were not remembered.
            return try store.exchange(now: now) {
                try OwnFileRecords(zones: zones).update(found, at: path, in: $0.writer)
            }
        }
        try write(Piece.encode(try bytes()[...], store: identity, lane: zones.lane), content)
    }

    private var ownFileCheck: OwnFileCheck { OwnFileCheck(store: store, zones: zones, folder: folder, now: now) }

    /// Whether a file of the own lane with this piece, under the name it has with the transform or without, is looked after.
    func looksAfterPiece(_ digest: Digest) throws -> Bool {
        try folder.names(of: NameHash(digest), in: identity).contains { name in
            try ownFile(path(FolderFileName.piece(name).text))?.confirmed != nil
        }
    }

    /// What is remembered of a file of the own lane; nil: this store has written none under this name.
    private func ownFile(_ path: String) throws -> OwnFile? {
        let key = zones.key(Array(path.utf8))
        return try store.inspect { try $0.reader.value(key, in: ExchangeZones.own).map(OwnFile.init(decoding:)) }
    }

    /// Where a piece is in the own lane.
    func piecePath(_ digest: Digest) -> String {
        path(folder.name(.piece(NameHash(digest)), in: identity).text)
    }

    /// Writes an own file again that was lost or damaged, as it was and under its name. Only where zlib has changed since do
    /// its bytes and its name differ; its meaning never does.
    func restore(_ lost: OwnFileCheck.Suspect) throws {
        switch lost.file.content {
        case .entries(let from, let to, let seen):
            // Should the name differ, nobody else would ever take the wrong bytes away. First, because once the file is
            // written again nothing remembers this name.
            if lost.hasWrongBytes { try remove(lost.path) }
            try write(build(from: from) { number, _ in number <= to }.0, seen: seen)
        case .piece(let number, let digest): try restore(lost, digest, of: version(at: number))
        case .snapshotPiece(let id, let digest): try restore(lost, digest, of: id)
        }
    }

    private func restore(_ lost: OwnFileCheck.Suspect, _ digest: Digest, of id: Version.ID) throws {
        // It stays expected until it is there: its version was published, and nothing else would write it again.
        var doubted = lost.file
        doubted.confirmed = nil
        try store.exchange(now: now) {
            try OwnFileRecords(zones: zones).update(doubted, at: lost.path, in: $0.writer)
        }
        for parts in try plan(id).1.packing.pieces {
            let bytes = try bytes(of: parts, in: id)
            guard SHA256.hash(bytes) == digest else { continue }
            try writePiece(digest, lost.file.content) { bytes }
            // A transform that was given meanwhile gives it another name.
            if piecePath(digest) != lost.path { try forget(lost.path) }
            return
        }
        throw FolderSyncError(
            .inputOutput, "a piece of a value cannot be made again as it was",
            remedy: "run \"foldersync verify\" on the store", path: folder.url(lost.path))
    }

    private func remove(_ path: String) throws {
        do {
            try CoordinatedFile(files: folder.files, followLinks: false).delete(at: folder.url(path))
        } catch {
            throw FolderSyncError(writing: error)
        }
    }

    private func forget(_ path: String) throws {
        try store.exchange(now: now) {
            try $0.writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.own)
        }
    }

    func path(_ name: String) -> String { "\(zones.lane)/\(name)" }

    private func write(
        _ plain: FolderFile.Encoded, _ content: OwnFile.Content, plainLength: UInt64? = nil
    ) throws {
        let file = try folder.sealed(plain)
        let relative = path(file.name.text)
        try announce(content, at: relative)
        let own = OwnFile(content: content, confirmed: try place(file.bytes, at: relative), plainLength: plainLength)
        try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            if let range = own.range {
                var record = try zones.attachmentRecord(in: writer)
                record.published = max(record.published, range.upperBound)
                try zones.put(record, in: writer)
            }
            try OwnFileRecords(zones: zones).note(own, at: relative, now: now, in: writer)
        }
    }

    /// Writes a file of the own lane and reads it back; how it looks then.
    func place(_ bytes: [UInt8], at relative: String) throws -> SharedFolder.Signature {
        try makeDirectory()
        let target = CoordinatedFile(files: folder.files, followLinks: false, temporaryFolder: workshop)
        do {
            try write(bytes, with: target, to: folder.url(relative))
            guard let written = try folder.read(relative, limit: bytes.count), written == bytes else {
                throw FolderSyncError(
                    .inputOutput, "a file that was just written does not read back",
                    remedy: "check the disk and try again",
                    path: folder.url(relative))
            }
            return try folder.signature(of: relative)
        } catch let error as FileCoordinationError {
            throw FolderSyncError(writing: error)
        }
    }

    private func write(_ bytes: [UInt8], with target: CoordinatedFile, to path: String) throws(FileCoordinationError) {
        do {
            try target.write(bytes, to: path)
        } catch  where error.code == .durabilityUnknown {
            // It is in place. Whether it stays is seen at the next look at own files; many shares cannot sync a folder.
        }
    }

    /// A link would lead out of the folder, where nobody carries what is written.
    private func checkDirectory(_ path: String) throws {
        do {
            guard try folder.files.attributes(at: path, followLinks: false).kind != .directory else { return }
        } catch {
            throw FolderSyncError(writing: .makingDirectory(path, error))
        }
        throw FolderSyncError(
            .inputOutput, "something that is no folder is in the place of this store's folder of files",
            remedy: "move it away; what it should hold is written again", path: path)
    }

    func makeDirectory() throws {
        let path = folder.url(zones.lane.description)
        do {
            try folder.files.makeDirectory(path, permissions: .directory)
        } catch .fileExists {
            return try checkDirectory(path)
        } catch {
            throw FolderSyncError(writing: .makingDirectory(path, error))
        }
    }
}
