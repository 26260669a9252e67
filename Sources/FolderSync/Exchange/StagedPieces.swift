import LLVSCore

/// Pieces that were verified and copied into the store, so that admitting reads nothing from the folder.
///
/// A class for the sake of the last piece read: a shared piece holds many values, which are read one after the other.
final class StagedPieces {
    private let reader: any StorageReader
    private let zones: ExchangeZones
    private var loaded: (piece: Digest, bytes: [UInt8])?

    init(reader: any StorageReader, zones: ExchangeZones) {
        self.reader = reader
        self.zones = zones
    }

    func row(of piece: Digest) throws -> Int64? {
        guard let bytes = try reader.value(zones.key(piece.bytes), in: ExchangeZones.piece) else { return nil }
        var record = ByteReader(bytes, of: "record of a piece")
        return try record.i64()
    }

    private func bytes(of piece: Digest) throws -> [UInt8] {
        if let loaded, loaded.piece == piece { return loaded.bytes }
        // One at a time: each has up to 8 MiB.
        loaded = nil
        guard let row = try row(of: piece), let bytes = try reader.row(row, in: ExchangeZones.staged) else {
            throw StoreError(.damaged, "a staged piece is gone", remedy: "sync again")
        }
        loaded = (piece, bytes)
        return bytes
    }

    /// The content that extents make up. Readable only within the transaction.
    func content(length: UInt64, _ extents: [EntriesFile.Extent]) -> Value.Content {
        let pieces = InTransaction(pieces: self)
        return .stream(Value.Stream(size: length) { ExtentReader(pieces: pieces.pieces, extents: extents[...]) })
    }

    /// Unchecked: a stream is Sendable by type, and this one is read and dropped inside the transaction that made it, on the
    /// one thread that runs it.
    private struct InTransaction: @unchecked Sendable {
        let pieces: StagedPieces
    }

    private struct ExtentReader: ContentReader {
        let pieces: StagedPieces
        var extents: ArraySlice<EntriesFile.Extent>
        var current: ArraySlice<UInt8> = []

        mutating func read(atMost count: Int) throws -> [UInt8] {
            while current.isEmpty {
                // An empty slice holds its piece as well.
                current = []
                guard let extent = extents.popFirst() else { return [] }
                let bytes = try pieces.bytes(of: extent.piece)
                guard extent.length <= UInt64(bytes.count), extent.offset <= UInt64(bytes.count) - extent.length else {
                    throw StoreError(
                        .invalidVersion, "a value is said to be beyond the end of its piece",
                        remedy: "it was made by faulty software; update the device that made it")
                }
                current = bytes[Int(extent.offset)..<Int(extent.offset + extent.length)]
            }
            let part = Array(current.prefix(count))
            current = current.dropFirst(part.count)
            return part
        }
    }
}
