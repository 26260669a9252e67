import LLVSCore

/// Setting up a store that has no versions from a snapshot in the folder.
///
/// The versions of the set are put beside the history, some thousand in a transaction, and become the history in one: until
/// then the store is empty to everybody, and afterwards it is complete. Every version is checked as one that comes in entries.
extension Retrieval {
    /// Whether the store was set up. If it was not, the entries are read, and what was staged is used by them.
    mutating func bootstrap(_ listing: SharedFolder.Listing) throws -> Bool {
        let (record, isEmpty) = try store.inspect { view in
            (try zones.bootstrapRecord(in: view.reader), try view.firmCount() == 0)
        }
        guard record != nil || isEmpty else { return false }
        return try takeFirst(of: try usableSets(listing, first: record?.manifest), for: .beginning, from: record)
    }

    /// Takes in the first of these sets that turns out to be what it says. Whether there was one: if not, what was staged of
    /// them stays beside the history, where entries find it or it is cleaned away.
    mutating func takeFirst(
        of sets: [UsableSet], for purpose: SetPurpose, from record: BootstrapRecord?
    ) throws -> Bool {
        for set in sets {
            do {
                if let record, record.manifest == set.found.manifest {
                    do { return try read(set, for: purpose, from: record) } catch let error as StoreError {
                        // What was staged may have been cleaned away in the meantime: once more from the start.
                        guard error.code == .noSuchVersion else { throw error }
                    }
                }
                return try read(set, for: purpose, from: BootstrapRecord(manifest: set.found.manifest))
            } catch let error as SetUnusable {
                note(error, of: set.found)
            } catch let error as StoreError where Self.speakOfTheSet.contains(error.code) {
                report.damaged.append(SyncReport.Item(file: set.found.name, reason: error.what))
            }
        }
        if try store.inspect({ try zones.bootstrapRecord(for: purpose, in: $0.reader) }) != nil {
            try store.exchange(now: now) { try $0.writer.remove(zones.key(), in: purpose.zone) }
        }
        return false
    }

    private static let speakOfTheSet: Set<StoreError.Code> = [
        .damaged, .invalidVersion, .valueUnreadable, .fromNewerVersion, .noSuchVersion,
    ]

    /// The complete sets, the one with the most versions first, but before all the one that was begun.
    private mutating func usableSets(
        _ listing: SharedFolder.Listing, first begun: Digest?
    ) throws -> [UsableSet] {
        var search = SetSearch(folder: folder, identity: identity)
        var usable: [UsableSet] = []
        for set in try search.run(listing) {
            guard set.isComplete else {
                report.waiting.append(set.incomplete)
                continue
            }
            do {
                usable.append(try SetReader.open(set, in: folder, identity))
            } catch let error as SetUnusable {
                note(error, of: set)
            }
        }
        report = report.adding(search.report)
        return usable.sorted { left, right in
            let isBegun = (left.found.manifest == begun, right.found.manifest == begun)
            if isBegun.0 != isBegun.1 { return isBegun.0 }
            let versions = (left.manifest.versions, right.manifest.versions)
            if versions.0 != versions.1 { return versions.0 > versions.1 }
            return left.found.manifest < right.found.manifest
        }
    }

    mutating func note(_ error: SetUnusable, of set: FoundSet) {
        let item = SyncReport.Item(file: set.name, reason: error.reason)
        if error.isFuture { report.future.append(item) } else { report.damaged.append(item) }
    }

    private mutating func read(
        _ set: UsableSet, for purpose: SetPurpose, from begun: BootstrapRecord
    ) throws -> Bool {
        let manifest = set.manifest
        var record = begun
        var reader = try SetReader(
            folder: folder, identity: identity, set: set, piece: begun.piece, offset: begun.offset)
        while true {
            tell(record, of: manifest)
            try Task.checkCancellation()
            let batch = try batch(&reader)
            if batch.entries.isEmpty { break }
            record.piece = reader.piece
            record.offset = reader.offset
            guard record.staged + UInt64(batch.entries.count) <= manifest.versions else {
                throw SetUnusable(reason: "it has more versions than it says")
            }
            try stage(batch, for: purpose, &record)
        }
        guard record.staged == manifest.versions else {
            throw SetUnusable(reason: "it has \(record.staged) versions and says \(manifest.versions)")
        }
        try finish(manifest, for: purpose, record)
        return true
    }

    private func tell(_ record: BootstrapRecord, of manifest: SetManifest) {
        let (done, total) = (Int(clamping: record.staged), Int(clamping: manifest.versions))
        let lengths = manifest.pieces.map(\.length)
        let read = lengths.prefix(max(0, record.piece - 2)).reduce(record.offset, +)
        progress(
            SyncProgress(
                phase: .bootstrapping, done: done, total: total, versions: .init(done: done, total: total),
                bytes: .init(done: read, total: lengths.reduce(0, +))))
    }

    private struct Batch {
        var entries: [EntriesFile.Entry] = []
        var byteCount = 0
        var pieces: Set<Digest> = []

        var isFull: Bool { entries.count >= 8_000 || byteCount >= 2 << 20 || pieces.count >= 4 }
    }

    /// The next versions, with the pieces of their values copied into the store.
    private mutating func batch(_ reader: inout SetReader) throws -> Batch {
        var batch = Batch()
        while !batch.isFull, batch.entries.isEmpty || reader.isWithinPiece, let entry = try reader.next() {
            var pieces = PendingVersion.pieces(of: entry.bodies)
            // Of a version that is here nothing is needed.
            if try !pieces.isEmpty && store.inspect({ try $0.state(of: entry.record.id) }) != nil { pieces = [] }
            guard try stage(pieces) else {
                throw SetUnusable(reason: "a piece of a value of version \(entry.record.id) is not here")
            }
            batch.pieces.formUnion(pieces)
            batch.byteCount += entry.record.header.count + entry.record.changesBytes.count
            batch.byteCount += entry.bodies.reduce(0) { $0 + $1.inlineByteCount }
            batch.entries.append(entry)
        }
        return batch
    }

    private mutating func stage(_ batch: Batch, for purpose: SetPurpose, _ record: inout BootstrapRecord) throws {
        var next = record
        next.staged += UInt64(batch.entries.count)
        let entries = try purpose == .beginning ? batch.entries : missing(of: batch.entries)
        // In the order of the keys, which for ids is none: neighbours are on one page.
        let keys = entries.map { zones.key($0.record.id.utf8) }.sorted { $0.precedes($1) }
        try store.exchangeMuch(now: now) { transaction in
            for key in keys { try transaction.writer.put([], for: key, in: ExchangeZones.present) }
            for entry in entries {
                try entry.checkInlineBodies()
                next.add(
                    row: try transaction.stage(
                        .make(entry.record, bodies: entry.bodies, zones: zones, reader: transaction.writer)))
            }
            try unstage(batch.pieces, transaction.writer)
            try transaction.writer.put(next.encoded, for: zones.key(), in: purpose.zone)
        }
        record = next
    }

    /// Those that are no part of the history.
    private func missing(of entries: [EntriesFile.Entry]) throws -> [EntriesFile.Entry] {
        try store.inspect { view in try entries.filter { try view.state(of: $0.record.id) != .firm } }
    }

    /// One transaction: the versions count, and what of the folder they are is known.
    private mutating func finish(_ manifest: SetManifest, for purpose: SetPurpose, _ record: BootstrapRecord) throws {
        let (imported, bridged) = try store.exchangeMuch(now: now) { transaction in
            let writer = transaction.writer
            let before = try transaction.view.firmCount()
            let heads = try transaction.enter(record.rows)
            let areHere = try manifest.heads.allSatisfy { try transaction.view.state(of: $0) == .firm }
            guard areHere, purpose == .refill || Set(heads) == Set(manifest.heads) else {
                throw StoreError(
                    .invalidVersion, "the snapshot's heads are not those it states",
                    remedy: "it was made by faulty software; update the device that made it")
            }
            let bridged = try note(manifest, writer)
            let after = try transaction.view.firmCount()
            if before == 0 {
                // All of them are in some lane: none has to be sent.
                var attachment = try zones.attachmentRecord(in: writer)
                attachment.scanned = after
                try zones.put(attachment, in: writer)
            }
            try writer.remove(zones.key(), in: purpose.zone)
            return (Int(after - before), bridged)
        }
        report.imported += imported
        self.bridged = bridged
        tell(record, of: manifest)
    }
}

extension EntriesFile.Body {
    fileprivate var inlineByteCount: Int { if case .inline(let bytes) = self { bytes.count } else { 0 } }
}

extension SyncReport {
    /// Both lists of files.
    func adding(_ other: SyncReport) -> SyncReport {
        var both = self
        both.waiting += other.waiting
        both.damaged += other.damaged
        both.foreign += other.foreign
        both.future += other.future
        return both
    }
}
