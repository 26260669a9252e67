import FileCoordination
import LLVSCore

/// The pieces of values that anything in a folder names.
struct PieceNames {
    /// Under which a piece may be found.
    private(set) var names: Set<NameHash> = []
    /// Whether everything could be read: if not, there may be more.
    private(set) var isComplete: Bool
    private let folder: SharedFolder
    private let identity: StoreIdentity

    /// Reads every file of entries and every snapshot.
    init(in folder: SharedFolder, of identity: StoreIdentity) throws {
        let listing = try folder.list()
        self.folder = folder
        self.identity = identity
        isComplete = listing.unreadable.isEmpty && listing.stubs.isEmpty
        for file in listing.files {
            switch file.name {
            case .card, .piece, .snapshot, .note: continue
            case .entries, .stranger, .temporary: try read(file)
            }
        }
        var search = SetSearch(folder: folder, identity: identity)
        for set in try search.run(listing) {
            do {
                try Self.forEachPiece(of: set, in: folder, identity) { names.insert(NameHash($0)) }
            } catch is SetUnusable {
                isComplete = false
            }
        }
        let report = search.report
        if !(report.waiting + report.damaged + report.future).isEmpty { isComplete = false }
    }

    private mutating func read(_ file: SharedFolder.Listed) throws {
        try Task.checkCancellation()
        switch try folder.judge(file, of: identity) {
        case .gone, .foreign, .stray: return
        case .arriving, .damaged, .future, .locked: isComplete = false
        case .container(let container):
            guard case .verified(let content) = FolderFileContent.decode(container) else {
                isComplete = false
                return
            }
            guard case .entries(let entries) = content else { return }
            for entry in entries.entries {
                for piece in PendingVersion.pieces(of: entry.bodies) { names.insert(NameHash(piece)) }
            }
        }
    }

    /// Calls `body` with every piece that records of the set name.
    /// - Throws: `SetUnusable` if it cannot be read to its end.
    static func forEachPiece(
        of set: FoundSet, in folder: SharedFolder, _ identity: StoreIdentity, _ body: (Digest) -> Void
    ) throws {
        guard set.isComplete else { throw SetUnusable(reason: "\(set.files.count) of \(set.count) pieces are here") }
        let usable = try SetReader.open(set, in: folder, identity)
        var reader = try SetReader(folder: folder, identity: identity, set: usable, piece: 2, offset: 0)
        while let entry = try reader.next() {
            for piece in PendingVersion.pieces(of: entry.bodies) { body(piece) }
        }
    }
}
