import FileCoordination
import LLVSCore

/// Looks whether the files this store wrote are still in the folder, with the bytes it wrote.
struct OwnFileCheck {
    let store: Store
    let zones: ExchangeZones
    let folder: SharedFolder
    let now: Int64

    struct Suspect {
        let path: String
        let file: OwnFile
        let reason: String
        /// Whether a file is there, and its bytes are not those this store wrote.
        var hasWrongBytes = false
    }

    /// Own files that are missing or do not verify. A file that looks as when it was confirmed is not read.
    func suspects(in listing: SharedFolder.Listing) throws -> [Suspect] {
        var listed: [String: SharedFolder.Signature] = [:]
        for file in listing.files { listed[file.path] = file.signature }
        let own = try store.inspect { try OwnFileRecords(zones: zones).all(in: $0.reader) }
        var suspects: [Suspect] = []
        for (path, file) in own {
            guard let signature = listed[path] else {
                if !listing.shows(path) { continue }
                suspects.append(Suspect(path: path, file: file, reason: "is missing"))
                continue
            }
            if signature == file.confirmed { continue }
            if let suspect = try problem(path, file) {
                suspects.append(suspect)
            } else {
                try confirm(path, file, signature)
            }
        }
        return try suspects + unfinished(listed)
    }

    /// Files that were being written when this device died, and that are there with other bytes. A sound one is the affair of
    /// the next retrieve, which notes it; one that is not there was not written, and what it was to hold is sent with the rest;
    /// one that is noted already, and was to be written again, is looked after with those.
    private func unfinished(_ listed: [String: SharedFolder.Signature]) throws -> [Suspect] {
        let records = OwnFileRecords(zones: zones)
        let (begun, past) = try store.inspect { view in
            let begun = try records.begun(in: view.reader)
            return (begun, try begun.filter { try listed[$0.path] == nil || records.knows($0.path, in: view.reader) })
        }
        if !past.isEmpty {
            try store.exchange(now: now) { transaction in
                for (path, _) in past {
                    try transaction.writer.remove(zones.key(Array(path.utf8)), in: ExchangeZones.begun)
                }
            }
        }
        let done = Set(past.map(\.path))
        return try begun.compactMap { done.contains($0.path) ? nil : try problem($0.path, $0.file) }
    }

    /// The file as it is to be remembered, if it is there with the bytes that belong there. How it looks is seen before it is read:
    /// if it changes meanwhile, it is read again.
    func sound(_ file: OwnFile, at path: String) throws -> OwnFile? {
        var found = file
        do {
            found.confirmed = try folder.signature(of: path)
        } catch {
            // Whoever asks writes it, which says what is the matter if that fails too.
            return nil
        }
        return try problem(path, file) == nil ? found : nil
    }

    private func problem(_ path: String, _ file: OwnFile) throws -> Suspect? {
        let bytes: [UInt8]
        do {
            guard let found = try folder.read(path, limit: FolderFile.Header.greatestFileLength) else {
                return Suspect(path: path, file: file, reason: "is missing")
            }
            bytes = found
        } catch let error as FileCoordinationError {
            return Suspect(path: path, file: file, reason: "cannot be read: \(error)")
        }
        let reason: String
        switch folder.decode(bytes) {
        case .verified(let container):
            if isNamedAfter(container, path) { return nil }
            reason = "holds another file's bytes"
        case .arriving(let have, _): reason = "was cut to \(have) bytes"
        case .damaged(let why): reason = why
        case .future(let why): return Suspect(path: path, file: file, reason: why)
        case .foreign: reason = "was overwritten"
        }
        return Suspect(path: path, file: file, reason: reason, hasWrongBytes: true)
    }

    private func isNamedAfter(_ container: FolderFile, _ path: String) -> Bool {
        switch FolderFileName(String(path.split(separator: "/").last ?? "")) {
        case .entries(_, _, let hash): hash == NameHash(container.digest)
        case .piece(let hash):
            Piece.decode(container).verified.map { piece in
                folder.names(of: NameHash(piece.digest), in: piece.store).contains(hash)
            } ?? false
        default: false
        }
    }

    private func confirm(_ path: String, _ file: OwnFile, _ signature: SharedFolder.Signature) throws {
        var confirmed = file
        confirmed.confirmed = signature
        try store.exchange(now: now) {
            try OwnFileRecords(zones: zones).update(confirmed, at: path, in: $0.writer)
        }
    }
}
