import FileCoordination
import LLVSCore

/// Notes this store has to say in the folder. Each is written into the own lane, and again if its file is lost.
struct OwnNotes {
    let store: Store
    let zones: ExchangeZones
    let identity: StoreIdentity
    let folder: SharedFolder
    let now: Int64

    /// A note whose file is missing or wrong.
    struct Due {
        let subject: FolderNote.Subject
        let path: String
        let bytes: [UInt8]
    }

    /// Remembers that something is to be said.
    static func add(_ subject: FolderNote.Subject, zones: ExchangeZones, _ writer: any StorageWriter) throws {
        let key = zones.key(subject.encoded)
        if try writer.value(key, in: ExchangeZones.note) == nil { try writer.put([], for: key, in: ExchangeZones.note) }
    }

    /// Everything that is to be said or was said, each with how its file looked.
    static func all(
        zones: ExchangeZones, in reader: any StorageReader
    ) throws -> [(subject: FolderNote.Subject, confirmed: [UInt8])] {
        var found: [(FolderNote.Subject, [UInt8])] = []
        try zones.scan(ExchangeZones.note, in: reader) { key, confirmed in
            found.append((try FolderNote.Subject(decoding: key[...]), confirmed))
            return true
        }
        return found
    }

    /// The stores that this one took the place of in this folder.
    static func adopted(zones: ExchangeZones, in reader: any StorageReader) throws -> Set<StoreIdentity> {
        var stores: Set<StoreIdentity> = []
        for case .adopted(let store) in try all(zones: zones, in: reader).map(\.subject) { stores.insert(store) }
        return stores
    }

    static func unconfirm(zones: ExchangeZones, _ writer: any StorageWriter) throws {
        for note in try all(zones: zones, in: writer) where !note.confirmed.isEmpty {
            try writer.put([], for: zones.key(note.subject.encoded), in: ExchangeZones.note)
        }
    }

    /// What has to be written. A file that looks as when it was confirmed is not read.
    func due() throws -> [Due] {
        try store.inspect { try Self.all(zones: zones, in: $0.reader) }.compactMap { note in
            let file = FolderNote.encode(note.subject, store: identity, lane: zones.lane)
            let path = "\(zones.lane)/\(file.name.text)"
            let looks = try looks(of: path)
            if let looks, looks.encoded == note.confirmed { return nil }
            if let looks, isThere(file.bytes, at: path) {
                try confirm(note.subject, looks)
                return nil
            }
            return Due(subject: note.subject, path: path, bytes: file.bytes)
        }
    }

    /// A file that cannot be read is written again; whether that helps shows then.
    private func isThere(_ bytes: [UInt8], at path: String) -> Bool {
        do {
            return try folder.read(path, limit: FolderNote.greatestFileLength) == bytes
        } catch {
            return false
        }
    }

    func write(_ note: Due, with writer: LaneWriter) throws {
        try confirm(note.subject, try writer.place(note.bytes, at: note.path))
    }

    private func confirm(_ subject: FolderNote.Subject, _ looks: SharedFolder.Signature) throws {
        try store.exchange(now: now) {
            try $0.writer.put(looks.encoded, for: zones.key(subject.encoded), in: ExchangeZones.note)
        }
    }

    private func looks(of path: String) throws -> SharedFolder.Signature? {
        do {
            return try folder.signature(of: path)
        } catch {
            if [.noSuchFile, .notDirectory].contains(error.errno) { return nil }
            throw FolderSyncError(reading: error)
        }
    }
}

extension SharedFolder.Signature {
    fileprivate var encoded: [UInt8] {
        var out = ByteWriter()
        out.u64(size)
        out.i64(modified)
        out.i64(changed)
        out.u64(inode)
        return out.bytes
    }
}
