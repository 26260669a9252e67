import FileCoordination
import LLVSCore

/// Reads files of entries of the own lane back, to be sure of every byte before anything is made of them or taken away.
struct OwnEntries {
    let store: Store
    let zones: ExchangeZones
    let outbox: Outbox
    let identity: StoreIdentity
    let folder: SharedFolder

    /// A file that is there, with the bytes this store wrote under its name and the chains it gave to these numbers.
    struct Sound {
        let container: FolderFile
        let header: EntriesFile.Header
    }

    /// What a look at a file shows.
    enum Found {
        case sound(Sound)
        /// It is cut off, zeroed or has wrong bytes: no file of anybody's any more.
        case spoiled
        /// It is missing, or what is there is something else than what was written.
        case other
        /// It cannot be read now, and nothing is known of it.
        case unreadable
    }

    /// Reads a file.
    func look(at path: String, _ range: ClosedRange<UInt64>) throws -> Found {
        let bytes: [UInt8]
        do {
            guard let found = try folder.read(path, limit: FolderFile.Header.greatestFileLength) else { return .other }
            bytes = found
        } catch is FileCoordinationError {
            return .unreadable
        }
        let decoded = folder.decode(bytes)
        switch decoded {
        case .arriving, .damaged: return .spoiled
        case .foreign where endsAsNamed(bytes, path): return .spoiled
        case .verified, .future, .foreign: break
        }
        guard let container = decoded.verified, container.header.store == identity,
            container.header.lane == zones.lane, container.header.optionalFeatures == 0,
            case .verified(let header) = EntriesFile.decodeHeader(container), header.range == range,
            path == "\(zones.lane)/\(header.fileName(digest: container.digest).text)"
        else { return .other }
        let chains = try store.inspect { view in
            (
                try outbox.chain(at: range.lowerBound - 1, in: view.reader),
                try outbox.chain(at: range.upperBound, in: view.reader)
            )
        }
        return chains == (header.before, header.after) ? .sound(Sound(container: container, header: header)) : .other
    }

    /// Whether the last bytes are those of the file that the name stands for. Its first may be wrong, as with one bit of the eight
    /// that all files begin with.
    private func endsAsNamed(_ bytes: [UInt8], _ path: String) -> Bool {
        guard bytes.count >= FolderFile.trailerByteCount,
            case .entries(_, _, let hash) = FolderFileName(String(path.split(separator: "/").last ?? ""))
        else { return false }
        return Digest(bytes: Array(bytes.suffix(FolderFile.trailerByteCount))).map { NameHash($0) } == hash
    }

    /// The file, or nil if it cannot be read or anything about it is not as it was written.
    func read(_ path: String, _ range: ClosedRange<UInt64>) throws -> Sound? {
        if case .sound(let sound) = try look(at: path, range) { sound } else { nil }
    }

    /// Whether the file is there and every entry of it can be read.
    func isWhole(_ path: String, _ range: ClosedRange<UInt64>) throws -> Bool {
        guard let file = try read(path, range) else { return false }
        return EntriesFile.decode(file.container).verified != nil
    }
}
