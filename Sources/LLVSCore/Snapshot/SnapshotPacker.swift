/// Packs rows and keys into chunks of at most a given size. The same rows make the same chunks, and rows that are added at
/// the end of a zone change only its last ones: a later snapshot of the same store finds most of its chunks written.
struct SnapshotPacker {
    static let formatName = [UInt8]("LLVSchk1".utf8)

    enum Section {
        static let rows: UInt8 = 1
        static let keys: UInt8 = 2
        static let partOfRow: UInt8 = 3
    }

    /// Gets each chunk when it is full.
    private let emit: ([UInt8]) throws -> Void
    private let limit: Int
    private var buffer = formatName
    /// The name of the zone that is packed, after its length.
    private var zone: [UInt8] = []
    /// Whether the zone filled a chunk.
    private var filledChunk = false
    /// Where the number of records of the open section is.
    private var countAt: Int?
    private var count: UInt32 = 0

    init(limit: Int, emit: @escaping ([UInt8]) throws -> Void) {
        self.limit = limit
        self.emit = emit
        buffer.reserveCapacity(limit)
    }

    mutating func begin(_ name: String) {
        zone = [UInt8(name.utf8.count)] + name.utf8
        filledChunk = false
    }

    mutating func row(_ id: Int64, _ bytes: [UInt8]) throws {
        guard try makeRoom(for: 12 + bytes.count, Section.rows) else { return try parts(of: id, bytes) }
        append(id)
        append(UInt32(bytes.count))
        buffer += bytes
        count += 1
    }

    mutating func key(_ key: [UInt8], _ value: [UInt8]) throws {
        guard try makeRoom(for: 8 + key.count + value.count, Section.keys) else {
            throw StoreError(
                .damaged, "an entry of the store is larger than a chunk of a snapshot",
                remedy: "write the snapshot with larger chunks")
        }
        append(UInt32(key.count))
        buffer += key
        append(UInt32(value.count))
        buffer += value
        count += 1
    }

    /// Ends the zone, and its chunk too unless it is small: what comes later need not move when the zone grows.
    mutating func end() throws {
        endSection()
        if filledChunk || buffer.count >= limit / 8 { try cut() }
    }

    mutating func finish() throws {
        if buffer.count > Self.formatName.count { try cut() }
    }

    /// Opens a section for a record of this size, in a new chunk if need be; false if no chunk has the room.
    private mutating func makeRoom(for size: Int, _ kind: UInt8) throws -> Bool {
        let header = 1 + zone.count + 4
        guard Self.formatName.count + header + size <= limit else {
            endSection()
            return false
        }
        if buffer.count + (countAt == nil ? header : 0) + size > limit { try cut() }
        if countAt == nil {
            buffer.append(kind)
            buffer += zone
            countAt = buffer.count
            append(UInt32(0))
        }
        return true
    }

    /// A row that no chunk could hold, in as many as it takes.
    private mutating func parts(of id: Int64, _ bytes: [UInt8]) throws {
        let header = 1 + zone.count + 28
        var offset = 0
        while offset < bytes.count {
            if limit - buffer.count < header + limit / 8 { try cut() }
            let size = min(bytes.count - offset, limit - buffer.count - header)
            buffer.append(Section.partOfRow)
            buffer += zone
            append(id)
            append(UInt64(bytes.count))
            append(UInt64(offset))
            append(UInt32(size))
            buffer += bytes[offset..<offset + size]
            offset += size
        }
    }

    private mutating func endSection() {
        guard let start = countAt else { return }
        withUnsafeBytes(of: count.littleEndian) { buffer.replaceSubrange(start..<start + 4, with: $0) }
        countAt = nil
        count = 0
    }

    private mutating func cut() throws {
        endSection()
        try emit(buffer)
        filledChunk = true
        buffer.removeAll(keepingCapacity: true)
        buffer += Self.formatName
    }

    private mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
    }
}
