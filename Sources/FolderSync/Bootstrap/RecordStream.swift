import LLVSCore

/// The records of a snapshot: the first versions of the store's log, cut into pieces.
///
/// A function of the store and the number of versions alone, so that what is written twice is the same twice. The store is
/// read a few versions a transaction; nobody waits for it.
struct RecordStream {
    let store: Store
    /// How many versions.
    let versions: Int64
    let cutting: Cutting

    /// Where pieces end.
    enum Cutting {
        /// After the record with which a piece is not shorter than this.
        case afterRecords(Int)
        /// Where those of an earlier call did, which had these lengths.
        case at([Int])

        /// How long the piece at `index` has to be before it is cut.
        func length(_ index: Int) -> Int {
            switch self {
            case .afterRecords(let length): length
            case .at(let lengths): index < lengths.count ? lengths[index] : Piece.greatestByteCount
            }
        }
    }

    /// A piece of values that a record names: its digest, and its bytes for whoever has to write it.
    struct ValuePiece {
        /// The version it is of.
        let version: Version.ID
        let digest: Digest
        let bytes: () throws -> [UInt8]
    }

    private static let batch: Int64 = 256

    /// Calls `onValues` with each piece of values before `onPiece` with the piece of records that names it.
    func run(
        onValues: (ValuePiece) throws -> Void, onPiece: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        var buffer = ByteWriter(reserving: cutting.length(0))
        var next: Int64 = 1
        var index = 0
        while next <= versions {
            try Task.checkCancellation()
            let end = min(next + Self.batch, versions + 1)
            try store.inspect { view in
                try view.forEachFirm(from: next) { number, version in
                    guard number < end else { return false }
                    try append(version, to: &buffer, onValues)
                    next = number + 1
                    return buffer.bytes.count < cutting.length(index)
                }
            }
            try cut(&buffer, &index, isEnd: false, onPiece)
        }
        try cut(&buffer, &index, isEnd: true, onPiece)
    }

    private func cut(
        _ buffer: inout ByteWriter, _ index: inout Int, isEnd: Bool, _ onPiece: (ArraySlice<UInt8>) throws -> Void
    ) throws {
        guard isEnd || buffer.bytes.count >= cutting.length(index) else { return }
        var rest = buffer.bytes[...]
        while !rest.isEmpty {
            var length = Piece.greatestByteCount
            if case .at = cutting { length = cutting.length(index) }
            if case .at = cutting, !isEnd, rest.count < length { break }
            try onPiece(rest.prefix(length))
            rest = rest.dropFirst(length)
            index += 1
        }
        var left = ByteWriter(reserving: max(rest.count, cutting.length(index)))
        left.append(Array(rest))
        buffer = left
    }

    private func append(
        _ version: OutgoingVersion, to buffer: inout ByteWriter, _ onValues: (ValuePiece) throws -> Void
    ) throws {
        let record = try VersionRecord(
            decodingHeader: version.headerBytes, changes: try version.changesBytes(), id: version.id,
            allowingForeign: true)
        let storing = record.changes.storing
        let layout = try BodyLayout(version, count: storing.count)
        let pieces = try layout.packing.pieces.map { try Self.piece($0, of: version, storing, layout) }
        for piece in pieces { try onValues(piece) }
        let bodies = try layout.bodies(of: version, storing, pieces: pieces.map(\.digest))
        guard EntriesFile.Entry.byteCount(record, bodies: bodies) <= FolderFile.Header.greatestEntriesLength else {
            throw FolderSyncError(
                .tooLarge, "version \(record.id) changes too much at once to be sent",
                remedy: "save large amounts of changes as several versions")
        }
        EntriesFile.Entry.encode(record, bodies: bodies, into: &buffer)
    }

    private static func piece(
        _ parts: [BodyPacking.Part], of version: OutgoingVersion, _ storing: [ChangeList.Entry], _ layout: BodyLayout
    ) throws -> ValuePiece {
        let bytes = {
            try parts.reduce(into: [UInt8]()) { bytes, part in
                bytes += try version.body(part.change, from: part.offset, count: part.length)
            }
        }
        // A value that is a piece by itself: its hash is known without reading it.
        if layout.isWholeValue(parts), let part = parts.first {
            return ValuePiece(version: version.id, digest: storing[part.change].contentHash, bytes: bytes)
        }
        return ValuePiece(version: version.id, digest: SHA256.hash(try bytes()), bytes: bytes)
    }
}
