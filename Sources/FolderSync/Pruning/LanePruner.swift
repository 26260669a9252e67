import FileCoordination
import LLVSCore

/// Takes pruned values out of the files of the own lane. Files are written anew and replaced as when they are packed; a number
/// keeps its version and its chain.
struct LanePruner {
    let own: OwnEntries
    let writer: LaneWriter

    private var zones: ExchangeZones { own.zones }
    private var records: OwnFileRecords { OwnFileRecords(zones: zones) }

    /// Writes every file again that has bytes of values which the store has no more. Returns how many.
    func rewriteEntries() throws -> Int {
        var count = 0
        for file in try own.store.inspect({ try records.entries(in: $0.reader) }) {
            try Task.checkCancellation()
            guard let sound = try own.read(file.path, file.range),
                let entries = EntriesFile.decode(sound.container).verified, try isOutdated(entries)
            else { continue }
            try writer.writeEntries(file.range)
            count += 1
        }
        return count
    }

    private func isOutdated(_ entries: EntriesFile) throws -> Bool {
        try zip(entries.header.range, entries.entries).contains { number, entry in
            if entry.bodies.isEmpty { return false }
            let (_, layout) = try writer.plan(number)
            return entry.bodies.enumerated().contains { !$1.isPruned && layout.isPruned($0) }
        }
    }

    /// Removes own pieces that nothing in the folder names any more, and no file that this store may have to write again.
    /// While anything there cannot be read, which might, all stay.
    func removePieces() throws -> Int {
        let candidates = try unneeded()
        if candidates.isEmpty { return 0 }
        let named = try PieceNames(in: own.folder, of: own.identity)
        guard named.isComplete else { return 0 }
        var count = 0
        for (path, digest) in candidates where !named.names.contains(NameHash(digest)) {
            try Task.checkCancellation()
            try remove(path)
            count += 1
        }
        return count
    }

    /// Own pieces whose versions' records are now written without them.
    private func unneeded() throws -> [(path: String, digest: Digest)] {
        var needed: [UInt64: Set<Digest>?] = [:]
        return try own.store.inspect { try records.all(in: $0.reader) }.compactMap { path, file in
            guard case .piece(let number, let digest) = file.content else { return nil }
            let pieces = try needed[number] ?? writer.pieces(of: number)
            needed[number] = .some(pieces)
            return pieces?.contains(digest) ?? true ? nil : (path, digest)
        }
    }

    private func remove(_ path: String) throws {
        do {
            let file = CoordinatedFile(files: own.folder.files, durability: .fast, followLinks: false)
            try file.delete(at: own.folder.url(path))
        } catch {
            throw FolderSyncError(writing: error)
        }
        // Should this not come to pass, the next look finds it missing and that it need not be made again.
        try own.store.exchange(now: writer.now) {
            try $0.writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.own)
        }
    }
}
