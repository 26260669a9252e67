import FileCoordination

/// Writes to a folder in LLVS's format what is missing there: parents before children, and of each version the changes
/// before the version, so that a reader sees a usable part of the history whenever this is cut off.
struct LLVSFolderSender {
    let store: Store
    let folder: LLVSFolder
    let records: LLVSFolderRecords
    let now: Int64
    let progress: (Int, Int) -> Void
    private(set) var report = LLVSReport()

    init(
        store: Store, folder: LLVSFolder, records: LLVSFolderRecords, now: Int64,
        progress: @escaping (Int, Int) -> Void
    ) {
        self.store = store
        self.folder = folder
        self.records = records
        self.now = now
        self.progress = progress
    }

    mutating func run() throws {
        let listing = try folder.list(for: store, records)
        let missing = try missing(from: listing)
        if missing.isEmpty { return }
        // What others build on must not be lost by a power cut here.
        try store.storage.sync()
        try folder.prepare()
        var refused: Set<Version.ID> = []
        for (done, id) in missing.enumerated() {
            try Task.checkCancellation()
            progress(done, missing.count)
            try send(id, listing, &refused)
        }
        progress(missing.count, missing.count)
    }

    /// The firm versions, parents first, of which a file is missing, or is one of ours and no longer as it was written.
    private func missing(from listing: LLVSFolder.Listing) throws -> [Version.ID] {
        try store.inspect { view in
            var missing: [Version.ID] = []
            try view.forEachFirm(from: 1) { _, outgoing in
                let name = LLVSFolder.Name(outgoing.id)
                guard let version = listing.versions[name], let changes = listing.changes[name] else {
                    missing.append(outgoing.id)
                    return true
                }
                for (file, signature) in [(LLVSFolder.versions, version), (LLVSFolder.changes, changes)] {
                    let entry = try records.entry("\(file)/\(outgoing.id)", in: view.reader)
                    if let entry, entry.state == .sent, entry.signature != signature {
                        missing.append(outgoing.id)
                        break
                    }
                }
                return true
            }
            return missing
        }
    }

    private mutating func send(
        _ id: Version.ID, _ listing: LLVSFolder.Listing, _ refused: inout Set<Version.ID>
    ) throws {
        let departure: LLVSDeparture
        do {
            departure = try store.inspect { view in
                let outgoing = try view.outgoing(id)
                let parents = try outgoing.stored.version().parents
                if let parent = parents.first(where: refused.contains) {
                    throw Self.unsendable(id, "it builds on \(parent), which cannot be sent")
                }
                guard LLVSFolder.holds(id) else { throw Self.unsendable(id, "its id cannot be the name of a file") }
                return try LLVSDeparture(outgoing)
            }
        } catch let error as StoreError where !error.isOfStorage {
            refused.insert(id)
            report.unsendable.append(LLVSReport.Item(file: "\(LLVSFolder.versions)/\(id)", reason: error.what))
            return
        }
        let isListed = listing.versions[LLVSFolder.Name(id)] != nil
        // Changes without a version are of a sender that was cut off.
        try write(departure.changes, to: "\(LLVSFolder.changes)/\(id)")
        if try !isListed || isOurs("\(LLVSFolder.versions)/\(id)") {
            try write(departure.version, to: "\(LLVSFolder.versions)/\(id)")
        }
        if isListed { report.restored += 1 } else { report.sent += 1 }
    }

    private func isOurs(_ relative: String) throws -> Bool {
        try store.inspect { try records.entry(relative, in: $0.reader)?.state == .sent }
    }

    /// Writes a file unless it has these bytes, and notes that it is one of this store's.
    private func write(_ bytes: [UInt8], to relative: String) throws {
        let signature = try unchanged(bytes, at: relative) ?? folder.write(bytes, to: relative)
        try store.exchange(now: now) {
            try records.put(LLVSFolderRecords.Entry(state: .sent, signature: signature), for: relative, in: $0.writer)
        }
    }

    private func unchanged(_ bytes: [UInt8], at relative: String) throws -> LLVSFolder.Signature? {
        do {
            guard let signature = try folder.signature(of: relative), signature.size == bytes.count,
                try folder.read(relative, limit: bytes.count) == bytes
            else { return nil }
            return signature
        } catch {
            // What cannot be read is written again.
            return nil
        }
    }

    private static func unsendable(_ id: Version.ID, _ reason: String) -> StoreError {
        StoreError(.invalidVersion, reason, remedy: "share it through a folder of this software's own")
    }
}
