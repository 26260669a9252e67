import FileCoordination
import LLVSCore

/// Takes files of the own lane away that a larger one stands in for.
///
/// A file goes when the larger one was written by an earlier pass and verifies when it is read back now, and when all other
/// lanes of the folder state that they have its entries, or 72 hours have passed; one that is spoiled has nothing for anybody,
/// and does not wait. And only if its bytes are those that this store wrote, or what is left of them: something else under its
/// name stays.
struct ReplacedFileSweep {
    let own: OwnEntries
    let now: Int64

    /// How long lanes are waited for that do not state what they have: 72 hours.
    static let patience: Int64 = 72 * 3_600_000
    /// Shorter steps of the clock are not worth a write of their own.
    private static let leastStep: Int64 = 600_000

    private typealias Files = [(path: String, file: ReplacedFile)]

    /// Removes what may go. Returns how many files went, and those whose bytes were found to be others.
    func run() throws -> (removed: Int, refused: [SyncReport.Item]) {
        let records = OwnFileRecords(zones: own.zones)
        let replaced = try own.store.inspect { try records.replaced(in: $0.reader) }
        if replaced.isEmpty { return (0, []) }
        let entries = try own.store.inspect { try records.entries(in: $0.reader) }
        let stated = try own.store.inspect { try statedByAll($0.reader) }
        let elapsed = try look(records)
        var groups: [String: (range: ClosedRange<UInt64>, files: Files)] = [:]
        for file in replaced {
            guard let larger = entries.first(where: { $0.range.contains(file.file.range) }) else { continue }
            groups[larger.path, default: (larger.range, [])].files.append(file)
        }
        var removed = 0
        var refused: [SyncReport.Item] = []
        for (path, group) in groups.sorted(by: { $0.key < $1.key }) {
            let isStated = group.files.allSatisfy { $0.file.range.upperBound <= stated }
            let isDue = isStated || group.files.allSatisfy { elapsed - $0.file.since >= Self.patience }
            try Task.checkCancellation()
            let (gone, others) = try sweep(group.files, into: path, group.range, isDue)
            removed += gone
            refused += others
        }
        return (removed, refused)
    }

    /// The number up to which every other lane that is still written states to have the own one. With no other lane there is
    /// nobody to wait for.
    private func statedByAll(_ reader: any StorageReader) throws -> UInt64 {
        let knowledge = LaneKnowledge(zones: own.zones, reader: reader)
        let others = try knowledge.lanes().filter { try $0 != own.zones.lane && !knowledge.isRetired($0) }
        return try others.map(knowledge.acknowledged).min() ?? .max
    }

    private func look(_ records: OwnFileRecords) throws -> Int64 {
        let before = try own.store.inspect { try records.elapsed(in: $0.reader) } ?? ElapsedTime(startingAt: now)
        var time = before
        time.look(at: now)
        let isSetBack = time != before && time.total == before.total
        if isSetBack || time.total - before.total >= Self.leastStep {
            try own.store.exchange(now: now) { try records.put(time, in: $0.writer) }
        }
        return time.total
    }

    /// - Parameter isDue: Sound files go as well. Otherwise only such are read as do not look as they did when they were sound.
    private func sweep(
        _ files: Files, into larger: String, _ range: ClosedRange<UInt64>, _ isDue: Bool
    ) throws -> (Int, [SyncReport.Item]) {
        var absent: [String] = []
        var present: [(path: String, file: ReplacedFile, looks: SharedFolder.Signature)] = []
        for (path, file) in files {
            if let looks = try looks(of: path) {
                if looks != file.refused && (isDue || looks != file.sound) { present.append((path, file, looks)) }
            } else if isDue {
                absent.append(path)
            }
        }
        var removed = 0
        var seen: Files = []
        var refused: Files = []
        if !present.isEmpty, try own.isWhole(larger, range) {
            for (path, file, looks) in present {
                var file = file
                switch try own.look(at: path, file.range) {
                case .sound where !isDue:
                    file.sound = looks
                    seen.append((path, file))
                case .sound, .spoiled:
                    try remove(path)
                    absent.append(path)
                    removed += 1
                case .other:
                    file.refused = looks
                    refused.append((path, file))
                case .unreadable: continue
                }
            }
        }
        if !absent.isEmpty || !seen.isEmpty || !refused.isEmpty { try note(absent, seen + refused) }
        return (removed, refused.map { SyncReport.Item(file: $0.path, reason: "is not as it was written; it is left") })
    }

    private func note(_ absent: [String], _ changed: Files) throws {
        try own.store.exchange(now: now) { transaction in
            for path in absent {
                try transaction.writer.remove(own.zones.key(Array(path.utf8)), in: ExchangeZones.replaced)
                try OwnFileRecords(zones: own.zones).noteSwept(path, in: transaction.writer)
            }
            for (path, file) in changed {
                try transaction.writer.put(
                    file.encoded, for: own.zones.key(Array(path.utf8)), in: ExchangeZones.replaced)
            }
        }
    }

    private func looks(of path: String) throws -> SharedFolder.Signature? {
        do {
            return try own.folder.signature(of: path)
        } catch {
            if error.errno == .noSuchFile { return nil }
            throw FolderSyncError(reading: error)
        }
    }

    private func remove(_ path: String) throws {
        do {
            // Should a power cut bring it back, it goes again.
            let file = CoordinatedFile(files: own.folder.files, durability: .fast, followLinks: false)
            try file.delete(at: own.folder.url(path))
        } catch {
            throw FolderSyncError(writing: error)
        }
    }
}
