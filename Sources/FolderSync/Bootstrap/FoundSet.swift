import FileCoordination
import LLVSCore

/// A snapshot's set as far as the folder has it, known from the beginnings of its files.
struct FoundSet {
    let manifest: Digest
    let count: Int
    /// Where each piece is: under its own name, or as a copy under another.
    var files: [Int: [String]] = [:]

    var isComplete: Bool { files.count == count }
    /// What it is called in reports.
    var name: String { "snapshot \(place(1).set)" }
    /// What is said of it while pieces are missing.
    var incomplete: SyncReport.Item {
        SyncReport.Item(file: name, reason: "\(files.count) of its \(count) pieces are here")
    }

    func place(_ index: Int) -> SnapshotPiece.Place {
        SnapshotPiece.Place(manifest: manifest, index: index, count: count)
    }
}

/// Looks for snapshots in a folder. Reads the first bytes of files that may be pieces of one, and nothing of others; of sealed
/// sets also the manifests.
struct SetSearch {
    let folder: SharedFolder
    let identity: StoreIdentity
    var report = SyncReport()
    private(set) var sets: [SnapshotPiece.Place: FoundSet] = [:]
    /// Sealed pieces whose names alone say of which set they are.
    var named: [SnapshotName: [(index: Int, path: String)]] = [:]

    init(folder: SharedFolder, identity: StoreIdentity) {
        self.folder = folder
        self.identity = identity
    }

    /// Every set of which there is a piece, those with fewer pieces missing first.
    mutating func run(_ listing: SharedFolder.Listing) throws -> [FoundSet] {
        for file in listing.files {
            switch file.name {
            case .snapshot: try look(at: file, isOurName: true)
            case .stranger(_, .unknown): try look(at: file, isOurName: false)
            default: continue
            }
        }
        placeNamed()
        return sets.values.sorted {
            ($0.count - $0.files.count, $0.manifest) < ($1.count - $1.files.count, $1.manifest)
        }
    }

    private mutating func look(at file: SharedFolder.Listed, isOurName: Bool) throws {
        let start: [UInt8]
        do {
            start = try folder.files.readFile(
                at: folder.url(file.path), from: 0, count: FolderFile.Header.byteCount + SnapshotPiece.Place.byteCount,
                followLinks: false)
        } catch {
            if isOurName, error.errno != .noSuchFile {
                report.damaged.append(SyncReport.Item(file: file.path, reason: "cannot be read: \(error)"))
            }
            return
        }
        switch FolderFile.peek(start[...], fileLength: file.signature.size) {
        case .header(let header): take(header, start, file, isOurName: isOurName)
        case .arriving(let have, let whole) where isOurName:
            let size = whole.map(String.init) ?? "an unknown number of"
            report.waiting.append(SyncReport.Item(file: file.path, reason: "incomplete: \(have) of \(size) bytes"))
        case .damaged(let reason) where isOurName:
            report.damaged.append(SyncReport.Item(file: file.path, reason: reason))
        case .foreign where isOurName:
            report.damaged.append(
                SyncReport.Item(file: file.path, reason: "it does not start as a file of ours does"))
        default: return
        }
    }

    private mutating func take(
        _ header: FolderFile.Header, _ start: [UInt8], _ file: SharedFolder.Listed, isOurName: Bool
    ) {
        if let reason = header.future {
            if isOurName { report.future.append(SyncReport.Item(file: file.path, reason: reason)) }
            return
        }
        guard header.kind == .snapshot else { return }
        guard header.store == identity else {
            report.foreign.append(
                SyncReport.Item(file: file.path, reason: "it belongs to the store \(header.store)"))
            return
        }
        if header.isSealed { return takeSealed(file) }
        do {
            let place = try SnapshotPiece.Place(
                decoding: start.dropFirst(FolderFile.Header.byteCount), isExact: false)
            add(file.path, place)
        } catch {
            report.damaged.append(SyncReport.Item(file: file.path, reason: error.what))
        }
    }

    mutating func add(_ path: String, _ place: SnapshotPiece.Place) {
        let set = SnapshotPiece.Place(manifest: place.manifest, index: 1, count: place.count)
        sets[set, default: FoundSet(manifest: place.manifest, count: place.count)].files[place.index, default: []]
            .append(path)
    }
}
