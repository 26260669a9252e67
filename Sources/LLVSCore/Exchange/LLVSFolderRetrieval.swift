import FileCoordination
import Foundation

/// One reading of a folder in LLVS's format. The small files of versions come first, then the changes of each version whose
/// parents are there: every file is read once, also over many passes, whatever names, dates and clocks say.
struct LLVSFolderRetrieval {
    let store: Store
    let folder: LLVSFolder
    let records: LLVSFolderRecords
    let now: Int64
    let progress: (Int, Int) -> Void
    private(set) var report = LLVSReport()

    private var listing = LLVSFolder.Listing()
    private var found: [Version.ID: Found] = [:]

    /// A version that is not in the store, and the file it was found in.
    private struct Found {
        let version: LLVSVersion
        let file: String
        let entry: LLVSFolderRecords.Entry
        let isKept: Bool
    }

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
        listing = try folder.list(for: store, records)
        report.strays = listing.strays
        for file in listing.placeholders {
            report.waiting.append(LLVSReport.Item(file: file, reason: "the cloud service has not brought it here"))
        }
        for name in listing.versions.keys.sorted(by: { $0.utf8.precedes($1.utf8) }) {
            try Task.checkCancellation()
            try look(at: name)
        }
        try admit()
    }
}

// MARK: - Files of versions

extension LLVSFolderRetrieval {
    private mutating func look(at name: LLVSFolder.Name) throws {
        guard let signature = listing.versions[name] else { return }
        let file = "\(LLVSFolder.versions)/\(name.text)"
        let known = try store.inspect { try records.entry(file, in: $0.reader) }
        if let known, known.signature == signature {
            guard known.state == .waiting, let version = decode(known.bytes, file) else { return }
            // It may have come another way meanwhile.
            if try isInStore(version, file, signature, wasSent: false) { return }
            return try take(version, in: file, known, isKept: true)
        }
        let bytes: [UInt8]
        do throws(FileCoordinationError) {
            guard let read = try folder.read(file, limit: LLVSFolder.greatestVersionFile) else { return }
            bytes = read
        } catch {
            report.damaged.append(LLVSReport.Item(file: file, reason: "it cannot be read: \(error)"))
            return
        }
        guard let version = decode(bytes, file) else { return }
        if try isInStore(version, file, signature, wasSent: known?.state == .sent) { return }
        let entry = LLVSFolderRecords.Entry(state: .waiting, signature: signature, bytes: bytes)
        try take(version, in: file, entry, isKept: false)
    }

    private mutating func decode(_ bytes: [UInt8], _ file: String) -> LLVSVersion? {
        do { return try JSONDecoder().decode(LLVSVersion.self, from: Data(bytes)) } catch {
            let reason = "it is cut off, or not a version as LLVS writes it"
            report.damaged.append(LLVSReport.Item(file: file, reason: reason))
            return nil
        }
    }

    /// Whether the store has the version: as the file says it, or else the file is reported.
    private mutating func isInStore(
        _ version: LLVSVersion, _ file: String, _ signature: LLVSFolder.Signature, wasSent: Bool
    ) throws -> Bool {
        guard let mine = try store.llvsVersion(version.id) else { return false }
        guard version.says(theSameAs: mine) else {
            let reason = "the version \(version.id) is known with other content; what came first is kept"
            report.damaged.append(LLVSReport.Item(file: file, reason: reason))
            return true
        }
        let entry = LLVSFolderRecords.Entry(state: wasSent ? .sent : .known, signature: signature)
        try store.exchange(now: now) { try records.put(entry, for: file, in: $0.writer) }
        return true
    }

    /// Of two files with one id the one of that name counts, else the first.
    private mutating func take(
        _ version: LLVSVersion, in file: String, _ entry: LLVSFolderRecords.Entry, isKept: Bool
    ) throws {
        let new = Found(version: version, file: file, entry: entry, isKept: isKept)
        guard let other = found[version.id] else {
            found[version.id] = new
            return
        }
        let isExact = file == "\(LLVSFolder.versions)/\(version.id)"
        if isExact { found[version.id] = new }
        if !version.says(theSameAs: other.version) {
            let reason = "it has other content than another file of the version \(version.id)"
            report.damaged.append(LLVSReport.Item(file: isExact ? other.file : file, reason: reason))
        }
    }
}

// MARK: - Admitting

extension LLVSFolderRetrieval {
    private mutating func admit() throws {
        var admission = LLVSAdmission(store: store, now: now, report: report)
        for found in found.values {
            admission.add(LLVSAdmission.Candidate(version: found.version, file: found.file))
        }
        var reader = LLVSChangesReader(
            store: store, folder: folder, listing: listing, versions: Set(found.keys.map(LLVSFolder.Name.init)))
        try admission.run(
            changes: { try reader.changes(of: $0.version.id, file: $0.file, &$1) },
            note: { [found, records] candidate, transaction in
                guard var entry = found[candidate.version.id]?.entry else { return }
                entry.state = .known
                entry.bytes = []
                try records.put(entry, for: candidate.file, in: transaction.writer)
            }, progress: progress)
        try admission.reportWaiting()
        report = admission.report
        let unkept = admission.left.compactMap { found[$0.version.id] }.filter { !$0.isKept }
        if unkept.isEmpty { return }
        try store.exchange(now: now) { transaction in
            for found in unkept { try records.put(found.entry, for: found.file, in: transaction.writer) }
        }
    }
}
