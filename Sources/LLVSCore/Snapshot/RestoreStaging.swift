import FileCoordination

/// Where a store is restored before it is put in place: `.NAME.restoring` beside its path, so that one rename does it.
struct RestoreStaging {
    let path: String
    private let target: String
    private let parent: String
    private let files: any FileSystem

    init(_ target: String, _ files: any FileSystem) throws(StoreError) {
        var target = target
        while target.utf8.count > 1, target.utf8.last == UInt8(ascii: "/") {
            target = String(target.utf8.dropLast()) ?? "/"
        }
        guard let place = FilePlace(target) else {
            throw StoreError(
                .notAStore, "the path of the store is no name in a folder", remedy: "give the store's path",
                path: target)
        }
        self.target = target
        parent = place.folder
        path = FilePlace.join(place.folder, ".\(place.name).restoring")
        self.files = files
    }

    func lock() throws(StoreError) -> SnapshotLock {
        try SnapshotLock(path + ".lock", files, what: "another restore to that path is running")
    }

    func refuseExisting() throws(StoreError) {
        do throws(Errno) { _ = try files.attributes(at: target, followLinks: false) } catch {
            if error == .noSuchFile { return }
            throw StoreError(FileCoordinationError.reading(target, error))
        }
        throw exists
    }

    private var exists: StoreError {
        StoreError(
            .storeExists, "something is there already", remedy: "choose a path where nothing is", path: target)
    }

    /// Removes what an earlier call left: the files that a store has, and nothing else.
    func clear() throws(StoreError) {
        try clear(path)
        // What a store's creation leaves that was killed.
        try clear(FilePlace.join(parent, ".\(FilePlace(path)?.name ?? "").creating"))
    }

    private static let ownNames: Set<String> = [
        "store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "store.sqlite-journal", "writer.lock",
    ]

    private func clear(_ directory: String) throws(StoreError) {
        var foreign: String?
        do throws(Errno) {
            let names = try files.list(directory, followLinks: false).map {
                String(decoding: $0.nameBytes, as: UTF8.self)
            }
            foreign = names.first { !Self.ownNames.contains($0) }
            if foreign == nil {
                for name in names { try files.removeFile(FilePlace.join(directory, name)) }
                try files.removeDirectory(directory)
            }
        } catch {
            if error != .noSuchFile { throw StoreError(FileCoordinationError.deleting(directory, error)) }
        }
        if let foreign {
            throw StoreError(
                .storeExists, "the place where the store is made up has other things in it: \(foreign)",
                remedy: "move them away", path: directory)
        }
    }

    /// Gives the store its name, if nobody has it.
    func publish() throws(StoreError) {
        do throws(Errno) { try files.moveWithoutReplacing(path, to: target) } catch {
            if [.fileExists, .notEmpty].contains(error) { throw exists }
            throw StoreError(FileCoordinationError.renaming(target, error))
        }
        do throws(Errno) { try files.syncDirectory(parent) } catch {
            let harmless: Set<Errno> = [
                .invalidArgument, .notSupported, .notImplemented, .badDescriptor, .accessDenied,
            ]
            if !harmless.contains(error) { throw StoreError(FileCoordinationError.durabilityUnknown(target, error)) }
        }
    }
}
