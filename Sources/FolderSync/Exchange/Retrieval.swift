import FileCoordination
import LLVSCore

/// One retrieve: every file is read or classified, what can be admitted is, the rest waits. Writes nothing in the folder.
struct Retrieval {
    let store: Store
    let zones: ExchangeZones
    let identity: StoreIdentity
    let folder: SharedFolder
    let now: Int64
    let progress: (SyncProgress) -> Void
    /// Files under other names than their own that were read before, so that they are not read at every pass.
    var strangers: [String: SharedFolder.Signature]

    var report = SyncReport()
    /// Piece → where it lies: by its name, or by its content under a stranger's name.
    var pieces: [NameHash: [String]] = [:]
    /// Files that were opened by the transform, and such as need another key of it.
    private(set) var opened = 0
    private(set) var locked = 0
    /// Entries of the own lane that this store did not write, or a note that it is retired.
    var sawTwin = false
    /// Stores that the folder's took the place of: their files are ignored.
    let adopted: Set<StoreIdentity>
    /// Lanes of which files that were read are missing now.
    private(set) var losses: [LaneLoss] = []
    /// Whether versions are known of that have not come: a lane is said to go further, or what was read stands on them. A file
    /// that is incomplete says nothing of the kind by itself, nor does a lane that nobody writes any more: both may stay so for
    /// ever.
    var lacksAnnounced = false
    /// Whether decisions wait for what is on its way. Of a lane that nobody writes any more nothing need be, although what stands
    /// on what it lacks waits.
    var holdsDecisions = false
    /// Lanes that were read further than a snapshot that was just taken in has them, with the number up to which it does: the
    /// files beyond are to be read again.
    var bridged: [LaneID: UInt64] = [:]

    init(
        store: Store, zones: ExchangeZones, identity: StoreIdentity, adopted: Set<StoreIdentity>, folder: SharedFolder,
        now: Int64, strangers: [String: SharedFolder.Signature], progress: @escaping (SyncProgress) -> Void
    ) {
        self.store = store
        self.zones = zones
        self.identity = identity
        self.adopted = adopted
        self.folder = folder
        self.now = now
        self.strangers = strangers
        self.progress = progress
    }

    mutating func run(_ listing: SharedFolder.Listing) throws {
        report.strays = listing.strays
        report.damaged = listing.unreadable
        report.isComplete = listing.unreadable.isEmpty
        for stub in listing.stubs {
            report.waiting.append(SyncReport.Item(file: stub, reason: "is in the cloud, not on this disk"))
        }
        var unread = try sortOut(listing)
        if try bootstrap(listing) { unread = try unread.filter { try !isTaken($0) } }
        var step = ReadingProgress(unread)
        for file in unread {
            progress(step.now)
            try Task.checkCancellation()
            try read(file, among: listing.files)
            step.pass(file)
        }
        if !unread.isEmpty { progress(step.now) }
        report.readByteCount = step.now.bytes?.done ?? 0
        try admitPending()
        if try refill(listing) || !bridged.isEmpty {
            try readBridges(listing)
            try admitPending()
        }
        try reportWaiting()
        try distrustIfStuck()
        try prove()
        try forgetReplaced(listing)
        losses = try store.inspect { view in
            try LaneLoss.all(
                in: listing, of: folder, pieces: Set(pieces.keys), zones: zones, identity, view.reader)
        }
    }

    /// The files to read; pieces are only noted, since their names say what they hold.
    private mutating func sortOut(_ listing: SharedFolder.Listing) throws -> [SharedFolder.Listed] {
        var unread: [SharedFolder.Listed] = []
        let known = Set(listing.files.map(\.path))
        strangers = strangers.filter { known.contains($0.key) }
        try store.inspect { view in
            for file in listing.files {
                switch file.name {
                case .card: continue
                case .piece(let hash):
                    pieces[hash, default: []].append(file.path)
                    continue
                case .snapshot: continue
                case .entries where file.directory == zones.lane.description:
                    // Own files are confirmed when sending; here only what this store did not write is of interest.
                    if try OwnFileRecords(zones: zones).knows(file.path, in: view.reader) { continue }
                default: break
                }
                let mark = try view.reader.value(zones.key(Array(file.path.utf8)), in: ExchangeZones.taken)
                if let mark, file.signature.agrees(with: mark) { continue }
                if strangers[file.path] == file.signature {
                    report.duplicates += 1
                    continue
                }
                unread.append(file)
            }
        }
        return unread.sorted { $0.isBefore($1) }
    }

    private func isTaken(_ file: SharedFolder.Listed) throws -> Bool {
        try store.inspect { try $0.reader.value(zones.key(Array(file.path.utf8)), in: ExchangeZones.taken) != nil }
    }

    mutating func read(_ file: SharedFolder.Listed, among all: [SharedFolder.Listed]) throws {
        func item(_ reason: String) -> SyncReport.Item { SyncReport.Item(file: file.path, reason: reason) }
        switch try folder.judge(file, of: identity) {
        case .gone: break
        case .container(let container):
            if container.wasSealed { opened += 1 }
            try take(container, file)
        case .foreign(let store) where adopted.contains(store):
            report.strays += 1
            // Nothing of it will ever count: it is not read again while it looks the same.
            strangers[file.path] = file.signature
        case .foreign(let store): report.foreign.append(item("it belongs to the store \(store)"))
        case .arriving where try folder.isTornCopy(file, among: all):
            strangers[file.path] = file.signature
            report.duplicates += 1
        case .arriving where try recall(file), .damaged where try recall(file): report.duplicates += 1
        case .arriving(let reason): report.waiting.append(item(reason))
        case .damaged(let reason): report.damaged.append(item(reason))
        case .future(let reason): report.future.append(item(reason))
        case .locked(let reason):
            locked += 1
            report.future.append(item(reason))
        case .stray: report.strays += 1
        }
    }

    /// Whether it is an own file that another stands in for and that has come back: the next look after those takes it away.
    private func recall(_ file: SharedFolder.Listed) throws -> Bool {
        guard file.directory == zones.lane.description, case .entries(let from, let to, _) = file.name,
            case let own = OwnFileRecords(zones: zones), try store.inspect({ try own.swept(file.path, in: $0.reader) })
        else { return false }
        return try store.exchange(now: now) { try own.recall(file.path, from...to, now: now, in: $0.writer) }
    }

    private mutating func take(_ container: FolderFile, _ file: SharedFolder.Listed) throws {
        switch FolderFileContent.decode(container) {
        case .verified(.entries(let entries)): try take(entries, file, plainLength: container.header.plainLength)
        case .verified(.piece(let piece)):
            pieces[NameHash(piece.digest), default: []].append(file.path)
            report.duplicates += 1
        case .verified(.note(let note)): try take(note, file)
        case .verified(.snapshot):
            // A copy of a piece under another name: looked at when a store is set up.
            strangers[file.path] = file.signature
            report.duplicates += 1
        case .damaged(let reason): report.damaged.append(SyncReport.Item(file: file.path, reason: reason))
        case .future(let reason): report.future.append(SyncReport.Item(file: file.path, reason: reason))
        case .arriving, .foreign: report.strays += 1
        }
    }

    /// One transaction: what the file says of lanes, and each of its versions, admitted or pending.
    private mutating func take(_ entries: EntriesFile, _ file: SharedFolder.Listed, plainLength: UInt64) throws {
        let range = LaneKnowledge.Range(before: entries.header.before, after: entries.header.after)
        // Only the name its own bytes give it says what is in it, now and later.
        let hasItsName = file.name == entries.fileName
        let isInOwnPlace = file.directory == zones.lane.description
        var refused: [String] = []
        let (isNews, imported, isTwin) = try store.exchange(now: now) { transaction in
            let writer = transaction.writer
            let isOwn = try entries.lane == zones.lane && isInOutbox(range, writer)
            let isTwin = entries.lane == zones.lane && !isOwn
            try hear(entries, writer)
            var (imported, isNews) = (0, false)
            for entry in entries.entries {
                do {
                    if try take(entry, from: file, transaction, isNews: &isNews) { imported += 1 }
                } catch let error as StoreError where error.code == .invalidVersion {
                    refused.append(error.what)
                }
            }
            guard refused.isEmpty else { return (isNews, imported, isTwin) }
            try LaneKnowledge(zones: zones, reader: writer)
                .add(range, of: entries.lane, chains: { entries.chains }, isNews: isNews, to: writer)
            try note(needed: entries, writer)
            guard hasItsName else { return (isNews, imported, isTwin) }
            let isAdopted = try isOwn && isInOwnPlace && adopt(entries, file, plainLength, writer)
            if !isAdopted, !isInOwnPlace || !isTwin {
                let key = zones.key(Array(file.path.utf8))
                try writer.put(file.signature.sizeBytes, for: key, in: ExchangeZones.taken)
            }
            return (isNews, imported, isTwin)
        }
        report.imported += imported
        if isTwin { sawTwin = true }
        for reason in refused { report.damaged.append(SyncReport.Item(file: file.path, reason: reason)) }
        guard refused.isEmpty else { return }
        if !isNews, bridged[entries.lane] == nil { report.duplicates += 1 }
        if !hasItsName { strangers[file.path] = file.signature }
    }

    /// What the file says of lanes: how far they go, and how far its writer has the own one.
    private func hear(_ entries: EntriesFile, _ writer: any StorageWriter) throws {
        for (lane, chain) in entries.header.seen {
            try LaneKnowledge.announce(lane, upTo: chain.sequence, zones: zones, writer: writer)
        }
        try LaneKnowledge.announce(entries.lane, upTo: entries.header.after.sequence, zones: zones, writer: writer)
        guard entries.lane != zones.lane, let seen = entries.header.seen[zones.lane],
            try chain(at: seen.sequence, writer) == seen.digest
        else { return }
        try LaneKnowledge.acknowledge(seen.sequence, by: entries.lane, zones: zones, writer: writer)
    }

    /// An own file that was written but not noted, because this store was interrupted in between, or one that was replaced
    /// and has come back. Whether it is one of those.
    private func adopt(
        _ entries: EntriesFile, _ file: SharedFolder.Listed, _ plainLength: UInt64, _ writer: any StorageWriter
    ) throws -> Bool {
        guard try OwnFileRecords(zones: zones).wrote(file.path, in: writer) else { return false }
        var record = try zones.attachmentRecord(in: writer)
        let range = entries.header.range
        guard range.lowerBound <= record.published + 1 else { return false }
        record.published = max(record.published, range.upperBound)
        try zones.put(record, in: writer)
        let own = OwnFile(
            content: .entries(from: range.lowerBound, to: range.upperBound, seen: entries.header.seen),
            confirmed: file.signature, plainLength: plainLength)
        try OwnFileRecords(zones: zones).note(own, at: file.path, now: now, in: writer)
        return true
    }

    /// Whether the own lane has just these numbers with these chains: the file is one of this store's.
    private func isInOutbox(_ range: LaneKnowledge.Range, _ reader: any StorageReader) throws -> Bool {
        let start = range.before.sequence
        let before =
            start == 0 ? LaneChain(startOf: zones.lane, in: identity).digest : try chain(at: start, reader)
        return try before == range.before.digest && chain(at: range.after.sequence, reader) == range.after.digest
    }

    func chain(at number: UInt64, _ reader: any StorageReader) throws -> Digest? {
        try reader.value(zones.key(number), in: ExchangeZones.outbox).map { try OutboxEntry(decoding: $0).chain }
    }

    /// Whether the version was admitted now.
    private func take(
        _ entry: EntriesFile.Entry, from file: SharedFolder.Listed, _ transaction: ExchangeTransaction,
        isNews: inout Bool
    ) throws -> Bool {
        let id = entry.record.id
        try entry.checkInlineBodies()
        let key = zones.key(id.utf8)
        if try transaction.writer.value(key, in: ExchangeZones.present) == nil {
            isNews = true
            try transaction.writer.put([], for: key, in: ExchangeZones.present)
        }
        let state = try transaction.view.state(of: id)
        if state == .firm { return false }
        let hasParents = try entry.record.version.parents.allSatisfy { try transaction.view.state(of: $0) != nil }
        if state != nil || (hasParents && PendingVersion.pieces(of: entry.bodies).isEmpty) {
            try transaction.admit(entry.record, bodies: entry.bodies, zones: zones)
            return true
        }
        let pending = PendingVersion(record: entry.record, bodies: entry.bodies, file: file.path)
        try transaction.writer.put(pending.encoded, for: key, in: ExchangeZones.pending)
        return false
    }
}
