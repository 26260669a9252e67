/// Collects what a transaction writes, and appends it to the log: all at once, or piece by piece if it is much.
struct FileFrameWriter {
    private let log: FileLog
    /// Where the frame under construction begins: the end of the log.
    private(set) var start: Int64
    /// Its bytes, with room for its header at the front.
    private var buffer = Self.emptyBuffer
    private var table = FileTable()
    /// Whether frames without the last one are in the log.
    private(set) var hasUnfinished = false

    /// A transaction never holds much more in memory than this and its greatest value.
    private static let largestBuffer = 1 << 20
    private static let emptyBuffer = [UInt8](repeating: 0, count: FileFrame.headerSize)

    init(_ log: FileLog, at end: Int64) {
        self.log = log
        start = end
    }

    /// Adds a change; where its value is to be found.
    mutating func add(_ place: FileOperation.Place, _ value: [UInt8]?) throws -> FileExtent? {
        if buffer.count >= Self.largestBuffer || table.isFull { try flush(isLast: false) }
        let extent = value.map { FileExtent(offset: start + Int64(buffer.count), count: $0.count) }
        if let value, !value.isEmpty {
            buffer += value
            buffer += FileCheck.short(value)
        }
        table.add(place, extent)
        return extent
    }

    /// A value that is not in the log yet.
    func pending(_ extent: FileExtent) -> [UInt8]? {
        guard extent.offset >= start else { return nil }
        let first = Int(extent.offset - start)
        return Array(buffer[first..<first + extent.count])
    }

    /// Appends the last frame, if there is anything to say; the end of the log.
    mutating func finish() throws -> Int64 {
        if hasUnfinished || !table.isEmpty { try flush(isLast: true) }
        return start
    }

    private mutating func flush(isLast: Bool) throws {
        let encodedTable = table.encoded
        var fields = ByteWriter(reserving: FileFrame.headerSize)
        fields.u32(FileFrame.magic)
        fields.u32(isLast ? FileFrame.lastFlag : 0)
        fields.u64(UInt64(buffer.count - FileFrame.headerSize))
        fields.u64(UInt64(encodedTable.count))
        let check = FileFrame.check(fields.bytes[...], encodedTable[...], at: start, in: log)
        buffer.replaceSubrange(..<FileFrame.headerSize, with: fields.bytes + check)
        buffer += encodedTable
        hasUnfinished = true
        try log.append(buffer)
        start += Int64(buffer.count)
        hasUnfinished = !isLast
        buffer = Self.emptyBuffer
        table = FileTable()
    }
}
