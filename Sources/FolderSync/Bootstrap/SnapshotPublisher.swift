import FileCoordination
import LLVSCore

/// Writes snapshots of the store into the own lane, and looks after those that are there.
///
/// What a set is made of is planned and remembered before any of it is written, so that an interrupted call is finished by
/// the next, and what was written is not written again. The manifest comes last.
struct SnapshotPublisher {
    let writer: LaneWriter
    let now: Int64
    let pieceLength: Int
    let progress: (SyncProgress) -> Void

    /// A piece of records takes versions until it has so many bytes: 4 MiB.
    static let pieceLength = 4 << 20

    var store: Store { writer.store }
    var zones: ExchangeZones { writer.zones }
    var folder: SharedFolder { writer.folder }

    /// Writes a snapshot of the store as it is, or what is missing of one that was begun.
    /// - Throws: ``FolderSyncError`` with `.notReady` if the store does not hold everything yet.
    func publish() throws -> OwnSetRecord {
        let listing = try folder.list()
        let newest = try sets().first
        var set = if let newest, newest.state == .planned { newest } else { try plan(listing) }
        // Nothing is new since it was written: it is written again only where it was damaged.
        if set.state != .planned, try !isWhole(set) { set.state = .planned }
        do {
            return try write(set, listing)
        } catch is OutdatedPlan {
            try abandon(set)
            return try write(try plan(listing), listing)
        }
    }

    /// The store's records are not those that were planned: values were pruned since, or another version of this software packs
    /// differently.
    private struct OutdatedPlan: Error {}

    // MARK: - Planning

    private func plan(_ listing: SharedFolder.Listing) throws -> OwnSetRecord {
        var (versions, manifest) = try contents(listing)
        let records = RecordStream(store: store, versions: versions, cutting: .afterRecords(pieceLength))
        try records.run(
            onValues: { _ in },
            onPiece: { bytes in
                manifest.pieces.append(SetManifest.Records(length: bytes.count, digest: SHA256.hash(bytes)))
            })
        let set = OwnSetRecord(manifest, created: now)
        return try store.exchange(now: now) { transaction in
            let key = zones.key(set.digest.bytes)
            if let bytes = try transaction.writer.value(key, in: ExchangeZones.ownSet) {
                let known = try OwnSetRecord(decoding: bytes)
                if known.state != .abandoned { return known }
            }
            try zones.put(set, in: transaction.writer)
            for path in paths(of: set) { try ownFiles.forgetSwept(path, in: transaction.writer) }
            return set
        }
    }

    /// The manifest without its pieces: one view of the store.
    private func contents(_ listing: SharedFolder.Listing) throws -> (versions: Int64, SetManifest) {
        try store.inspect { view in
            try SnapshotReadiness(zones: zones, identity: writer.identity, view: view).check(folder.path)
            let versions = try view.firmCount()
            let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
            var lanes: [LaneID: LaneChain] = [:]
            for lane in try knowledge.lanes() where lane != zones.lane {
                let end = try knowledge.contiguous(lane, in: writer.identity)
                if end.sequence > 0 { lanes[lane] = end }
            }
            let own = try zones.attachmentRecord(in: view.reader).last
            if own.sequence > 0 { lanes[zones.lane] = own }
            let manifest = SetManifest(
                versions: UInt64(versions), heads: try view.heads(), lanes: lanes,
                files: try files(listing, view.reader), pieces: [])
            return (versions, manifest)
        }
    }

    /// Files of entries, among those that are there, that were taken in wholly or are this store's own.
    private func files(_ listing: SharedFolder.Listing, _ reader: any StorageReader) throws -> [SetManifest.File] {
        var files: [SetManifest.File] = []
        for file in listing.files {
            guard case .entries(let from, let to, let hash) = file.name, let lane = file.directory.flatMap(LaneID.init),
                files.count < SetManifest.mostFiles
            else { continue }
            let zone = lane == zones.lane ? ExchangeZones.own : ExchangeZones.taken
            guard try reader.value(zones.key(Array(file.path.utf8)), in: zone) != nil else { continue }
            files.append(SetManifest.File(lane: lane, from: from, to: to, hash: hash))
        }
        return files
    }

    // MARK: - Writing

    private func write(_ planned: OwnSetRecord, _ listing: SharedFolder.Listing) throws -> OwnSetRecord {
        var set = planned
        guard set.state == .planned else { return set }
        let there = Set(listing.files.map(\.path))
        let values = Set(
            listing.files.compactMap { file -> NameHash? in
                guard case .piece(let hash) = file.name, file.directory != zones.lane.description else { return nil }
                return hash
            })
        // What is published must not be lost by a power cut here.
        try store.storage.sync()
        try writer.makeDirectory()
        var index = 2
        let records = RecordStream(
            store: store, versions: Int64(clamping: set.manifest.versions),
            cutting: .at(set.manifest.pieces.map(\.length)))
        try records.run(
            onValues: { piece in
                // Of another lane's file its writer takes care; one in the own lane is this store's to look after.
                let names = folder.names(of: NameHash(piece.digest), in: writer.identity)
                let isOurs = there.contains(writer.piecePath(piece.digest)) || !names.contains(where: values.contains)
                guard isOurs, try !writer.looksAfterPiece(piece.digest) else { return }
                try writer.writePiece(
                    piece.digest, .snapshotPiece(of: piece.version, piece.digest), bytes: piece.bytes)
            },
            onPiece: { bytes in
                tell(index - 2, of: set)
                guard index <= set.count, SHA256.hash(bytes) == set.manifest.pieces[index - 2].digest else {
                    throw OutdatedPlan()
                }
                try put(bytes, index, of: set, there)
                index += 1
            })
        try put(set.manifestBytes[...], 1, of: set, there)
        tell(set.count, of: set)
        set.state = .written
        try store.exchange(now: now) { try zones.put(set, in: $0.writer) }
        return set
    }

    /// - Parameter done: how many of its files are written, records first.
    private func tell(_ done: Int, of set: OwnSetRecord) {
        let lengths = set.manifest.pieces.map(\.length)
        progress(
            SyncProgress(
                phase: .snapshotting, done: done, total: set.count,
                bytes: .init(done: lengths.prefix(done).reduce(0, +), total: lengths.reduce(0, +))))
    }

    private func put(_ bytes: ArraySlice<UInt8>, _ index: Int, of set: OwnSetRecord, _ there: Set<String>) throws {
        let path = path(index, of: set)
        if there.contains(path), try isRight(path, index, of: set) { return }
        try put(SnapshotPiece.encode(bytes, at: set.place(index), store: writer.identity, lane: zones.lane))
    }

    func path(_ index: Int, of set: OwnSetRecord) -> String {
        writer.path(folder.name(set.name(index), in: writer.identity).text)
    }

    /// Writes a file and reads it back.
    private func put(_ file: FolderFile.Encoded) throws {
        let sealed = try folder.sealed(file)
        let (bytes, relative) = (sealed.bytes, writer.path(sealed.name.text))
        let target = CoordinatedFile(files: folder.files, followLinks: false, temporaryFolder: writer.workshop)
        do {
            do {
                try target.write(bytes, to: folder.url(relative))
            } catch  where error.code == .durabilityUnknown {
                // It is in place; whether it stays is seen when it is read again.
            }
            guard try folder.read(relative, limit: bytes.count) == bytes else {
                throw FolderSyncError(
                    .inputOutput, "a file that was just written does not read back",
                    remedy: "check the disk and try again", path: folder.url(relative))
            }
        } catch let error as FileCoordinationError {
            throw FolderSyncError(writing: error)
        }
    }

    /// Whether a file is the piece it is named after.
    func isRight(_ path: String, _ index: Int, of set: OwnSetRecord) throws -> Bool {
        do {
            guard let bytes = try folder.read(path, limit: FolderFile.Header.greatestPieceFileLength),
                let piece = folder.decode(bytes).reading(SnapshotPiece.decode).verified
            else { return false }
            return piece.place == set.place(index) && piece.store == writer.identity
                && piece.fileName == set.name(index)
        } catch is FileCoordinationError {
            return false
        }
    }

    // MARK: - Looking after

    /// Own sets, the one with the most versions first.
    func sets() throws -> [OwnSetRecord] { try store.inspect { try zones.ownSets(in: $0.reader) } }

    /// Notes that files of these sets are to be written again. Where a copy of this store keeps snapshots in the same lane they
    /// are given up instead: which are old each of the two judges by its own, and the one would bring back for ever what the
    /// other takes away.
    /// - Returns: how many files are to be written again.
    func plan(again broken: [OwnSetCare.Broken], _ listing: SharedFolder.Listing) throws -> Int {
        if try !broken.isEmpty && hasSetOfTwin(listing) {
            for set in broken.map(\.set) { try abandon(set) }
            return 0
        }
        for var set in broken.map(\.set) {
            set.state = .planned
            try store.exchange(now: now) { try zones.put(set, in: $0.writer) }
        }
        return broken.reduce(0) { $0 + $1.indices.count }
    }

    /// Whether all files of a set that this store does not know, and never gave up, are in its lane.
    private func hasSetOfTwin(_ listing: SharedFolder.Listing) throws -> Bool {
        var known: Set<String> = []
        for set in try store.inspect({ try zones.allOwnSets(in: $0.reader) }) {
            for name in [set.name(1), folder.name(set.name(1), in: writer.identity)] {
                if case .snapshot(let text, _, _, _) = name { known.insert(text) }
            }
        }
        var found: [SnapshotName: Set<Int>] = [:]
        for file in listing.files where file.directory == zones.lane.description {
            guard case .snapshot(let text, let index, let count, _) = file.name, !known.contains(text),
                try !store.inspect({ try ownFiles.swept(file.path, in: $0.reader) })
            else { continue }
            found[SnapshotName(set: text, count: count), default: []].insert(index)
        }
        return found.contains { $0.value.count == $0.key.count }
    }

    /// Deletes own sets that two newer verified ones make unnecessary.
    func deleteOld() throws {
        let sets = try sets()
        let kept = sets.indices.filter { sets[$0].state == .verified }.prefix(2)
        guard kept.count == 2, let last = kept.last else { return }
        for old in sets[(last + 1)...] { try abandon(old) }
    }

    /// Writes what is missing of sets that were begun, or that were found damaged. A set that this software would make in
    /// another way is given up: the policy, or whoever asks for a snapshot, has another made.
    func finish() throws {
        for set in try sets() where set.state == .planned {
            do { _ = try write(set, try folder.list()) } catch is OutdatedPlan { try abandon(set) }
        }
    }

    private func isWhole(_ set: OwnSetRecord) throws -> Bool {
        try (1...set.count).allSatisfy { index in
            try Task.checkCancellation()
            return try isRight(path(index, of: set), index, of: set)
        }
    }
}
