import FileCoordination
import LLVSCore

/// What a file of the folder turned out to be, by its bytes: the one place where that is decided.
enum FolderFileFinding {
    /// It went while it was looked at.
    case gone
    /// Verified as a file of the folder's store, as far as its container goes.
    case container(FolderFile)
    /// Verified, of another store.
    case foreign(StoreIdentity)
    /// Not all of it is here, and how much is.
    case arriving(String)
    /// Its bytes are wrong, or cannot be read.
    case damaged(String)
    /// Only newer software knows it, or one with the transform that sealed it.
    case future(String)
    /// It was sealed by the own transform with another key.
    case locked(String)
    /// None of ours.
    case stray
}

extension SharedFolder {
    /// Reads a file and judges it. Of a file under a stranger's name only the beginning is read unless that is a file's of ours.
    func judge(_ file: Listed, of identity: StoreIdentity) throws -> FolderFileFinding {
        do {
            if case .stranger = file.name, try !startsLikeOurs(file.path) { return .stray }
            guard let bytes = try read(file.path, limit: FolderFile.Header.greatestFileLength) else { return .gone }
            return judge(bytes, file.name, of: identity)
        } catch let error as FileCoordinationError where error.errno == .noSuchFile {
            return .gone
        } catch let error as FileCoordinationError {
            return .damaged("cannot be read: \(error)")
        }
    }

    private func judge(_ bytes: [UInt8], _ name: FolderFileName, of identity: StoreIdentity) -> FolderFileFinding {
        switch decode(bytes) {
        case .verified(let container):
            container.header.store == identity ? .container(container) : .foreign(container.header.store)
        case .arriving(let have, let whole):
            .arriving("incomplete: \(have) of \(whole.map(String.init) ?? "an unknown number of") bytes")
        case .damaged(let reason): .damaged(reason)
        case .future(let reason):
            FolderSeal.label(of: bytes)?.isAnotherKey(than: seal?.label(in: identity)) == true
                ? .locked(reason) : .future(reason)
        case .foreign:
            if case .stranger = name { .stray } else { .damaged("it does not start as a file of ours does") }
        }
    }

    private func startsLikeOurs(_ path: String) throws(FileCoordinationError) -> Bool {
        let count = FolderFile.magic.count
        return try files.readFile(at: url(path), from: 0, count: count, followLinks: false) == FolderFile.magic
    }
}

extension FolderFileContent {
    /// The name its own bytes give it.
    var fileName: FolderFileName {
        switch self {
        case .entries(let entries): entries.fileName
        case .piece(let piece): piece.fileName
        case .note(let note): note.fileName
        case .snapshot(let piece): piece.fileName
        }
    }
}
