import Foundation
import Synchronization

/// A lock file that is held. It goes when the lock is given back, so that the folder stays empty.
struct UpdateLock {
    private let files: any FileSystem
    private let path: String
    private let file: OpenFile

    /// - Parameter found: What is at the place, nil if nothing is.
    init(
        of place: FilePlace, _ found: FileAttributes?, by options: CoordinatedFile, waiting: Bool
    ) throws(FileCoordinationError) {
        let files = options.files
        let path = FilePlace.join(try Self.folder(options), try Self.name(for: place, found, files))
        if waiting, holders.withLock({ $0[PathKey(path)] }) == ObjectIdentifier(Thread.current) {
            throw .reentrant(place.path, .lock, "an update")
        }
        file = try naming(place.path, FileCoordinationError.locking) { () throws(Errno) in
            try Self.acquire(path, files, waiting: waiting)
        }
        holders.withLock { $0[PathKey(path)] = ObjectIdentifier(Thread.current) }
        self.path = path
        self.files = files
    }

    private static func folder(_ options: CoordinatedFile) throws(FileCoordinationError) -> String {
        if let folder = options.lockFolder { return folder }
        return try LockFolder.ofUser(in: options.files)
    }

    /// The same for every path to the file and every spelling that its folder takes for the same.
    private static func name(
        for place: FilePlace, _ found: FileAttributes?, _ files: any FileSystem
    ) throws(FileCoordinationError) -> String {
        let parent = try naming(place.folder, FileCoordinationError.locking) { () throws(Errno) in
            try files.attributes(at: place.folder, followLinks: true)
        }
        var folding = files.nameFolding(inFolder: place.folder)
        if let found { folding.formUnion(files.nameFolding(shownBy: place.name, in: place.folder, found)) }
        let name = shortHash(Array(folding.spelling(of: place.name).utf8))
        return [parent.device, parent.inode, name].map { String($0, radix: 16) }.joined(separator: "-") + ".lock"
    }

    private static func acquire(_ path: String, _ files: any FileSystem, waiting: Bool) throws(Errno) -> OpenFile {
        while true {
            let file = try files.open(path, [.read, .write, .create, .noFollow], permissions: .privateFile)
            do throws(Errno) {
                try files.lock(file, exclusive: true, wait: waiting)
                let held = try files.attributes(of: file)
                do throws(Errno) {
                    let named = try files.attributes(at: path, followLinks: false)
                    if named.inode == held.inode, named.device == held.device { return file }
                } catch {
                    if error != .noSuchFile { throw error }
                }
            } catch {
                do { try files.close(file) } catch {}
                throw error
            }
            // The one who had it before removed the file that is locked now: nobody else will meet this lock.
            try files.close(file)
        }
    }

    func release() {
        holders.withLock { _ = $0.removeValue(forKey: PathKey(path)) }
        // The name goes while the lock is held; closing ends the lock. Neither can fail in a way that keeps it.
        do { try files.removeFile(path) } catch {}
        do { try files.close(file) } catch {}
    }
}

/// Which thread of this process holds which lock file, to tell a wait for oneself from one for others.
private let holders = Mutex<[PathKey: ObjectIdentifier]>([:])
