/// Fetches the rows of a scan in pages, so that no statement is open while the caller looks at them: it may read and write
/// through the same connection. Pages grow from few rows to many, bounded in bytes.
struct ScanPages<Key> {
    private(set) var page: [(key: Key, value: [UInt8])] = []
    /// Whether the last page ended by its bounds and not with the range.
    private(set) var mayHaveMore = true
    private var rowLimit = 16

    private static var byteLimit: Int { 1 << 20 }

    /// Reads the next page: the key as given, the value in column 1.
    mutating func fill(from statement: SQLiteStatement, key: () throws -> Key) throws {
        var rows: [(key: Key, value: [UInt8])] = []
        var bytes = 0
        var isFull = false
        try statement.forEachRow {
            let value = try statement.bytes(1)
            rows.append((try key(), value))
            bytes += value.count
            isFull = rows.count == rowLimit || bytes >= Self.byteLimit
            return !isFull
        }
        page = rows
        mayHaveMore = isFull
        rowLimit = min(rowLimit * 4, 1_024)
    }
}
