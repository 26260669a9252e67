import FileCoordination
import LLVSCore

/// Filling up a store that has versions, where lanes lack entries that a snapshot in the folder has: their files are gone, or
/// are late. The store keeps all it has; the versions of the set join it.
extension Retrieval {
    /// Whether the store was filled up.
    mutating func refill(_ listing: SharedFolder.Listing) throws -> Bool {
        let offers = try lookAtOffers(listing)
        let (record, isReady) = try store.inspect { view in
            (
                try zones.bootstrapRecord(for: .refill, in: view.reader),
                try view.firmCount() > 0 && zones.bootstrapRecord(for: .beginning, in: view.reader) == nil
            )
        }
        guard isReady, record != nil || !offers.isEmpty else { return false }
        let sets = try helpful(offers, begun: record?.manifest).compactMap { try open($0, in: listing) }
        return try takeFirst(of: sets, for: .refill, from: record)
    }

    /// Which sets have entries that lanes lack here: the one that was begun first, then the one that brings most.
    ///
    /// Entries that lack are on their way as a rule, and a set is read whole. So one is read at once only if it brings at least
    /// a sixteenth of what it has, or something of a lane that nobody writes any more; else when they have been missing for as
    /// long as they are awaited.
    private func helpful(_ offers: [String: SetOffer], begun: Digest?) throws -> [(path: String, offer: SetOffer)] {
        if offers.isEmpty { return [] }
        let found = try store.inspect { view -> [(path: String, offer: SetOffer, brings: UInt64)] in
            let isOverdue = try zones.attachmentRecord(in: view.reader).isOverdue
            let knowledge = LaneKnowledge(zones: zones, reader: view.reader)
            return try offers.compactMap { path, offer in
                let (brings, isOfEnded) = try offer.entriesBeyond(knowledge, in: identity)
                let isDue =
                    isOverdue || isOfEnded || offer.manifest == begun || brings >= offer.versions / 16
                return brings > 0 && isDue ? (path, offer, brings) : nil
            }
        }
        return found.sorted { left, right in
            let isBegun = (left.offer.manifest == begun, right.offer.manifest == begun)
            if isBegun.0 != isBegun.1 { return isBegun.0 }
            if left.brings != right.brings { return left.brings > right.brings }
            return (left.offer.manifest, left.path) < (right.offer.manifest, right.path)
        }.map { ($0.path, $0.offer) }
    }

    /// The set, if all its pieces are there by their names.
    private mutating func open(_ candidate: (path: String, offer: SetOffer), in listing: SharedFolder.Listing) throws
        -> UsableSet?
    {
        guard let manifest = listing.files.first(where: { $0.path == candidate.path }),
            case .snapshot(let set, _, let count, _) = manifest.name
        else { return nil }
        var found = FoundSet(manifest: candidate.offer.manifest, count: count)
        for file in listing.files {
            if let index = file.name.index(inSet: set, of: count) { found.files[index, default: []].append(file.path) }
        }
        guard found.isComplete else {
            report.waiting.append(found.incomplete)
            return nil
        }
        do {
            return try SetReader.open(found, in: folder, identity)
        } catch let error as SetUnusable {
            note(error, of: found)
            return nil
        }
    }
}

extension FolderFileName {
    /// Which piece of this set the file is by its name, be it that of a conflict copy; what it is, its bytes say.
    fileprivate func index(inSet set: String, of count: Int) -> Int? {
        switch self {
        case .snapshot(set, let index, count, _): return index
        case .stranger(let text, .unknown):
            let parts = text.split(separator: "-", maxSplits: 4)
            guard parts.count == 5, parts[0] == "p", parts[1] == set, parts[3] == "\(count)" else { return nil }
            return Int(parts[2]).flatMap { 1...count ~= $0 ? $0 : nil }
        default: return nil
        }
    }
}

extension Retrieval {
    /// What the snapshots of others in the folder are said to have. A manifest that was not read before is read, and tells how
    /// far lanes go, as entries do in what their writer has seen: else nobody would know what is missing of a lane of which
    /// every file is gone.
    private mutating func lookAtOffers(_ listing: SharedFolder.Listing) throws -> [String: SetOffer] {
        var known = try store.inspect { try zones.offers(in: $0.reader) }
        var offers: [String: SetOffer] = [:]
        for file in listing.files {
            guard case .snapshot(_, 1, _, _) = file.name, file.directory != zones.lane.description,
                strangers[file.path] != file.signature
            else { continue }
            if let offer = known.removeValue(forKey: file.path), offer.size == file.signature.size {
                offers[file.path] = offer
            } else if let offer = try readOffer(file) {
                offers[file.path] = offer
                try hear(offer, at: file.path)
            }
        }
        let gone = known.keys.filter { listing.shows($0) }
        if !gone.isEmpty {
            try store.exchange(now: now) { transaction in
                for path in gone {
                    try transaction.writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.offer)
                }
            }
        }
        return offers
    }

    private mutating func readOffer(_ file: SharedFolder.Listed) throws -> SetOffer? {
        func item(_ reason: String) -> SyncReport.Item { SyncReport.Item(file: file.path, reason: reason) }
        var found = SyncReport()
        do {
            guard let bytes = try folder.read(file.path, limit: FolderFile.Header.greatestPieceFileLength) else {
                return nil
            }
            switch folder.decode(bytes).reading(SnapshotPiece.decode) {
            case .verified(let piece) where piece.store == identity && piece.place.index == 1:
                let manifest = try SetManifest(
                    decoding: piece.bytes, count: piece.place.count, isExact: piece.isExact)
                return SetOffer(manifest, digest: piece.digest, size: file.signature.size)
            case .damaged(let reason): found.damaged.append(item(reason))
            case .future(let reason): found.future.append(item(reason))
            case .verified: strangers[file.path] = file.signature
            // It is on its way, and nothing is missing for it.
            case .arriving, .foreign: break
            }
        } catch let error as FileCoordinationError {
            if error.errno != .noSuchFile { found.damaged.append(item("cannot be read: \(error)")) }
        } catch let error as StoreError {
            found.damaged.append(item(error.what))
        }
        // Where the store was to be set up, it was said already.
        if !(report.damaged + report.future).contains(where: { $0.file == file.path }) {
            report = report.adding(found)
        }
        return nil
    }

    private mutating func hear(_ offer: SetOffer, at path: String) throws {
        let isTwins = try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            for (lane, chain) in offer.lanes where lane != zones.lane {
                try LaneKnowledge.announce(lane, upTo: chain.sequence, zones: zones, writer: writer)
            }
            try writer.put(offer.encoded, for: zones.key(Array(path.utf8)), in: ExchangeZones.offer)
            // Entries of the own lane that this store did not number: it is a copy, or was restored from a backup.
            return try offer.lanes[zones.lane].map { try chain(at: $0.sequence, writer) != $0.digest } ?? false
        }
        if isTwins { sawTwin = true }
    }
}
