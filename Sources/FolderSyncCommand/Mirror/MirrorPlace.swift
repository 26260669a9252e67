import FileCoordination
import FolderSync
import Foundation
import LLVSCore

/// Where a mirror's directory, shared folder and store are; they are apart from each other.
struct MirrorPlace: Sendable {
    let directory: RealPath
    let folder: RealPath
    let store: RealPath

    init(directory: String, folder: String, store: String?) throws {
        self.directory = RealPath(directory)
        self.folder = RealPath(folder)
        self.store = RealPath(store ?? Self.usualStore(for: self.directory))
        try refuseOverlap(("the directory", self.directory), ("the shared folder", self.folder))
        try refuseOverlap(("the store", self.store), ("the directory", self.directory))
        try refuseOverlap(("the store", self.store), ("the shared folder", self.folder))
    }

    /// A store for each directory, among what the user's programs keep, by the XDG Base Directory Specification.
    static func usualStore(
        for directory: RealPath, _ environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> String {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let mirrors = (state ?? NSHomeDirectory() + "/.local/state") + "/foldersync/mirrors"
        let name = directory.text.utf8.split(separator: UInt8(ascii: "/")).last ?? []
        // For people who look there; the hash alone tells directories apart.
        let readable = name.filter { (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) }
        let hash = SHA256.hash(Array(directory.text.utf8)).base32.prefix(16)
        return "\(mirrors)/\(String(decoding: readable.prefix(32), as: UTF8.self))-\(hash)"
    }

    /// Opens the store, or makes it, and attaches it to the folder unless it is.
    /// - Parameter creating: whether an empty folder becomes the shared folder of a new store.
    func open(creating: Bool) throws -> (open: OpenStore, attachment: FolderAttachment) {
        let isNew = !FileManager.default.fileExists(atPath: store.text)
        if isNew {
            // Found out with a store that is nowhere: nothing is made where the folder cannot be used.
            if !creating { try FolderExchange.attach(Store(storage: MemoryStorage()), to: folder.text) }
            _ = try BackupFolder.make(WrittenPath(store.text).folder)
            try Store.create(at: store.text).close()
        }
        let open = try OpenStore(at: store.text, isMirrored: true)
        let known = try FolderExchange.attachments(of: open.store).first { attachment in
            attachment.folder.utf8.elementsEqual(folder.text.utf8) || RealPath(attachment.folder) == folder
        }
        // Of a folder that is known, a missing card says that it is not mounted.
        if let known { return (open, known) }
        return (open, try FolderExchange.attach(open.store, to: folder.text, creating: creating))
    }

    /// Keeps other mirrors of the directory away until the process ends.
    func lock(_ files: any FileSystem = .local) throws {
        let name = "mirror-\(SHA256.hash(Array(directory.text.utf8)).base32.prefix(26)).lock"
        let path = try LockFolder.ofUser(in: files) + "/" + name
        do {
            let file = try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile)
            try files.lock(file, exclusive: true, wait: false)
        } catch {
            if error == .wouldBlock {
                throw CommandError(
                    "'\(directory)' is kept in step by another 'foldersync mirror'", remedy: "end that one first")
            }
            throw FileCoordinationError.locking(path, error)
        }
    }
}
