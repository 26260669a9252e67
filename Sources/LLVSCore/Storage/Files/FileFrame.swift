/// One step of a transaction in the log.
///
///     frame = "LLVF" ‖ u32 flags ‖ u64 size of values ‖ u64 size of table ‖ 16 bytes check ‖ values ‖ table
///     value = bytes ‖ 8 bytes check; nothing at all if it is empty
///
/// Integers are little-endian. The check is of the log's id, the frame's offset, the fields before it and the table, so that
/// no bytes of a value can pass for a frame. A transaction is one frame, or several of which only the last has flag 1: none
/// counts without it.
struct FileFrame {
    let offset: Int64
    let isLast: Bool
    let operations: [FileOperation]
    let end: Int64

    static let magic: UInt32 = 0x4656_4c4c
    static let lastFlag: UInt32 = 1
    static let headerSize = 40
    static let checkSize = 16

    static func check(_ fields: ArraySlice<UInt8>, _ table: ArraySlice<UInt8>, at offset: Int64, in log: FileLog)
        -> ArraySlice<UInt8>
    {
        var hash = SHA256()
        hash.update(log.id)
        withUnsafeBytes(of: offset.littleEndian) { hash.update($0) }
        hash.update(fields)
        hash.update(table)
        return hash.digest().bytes[..<checkSize]
    }

    /// The frame at `offset` of a log of `size` bytes, or nil if no whole one is there. The values are not looked at.
    init?(at offset: Int64, in window: inout FileWindow, size: Int64) throws {
        guard let header = try window.bytes(Self.headerSize, at: offset) else { return nil }
        var reader = ByteReader(header, of: "frame")
        guard try reader.u32() == Self.magic else { return nil }
        let flags = try reader.u32()
        let (valuesSize, tableSize) = (try reader.u64(), try reader.u64())
        let room = UInt64(max(0, size - offset - Int64(Self.headerSize)))
        guard valuesSize <= room, tableSize <= room - valuesSize else { return nil }
        let values = offset + Int64(Self.headerSize)
        let tableOffset = values + Int64(valuesSize)
        guard let table = try window.bytes(Int(tableSize), at: tableOffset) else { return nil }
        let fields = header[header.startIndex..<header.startIndex + Self.headerSize - Self.checkSize]
        guard Self.check(fields, table, at: offset, in: window.log) == header[fields.endIndex...] else { return nil }
        self.offset = offset
        isLast = flags & Self.lastFlag != 0
        operations = try FileOperation.decode(table, values: values, end: tableOffset, path: window.log.path)
        end = tableOffset + Int64(tableSize)
    }

    /// Whether all values in it are those that were written.
    func hasSoundValues(in log: FileLog) throws -> Bool {
        do {
            for operation in operations {
                if case .some(let extent) = operation.extent { _ = try log.value(extent) }
            }
            return true
        } catch let error as StoreError where error.code == .damaged {
            return false
        }
    }
}

/// Reads a log forwards with few calls.
struct FileWindow {
    let log: FileLog
    private var start: Int64 = 0
    private var held: [UInt8] = []
    private static let size = 1 << 16

    init(_ log: FileLog) {
        self.log = log
    }

    /// The bytes at `offset`, or nil if there are fewer.
    mutating func bytes(_ count: Int, at offset: Int64) throws -> ArraySlice<UInt8>? {
        if offset < start || offset + Int64(count) > start + Int64(held.count) {
            guard count < Self.size else { return try log.read(count, at: offset)?[...] }
            let there = min(Int64(Self.size), try log.size() - offset)
            guard there >= count, let bytes = try log.read(Int(there), at: offset) else { return nil }
            (start, held) = (offset, bytes)
        }
        let first = Int(offset - start)
        return held[first..<first + count]
    }
}
