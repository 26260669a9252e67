import FileCoordination
import LLVSCore

/// Versions that came before what they stand on or are made of.
extension Retrieval {
    /// A pending version without its bytes.
    private struct Waiting {
        let id: Version.ID
        let generation: UInt64
        let parents: [Version.ID]
        let pieces: Set<Digest>
        /// How many bytes of it are in pieces.
        let byteCount: Int
        let file: String
    }

    private func waiting() throws -> [Waiting] {
        var all: [Waiting] = []
        try store.inspect { view in
            try zones.scan(ExchangeZones.pending, in: view.reader) { _, bytes in
                let pending = try PendingVersion(decoding: bytes)
                let version = pending.record.version
                all.append(
                    Waiting(
                        id: version.id, generation: version.generation, parents: version.parents,
                        pieces: pending.pieces, byteCount: pending.byteCountInPieces, file: pending.file))
                return true
            }
        }
        return all.sorted { ($0.generation, $0.id) < ($1.generation, $1.id) }
    }

    /// Admits, parents before children, every version whose parents and pieces are there.
    mutating func admitPending() throws {
        let all = try waiting()
        var step = ImportingProgress(all.map(\.byteCount))
        let progress = progress
        for version in all {
            progress(step.now)
            defer { step.pass(version.byteCount) }
            try Task.checkCancellation()
            // Of one that came meanwhile, in a file of another lane or in a snapshot, nothing is needed.
            let (isHere, hasParents) = try store.inspect { view in
                (
                    try view.state(of: version.id) == .firm,
                    try version.parents.allSatisfy { try view.state(of: $0) != nil }
                )
            }
            if !isHere {
                guard hasParents, try stage(version.pieces, tell: { progress(step.within($0)) }) else { continue }
            }
            do {
                let isNew = try store.exchange(now: now) { transaction in
                    let key = zones.key(version.id.utf8)
                    guard let bytes = try transaction.writer.value(key, in: ExchangeZones.pending) else { return false }
                    let isNew = try transaction.view.state(of: version.id) != .firm
                    let pending = try PendingVersion(decoding: bytes)
                    if isNew { try transaction.admit(pending.record, bodies: pending.bodies, zones: zones) }
                    try transaction.writer.remove(key, in: ExchangeZones.pending)
                    try unstage(version.pieces, transaction.writer)
                    return isNew
                }
                if isNew { report.imported += 1 }
            } catch let error as StoreError where [.invalidVersion, .valueUnreadable].contains(error.code) {
                report.damaged.append(SyncReport.Item(file: version.file, reason: error.what))
            }
        }
        if !all.isEmpty { progress(step.now) }
    }

    /// Copies pieces into the store; whether all are there. A piece is verified by its content, whatever its name.
    /// - Parameter tell: told after each piece how many bytes of those that were not there before are copied.
    mutating func stage(_ wanted: Set<Digest>, tell: (Int) -> Void = { _ in }) throws -> Bool {
        var isComplete = true
        var copied = 0
        for digest in wanted.sorted() {
            let isStaged = try store.inspect { view in
                try StagedPieces(reader: view.reader, zones: zones).row(of: digest) != nil
            }
            if isStaged { continue }
            guard let piece = try find(digest) else {
                isComplete = false
                continue
            }
            try store.exchange(now: now) { transaction in
                let row = try transaction.writer.append(Array(piece.bytes), to: ExchangeZones.staged)
                var record = ByteWriter()
                record.i64(row)
                try transaction.writer.put(record.bytes, for: zones.key(digest.bytes), in: ExchangeZones.piece)
            }
            copied += piece.bytes.count
            tell(copied)
        }
        return isComplete
    }

    mutating func find(_ digest: Digest) throws -> Piece? {
        for path in folder.names(of: NameHash(digest), in: identity).flatMap({ pieces[$0] ?? [] }) {
            let bytes: [UInt8]
            do {
                guard let found = try folder.read(path, limit: FolderFile.Header.greatestPieceFileLength) else {
                    continue
                }
                bytes = found
            } catch let error as FileCoordinationError {
                report.damaged.append(SyncReport.Item(file: path, reason: "cannot be read: \(error)"))
                continue
            }
            switch folder.decode(bytes).reading(Piece.decode) {
            case .verified(let piece) where piece.digest == digest && piece.store == identity: return piece
            case .verified, .foreign:
                report.damaged.append(SyncReport.Item(file: path, reason: "it is not the piece its name says"))
            case .arriving(let have, let whole):
                let size = whole.map(String.init) ?? "an unknown number of"
                report.waiting.append(SyncReport.Item(file: path, reason: "incomplete: \(have) of \(size) bytes"))
            case .damaged(let reason): report.damaged.append(SyncReport.Item(file: path, reason: reason))
            case .future(let reason): report.future.append(SyncReport.Item(file: path, reason: reason))
            }
        }
        return nil
    }

    func unstage(_ pieces: Set<Digest>, _ writer: any StorageWriter) throws {
        let staged = StagedPieces(reader: writer, zones: zones)
        for digest in pieces {
            if let row = try staged.row(of: digest) { try writer.removeRow(row, in: ExchangeZones.staged) }
            try writer.remove(zones.key(digest.bytes), in: ExchangeZones.piece)
        }
    }

    mutating func reportWaiting() throws {
        try store.inspect { view in
            let waiting = WaitingReport(zones: zones, identity: identity, view: view)
            let early = try waiting.versions()
            report.waiting += try early + waiting.lanes()
            report.missing = try waiting.missing()
            let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
            let lacksEntries = try report.missing.contains { try !knowledge.isRetired($0.lane) }
            lacksAnnounced = lacksEntries || !early.isEmpty
            holdsDecisions =
                try lacksEntries
                || early.contains { try LaneID.of(file: $0.file).map { try !knowledge.isRetired($0) } ?? true }
        }
    }
}
