/// Rows that are asked for together. Those that lie near each other are read in one go through the table, whatever their order.
struct SQLiteRowBatch {
    /// The most rows that make up a batch.
    static let mostRows = 1_024
    /// Passing over so many rows costs less than a search for the next.
    private static let mostBetween: UInt64 = 8
    /// Bytes after which no more rows are read ahead.
    private static let mostBytes = 1 << 20

    private let ids: ArraySlice<Int64>
    /// Places in `ids`, ascending by id.
    private let order: [Int]
    private var found: [[UInt8]?]
    /// How many, in that order, were looked for.
    private var done = 0
    private var size = 0

    init(_ ids: ArraySlice<Int64>) {
        self.ids = ids
        order = ids.indices.sorted { ids[$0] < ids[$1] }
        found = [[UInt8]?](repeating: nil, count: ids.count)
    }

    /// Looks for rows with a statement that scans from an id on, until all are found or are enough.
    mutating func read(with statement: SQLiteStatement) throws {
        while done < order.count, size < Self.mostBytes {
            var end = done + 1
            while end < order.count, id(end) &- id(end - 1) <= Self.mostBetween { end += 1 }
            try statement.bind(ids[order[done]], at: 1)
            try statement.forEachRow { try take(statement, before: end) }
            // The table has no more.
            if size < Self.mostBytes { done = end }
        }
    }

    /// Takes the row that the statement is at; false if no more is wanted of those before `end`.
    private mutating func take(_ statement: SQLiteStatement, before end: Int) throws -> Bool {
        let row = statement.number(0)
        while done < end, ids[order[done]] < row { done += 1 }
        guard done < end else { return false }
        if ids[order[done]] == row {
            let bytes = try statement.bytes(1)
            size += bytes.count
            while done < end, ids[order[done]] == row {
                found[order[done] - ids.startIndex] = bytes
                done += 1
            }
        }
        return done < end && size < Self.mostBytes
    }

    /// Calls `body` with each row in the order of the ids, until it returns false; `row` reads those that were too much.
    func forEach(
        reading row: (Int64) throws -> [UInt8]?, _ body: (Int64, [UInt8]?) throws -> Bool
    ) throws -> Bool {
        let unread = Set(order[done...])
        for place in ids.indices {
            let bytes = try unread.contains(place) ? row(ids[place]) : found[place - ids.startIndex]
            guard try body(ids[place], bytes) else { return false }
        }
        return true
    }

    /// As a number without sign, so that no difference of ids in their order overflows.
    private func id(_ index: Int) -> UInt64 { UInt64(bitPattern: ids[order[index]]) }
}
