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
    }

    /// Own files that are missing or do not verify. A file that looks as when it was confirmed is not read.
    func suspects() throws -> [Suspect] {
        var listed: [String: SharedFolder.Signature] = [:]
        for file in try folder.list().files { listed[file.path] = file.signature }
        var own: [(String, OwnFile)] = []
        try store.inspect { view in
            try zones.scan(ExchangeZones.own, in: view.reader) { key, bytes in
                own.append((String(decoding: key, as: UTF8.self), try OwnFile(decoding: bytes)))
                return true
            }
        }
        var suspects: [Suspect] = []
        for (path, file) in own {
            guard let signature = listed[path] else {
                suspects.append(Suspect(path: path, file: file, reason: "is missing"))
                continue
            }
            if signature == file.confirmed { continue }
            if let reason = try problem(path, file) {
                suspects.append(Suspect(path: path, file: file, reason: reason))
            } else {
                try confirm(path, file, signature)
            }
        }
        return suspects
    }

    private func problem(_ path: String, _ file: OwnFile) throws -> String? {
        let bytes: [UInt8]
        do {
            guard let found = try folder.read(path, limit: FolderFile.Header.greatestFileLength) else { return "is missing" }
            bytes = found
        } catch let error as FileCoordinationError {
            return "cannot be read: \(error)"
        }
        switch FolderFile.decode(bytes) {
        case .verified: return nil
        case .arriving(let have, _): return "was cut to \(have) bytes"
        case .damaged(let reason), .future(let reason): return reason
        case .foreign: return "was overwritten"
        }
    }

    private func confirm(_ path: String, _ file: OwnFile, _ signature: SharedFolder.Signature) throws {
        var confirmed = file
        confirmed.confirmed = signature
        try store.exchange(now: now) {
            try $0.writer.put(confirmed.encoded, for: zones.key(Array(path.utf8)), in: ExchangeZones.own)
        }
    }
}
