/// Where the bytes of values are: one row a body, deflated where that pays, and chunk rows for bodies over 1 MiB, as they
/// are, so that no value need fit in memory.
enum BodyStorage {
    /// The greatest body kept in one row.
    static let largestRow = 1 << 20
    /// The size of a chunk of a larger body.
    static let chunkSize = 256 << 10

    /// The first byte of a row of chunks; see ``BodyRow`` for the others.
    private static let chunkedForm: UInt8 = 1

    /// Writes a body whose hash is known, and checks it again while writing: a stream may give other bytes now.
    static func append(
        _ content: Value.Content, hash: Digest, of id: Value.ID, to writer: any StorageWriter
    ) throws -> Int64 {
        var hasher = SHA256()
        var buffer: [UInt8] = []
        var blob: Int64 = 0
        var chunk: Int64 = 0
        var size: UInt64 = 0

        func flushChunks(all: Bool) throws {
            if blob == 0 { blob = (try writer.lastRow(in: StoreZones.chunks) >> 24) + 1 }
            var start = 0
            while buffer.count - start >= chunkSize || (all && start < buffer.count) {
                let end = min(start + chunkSize, buffer.count)
                guard chunk < 1 << 24 else {
                    throw StoreError(.invalidChanges, "the value \(id) is larger than 4 TiB", remedy: "split it")
                }
                try writer.setRow(Array(buffer[start..<end]), at: blob << 24 | chunk, in: StoreZones.chunks)
                chunk += 1
                start = end
            }
            buffer.removeFirst(start)
        }

        try content.forEachPiece(of: chunkSize) { piece in
            hasher.update(piece)
            size += UInt64(piece.count)
            buffer.append(contentsOf: piece)
            if size > largestRow { try flushChunks(all: false) }
        }
        guard hasher.digest() == hash else {
            throw StoreError(
                .valueUnreadable, "the bytes of the value \(id) changed while they were being saved",
                remedy: "save it again")
        }
        if size <= largestRow {
            return try writer.append(BodyRow.encode(buffer), to: StoreZones.bodies)
        }
        try flushChunks(all: true)
        var row = ByteWriter()
        row.u8(chunkedForm)
        row.i64(blob)
        row.u64(size)
        return try writer.append(row.bytes, to: StoreZones.bodies)
    }

    enum Body {
        case whole([UInt8])
        case chunked(blob: Int64, size: UInt64)
    }

    static func body(_ row: Int64, in reader: any StorageReader) throws -> Body {
        try body(row, of: try reader.row(row, in: StoreZones.bodies))
    }

    /// What the bytes of a body row say; nil for a row that is missing.
    private static func body(_ row: Int64, of bytes: [UInt8]?) throws -> Body {
        guard let bytes, let form = bytes.first else { throw StoreError.damagedRecord("body row \(row)") }
        if form == BodyRow.plain { return .whole([UInt8](bytes[1...])) }
        if form == BodyRow.deflated { return .whole(try BodyRow.inflate(bytes, number: row)) }
        guard form == chunkedForm else { throw StoreError.damagedRecord("body row \(row)") }
        var record = ByteReader(bytes[1...], of: "body row \(row)")
        let blob = try record.i64()
        let size = try record.u64()
        guard (1..<(1 << 39)).contains(blob), size < UInt64(chunkSize) << 24 else {
            throw StoreError.damagedRecord("body row \(row)")
        }
        return .chunked(blob: blob, size: size)
    }

    /// How long a body is, without inflating it.
    static func size(_ row: Int64, in reader: any StorageReader) throws -> UInt64 {
        let bytes = try reader.row(row, in: StoreZones.bodies)
        if let bytes, bytes.first == BodyRow.deflated {
            return UInt64(try BodyRow.size(ofDeflated: bytes, number: row))
        }
        switch try body(row, of: bytes) {
        case .whole(let bytes): return UInt64(bytes.count)
        case .chunked(_, let size): return size
        }
    }

    /// Some bytes from the middle of a body, without reading the rest.
    static func slice(_ row: Int64, from offset: UInt64, count: Int, in reader: any StorageReader) throws -> [UInt8] {
        switch try body(row, in: reader) {
        case .whole(let bytes): return Array(bytes.dropFirst(Int(offset)).prefix(count))
        case .chunked(let blob, let size):
            let end = min(size, offset + UInt64(count))
            var found: [UInt8] = []
            var position = offset
            while position < end {
                let index = Int64(position / UInt64(chunkSize))
                guard let chunk = try reader.row(blob << 24 | index, in: StoreZones.chunks) else {
                    throw StoreError.damagedRecord("chunk \(index) of a large value")
                }
                let part = chunk.dropFirst(Int(position % UInt64(chunkSize))).prefix(Int(end - position))
                guard !part.isEmpty else { throw StoreError.damagedRecord("chunk \(index) of a large value") }
                found += part
                position += UInt64(part.count)
            }
            return found
        }
    }

    /// The content of a body row, which must have this hash; large ones become a stream that reads through transactions of
    /// its own.
    /// - Throws: ``StoreError/Code/valueUnreadable`` for other bytes, at the end of a stream if it is one.
    static func content(
        _ row: Int64, hash: Digest, in reader: any StorageReader, of storage: any Storage
    ) throws -> Value.Content {
        try content(row, try reader.row(row, in: StoreZones.bodies), hash: hash, of: storage)
    }

    /// As ``content(_:hash:in:of:)``, for the bytes that the row has; nil if it is missing.
    static func content(
        _ row: Int64, _ bytes: [UInt8]?, hash: Digest, of storage: any Storage
    ) throws -> Value.Content {
        switch try body(row, of: bytes) {
        case .whole(let bytes):
            guard SHA256.hash(bytes) == hash else { throw StoreError.changedBody(row) }
            return .bytes(bytes)
        case .chunked(let blob, let size):
            return .stream(
                Value.Stream(size: size) {
                    ChunkReader(storage: storage, row: row, blob: blob, size: size, hash: hash)
                })
        }
    }

    /// Reads chunk after chunk, each in a transaction of its own; chunks of a body never change.
    private final class ChunkReader: ContentReader {
        private let storage: any Storage
        private let row: Int64
        private let blob: Int64
        private let size: UInt64
        private let hash: Digest
        private var hasher = SHA256()
        private var given: UInt64 = 0
        private var next: Int64 = 0
        private var rest: ArraySlice<UInt8> = []

        init(storage: any Storage, row: Int64, blob: Int64, size: UInt64, hash: Digest) {
            self.storage = storage
            self.row = row
            self.blob = blob
            self.size = size
            self.hash = hash
        }

        func read(atMost most: Int) throws -> [UInt8] {
            if given == size { return [] }
            if rest.isEmpty {
                let id = blob << 24 | next
                guard let chunk = try storage.read({ try $0.row(id, in: StoreZones.chunks) }), !chunk.isEmpty,
                    UInt64(chunk.count) <= size - given
                else { throw StoreError.damagedRecord("chunk \(next) of a large value") }
                hasher.update(chunk)
                // Before the last bytes are given, so that nobody takes them for all.
                guard UInt64(chunk.count) < size - given || hasher.digest() == hash else {
                    throw StoreError.changedBody(row)
                }
                rest = chunk[...]
                next += 1
            }
            let piece = Array(rest.prefix(most))
            rest = rest.dropFirst(piece.count)
            given += UInt64(piece.count)
            return piece
        }
    }
}

extension StoreError {
    fileprivate static func changedBody(_ row: Int64) -> StoreError {
        StoreError(
            .valueUnreadable, "the bytes in body row \(row) of the store are not those that were saved",
            remedy: "run verify, and restore the store from a backup or sync a new one from the shared folder")
    }
}
