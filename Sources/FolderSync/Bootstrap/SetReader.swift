import FileCoordination
import LLVSCore

/// Why a set cannot be used: a piece is not there, or is not what the manifest says.
struct SetUnusable: Error {
    let reason: String
    /// Whether a newer version of this software could use it.
    var isFuture = false
}

/// A set whose pieces are all there, as far as their beginnings tell.
struct UsableSet {
    let found: FoundSet
    let manifest: SetManifest
    /// Whether nothing may follow what is known of its records.
    let isExact: Bool
}

/// Reads the records of a set, one after the other, from any place on. Holds one piece in memory, and a record that goes on
/// in the next.
struct SetReader {
    let folder: SharedFolder
    let identity: StoreIdentity
    let set: UsableSet
    /// The piece that is read; the pieces of records begin with 2.
    private(set) var piece: Int
    /// What of it was not read yet.
    private var rest: ArraySlice<UInt8> = []
    private var length = 0

    /// Where the next record begins.
    var offset: Int { length - rest.count }
    /// Whether there is more in the piece that is read.
    var isWithinPiece: Bool { !rest.isEmpty }

    /// Goes on where the offset of an earlier reader was.
    init(
        folder: SharedFolder, identity: StoreIdentity, set: UsableSet, piece: Int, offset: Int
    ) throws {
        self.folder = folder
        self.identity = identity
        self.set = set
        self.piece = piece
        guard 2...set.found.count ~= piece else { throw SetUnusable(reason: "there is no piece \(piece)") }
        try load(piece)
        guard offset <= rest.count else { throw SetUnusable(reason: "there is no byte \(offset)") }
        rest = rest.dropFirst(offset)
    }

    /// A set with its manifest.
    static func open(_ set: FoundSet, in folder: SharedFolder, _ identity: StoreIdentity) throws -> UsableSet {
        let piece = try find(1, of: set, in: folder, identity) { $0.digest == set.manifest }
        do {
            return UsableSet(
                found: set,
                manifest: try SetManifest(decoding: piece.bytes, count: set.count, isExact: piece.isExact),
                isExact: piece.isExact)
        } catch {
            throw SetUnusable(reason: error.what)
        }
    }

    /// The next record, or nil at the end of the set.
    /// - Throws: `SetUnusable`.
    mutating func next() throws -> EntriesFile.Entry? {
        while rest.isEmpty {
            if piece == set.found.count { return nil }
            try load(piece + 1)
        }
        let record = try record()
        do throws(StoreError) {
            var reader = ByteReader(record, of: "record in the snapshot")
            let entry = try EntriesFile.Entry(from: &reader)
            if set.isExact { try reader.expectEnd() }
            return entry
        } catch {
            throw SetUnusable(reason: error.what, isFuture: error.code == .fromNewerVersion)
        }
    }

    private mutating func record() throws -> ArraySlice<UInt8> {
        let lengthBytes = try take(4)
        let length = lengthBytes.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= Int(FolderFile.Header.greatestEntriesLength) else {
            throw SetUnusable(reason: "a record of \(length) bytes is longer than any")
        }
        return try take(length)
    }

    /// The next bytes: of the piece if it has them, else gathered from as many as it takes.
    private mutating func take(_ count: Int) throws -> ArraySlice<UInt8> {
        if rest.count >= count {
            defer { rest = rest.dropFirst(count) }
            return rest.prefix(count)
        }
        var gathered = Array(rest)
        while gathered.count < count {
            guard piece < set.found.count else { throw SetUnusable(reason: "it ends within a record") }
            try load(piece + 1)
            let part = rest.prefix(count - gathered.count)
            gathered += part
            rest = rest.dropFirst(part.count)
        }
        return gathered[...]
    }

    private mutating func load(_ index: Int) throws {
        let expected = set.manifest.pieces[index - 2]
        let found = try Self.find(index, of: set.found, in: folder, identity) {
            $0.digest == expected.digest && $0.bytes.count == expected.length
        }
        piece = index
        rest = found.bytes
        length = found.bytes.count
    }

    /// The piece, from whichever of its files has it.
    private static func find(
        _ index: Int, of set: FoundSet, in folder: SharedFolder, _ identity: StoreIdentity,
        where isIt: (SnapshotPiece) -> Bool
    ) throws -> SnapshotPiece {
        var reason = "piece \(index) of \(set.count) is not here"
        for path in set.files[index] ?? [] {
            do {
                guard let bytes = try folder.read(path, limit: FolderFile.Header.greatestPieceFileLength) else {
                    continue
                }
                switch folder.decode(bytes).reading(SnapshotPiece.decode) {
                case .verified(let piece):
                    if piece.place == set.place(index), piece.store == identity, isIt(piece) { return piece }
                    reason = "\(path) is not the piece its header says"
                case .damaged(let why), .future(let why): reason = "\(path): \(why)"
                case .arriving, .foreign: reason = "\(path) is not here in full"
                }
            } catch let error as FileCoordinationError {
                reason = "\(path) cannot be read: \(error)"
            }
        }
        throw SetUnusable(reason: reason)
    }
}
