import FileCoordination
import LLVSCore

/// What the names of a set's files say of it.
struct SnapshotName: Hashable {
    let set: String
    let count: Int
}

extension SetSearch {
    /// A sealed piece does not show where it belongs. Under its own name that does; of manifests, and of pieces under other
    /// names, the whole file is read.
    mutating func takeSealed(_ file: SharedFolder.Listed) {
        if case .snapshot(let set, let index, let count, _) = file.name, index > 1 {
            named[SnapshotName(set: set, count: count), default: []].append((index, file.path))
            return
        }
        do {
            guard let bytes = try folder.read(file.path, limit: FolderFile.Header.greatestPieceFileLength) else {
                return
            }
            switch folder.decode(bytes).reading(SnapshotPiece.decode) {
            case .verified(let piece): add(file.path, piece.place)
            case .future(let reason): report.future.append(SyncReport.Item(file: file.path, reason: reason))
            case .damaged(let reason): report.damaged.append(SyncReport.Item(file: file.path, reason: reason))
            case .arriving, .foreign: return
            }
        } catch {
            report.damaged.append(SyncReport.Item(file: file.path, reason: "cannot be read: \(error)"))
        }
    }

    /// Puts the pieces that only their names place with the manifests that were read.
    mutating func placeNamed() {
        for set in Array(sets.keys) {
            guard let seal = folder.seal,
                case .snapshot(let text, _, let count, _) = seal.hide(name(of: set), in: identity)
            else { continue }
            for (index, path) in named[SnapshotName(set: text, count: count)] ?? [] {
                add(path, SnapshotPiece.Place(manifest: set.manifest, index: index, count: count))
            }
        }
    }

    private func name(of set: SnapshotPiece.Place) -> FolderFileName { set.fileName(digest: set.manifest) }
}
