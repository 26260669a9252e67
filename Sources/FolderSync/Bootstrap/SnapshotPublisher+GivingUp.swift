import FileCoordination
import LLVSCore

/// Sets that are not kept any longer.
extension SnapshotPublisher {
    /// Deletes its files, and remembers their names: where a service brings one back, it goes again.
    func abandon(_ set: OwnSetRecord) throws {
        let paths = paths(of: set).sorted()
        for path in paths { try delete(path) }
        try store.exchange(now: now) { transaction in
            for path in paths { try ownFiles.noteSwept(path, in: transaction.writer) }
            for zone in [ExchangeZones.ownSet, ExchangeZones.ownSetSeen] {
                try transaction.writer.remove(zones.key(set.digest.bytes), in: zone)
            }
        }
    }

    /// Deletes what has come back of sets that were given up.
    func deleteAbandoned(_ listing: SharedFolder.Listing) throws {
        for old in try store.inspect({ try zones.abandonedSets(in: $0.reader) }) { try abandon(old) }
        for file in listing.files {
            guard case .snapshot = file.name, file.directory == zones.lane.description,
                try store.inspect({ try ownFiles.swept(file.path, in: $0.reader) })
            else { continue }
            try delete(file.path)
        }
    }

    var ownFiles: OwnFileRecords { OwnFileRecords(zones: zones) }

    /// Where its files are; they may have been written before a transform was given.
    func paths(of set: OwnSetRecord) -> Set<String> {
        Set((1...set.count).flatMap { [path($0, of: set), writer.path(set.name($0).text)] })
    }

    private func delete(_ path: String) throws {
        do {
            try CoordinatedFile(files: folder.files, followLinks: false).delete(at: folder.url(path))
        } catch {
            throw FolderSyncError(writing: error)
        }
    }
}
