/// Reads within a transaction of one connection.
class SQLiteReadTransaction: StorageReader {
    fileprivate let connection: SQLiteConnection
    private var isOpen = true

    init(_ connection: SQLiteConnection) {
        self.connection = connection
    }

    func end() {
        isOpen = false
    }

    fileprivate func checkOpen() {
        precondition(isOpen, "A transaction was used after its closure returned.")
    }

    func value(_ key: [UInt8], in zone: KeyedZone) throws -> [UInt8]? {
        checkOpen()
        guard let statement = try connection.statement(.value, on: zone) else { return nil }
        return try statement.binding(key, at: 1) { try statement.first { try statement.bytes(0) } }
    }

    func scan(
        _ zone: KeyedZone, from: [UInt8], before: [UInt8]?, _ body: ([UInt8], [UInt8]) throws -> Bool
    ) throws {
        var start = from
        var pages = ScanPages<[UInt8]>()
        while pages.mayHaveMore {
            checkOpen()
            guard let statement = try connection.statement(before == nil ? .scan : .scanBefore, on: zone) else {
                return
            }
            try statement.binding(start, at: 1) {
                guard let before else { return try pages.fill(from: statement) { try statement.bytes(0) } }
                try statement.binding(before, at: 2) { try pages.fill(from: statement) { try statement.bytes(0) } }
            }
            for (key, value) in pages.page {
                guard try body(key, value) else { return }
            }
            // The next key in this order is the last one with a zero appended.
            if let last = pages.page.last { start = last.key + [0] }
        }
    }

    func row(_ id: Int64, in zone: RowZone) throws -> [UInt8]? {
        checkOpen()
        guard let statement = try connection.statement(.row, on: zone) else { return nil }
        try statement.bind(id, at: 1)
        return try statement.first { try statement.bytes(0) }
    }

    func rows(_ ids: [Int64], in zone: RowZone, _ body: (Int64, [UInt8]?) throws -> Bool) throws {
        for start in stride(from: 0, to: ids.count, by: SQLiteRowBatch.mostRows) {
            checkOpen()
            var batch = SQLiteRowBatch(ids[start..<min(start + SQLiteRowBatch.mostRows, ids.count)])
            if let statement = try connection.statement(.scanRows, on: zone) { try batch.read(with: statement) }
            guard try batch.forEach(reading: { try row($0, in: zone) }, body) else { return }
        }
    }

    func lastRow(in zone: RowZone) throws -> Int64 {
        checkOpen()
        guard let statement = try connection.statement(.lastRow, on: zone) else { return 0 }
        let last = try statement.first { statement.number(0) } ?? 0
        guard last < Int64.max else { throw StoreError.rowIDsUsedUp(in: zone, path: connection.path) }
        return last
    }

    func scanRows(_ zone: RowZone, from: Int64, _ body: (Int64, [UInt8]) throws -> Bool) throws {
        var start = from
        var pages = ScanPages<Int64>()
        while pages.mayHaveMore {
            checkOpen()
            guard let statement = try connection.statement(.scanRows, on: zone) else { return }
            try statement.bind(start, at: 1)
            try pages.fill(from: statement) { statement.number(0) }
            for (id, bytes) in pages.page {
                // Whoever scans may count on a next number; only a damaged database has such a row.
                guard id < Int64.max else { throw StoreError.rowIDsUsedUp(in: zone, path: connection.path) }
                guard try body(id, bytes) else { return }
            }
            guard let last = pages.page.last?.key else { return }
            start = last + 1
        }
    }
}

/// Reads and writes within a transaction of the writing connection.
final class SQLiteWriteTransaction: SQLiteReadTransaction, StorageWriter {
    /// The first write that failed. A body that swallows it must not commit the rest.
    private(set) var failure: (any Error)?

    func put(_ value: [UInt8], for key: [UInt8], in zone: KeyedZone) throws {
        try writing {
            guard let statement = try connection.statement(.put, on: zone, creating: true) else { return }
            try statement.binding(key, at: 1) { try statement.binding(value, at: 2) { try statement.run() } }
        }
    }

    func remove(_ key: [UInt8], in zone: KeyedZone) throws {
        try writing {
            guard let statement = try connection.statement(.remove, on: zone) else { return }
            try statement.binding(key, at: 1) { try statement.run() }
        }
    }

    func append(_ bytes: [UInt8], to zone: RowZone) throws -> Int64 {
        try writing {
            guard let statement = try connection.statement(.append, on: zone, creating: true) else { return 0 }
            try statement.binding(bytes, at: 1) { try statement.run() }
            let id = connection.lastInsertedRow
            guard id < Int64.max else { throw StoreError.rowIDsUsedUp(in: zone, path: connection.path) }
            return id
        }
    }

    func setRow(_ bytes: [UInt8], at id: Int64, in zone: RowZone) throws {
        checkRowID(id)
        try writing {
            guard let statement = try connection.statement(.setRow, on: zone, creating: true) else { return }
            try statement.bind(id, at: 1)
            try statement.binding(bytes, at: 2) { try statement.run() }
        }
    }

    func setRows(_ rows: [(id: Int64, bytes: ArraySlice<UInt8>)], in zone: RowZone) throws {
        let most = SQLiteZoneStatements.mostRows
        for start in stride(from: 0, to: rows.count, by: most) {
            let some = rows[start..<min(start + most, rows.count)]
            for (id, _) in some { checkRowID(id) }
            try writing {
                guard let statement = try connection.statement(setting: some.count, in: zone) else { return }
                for (place, row) in some.enumerated() {
                    try statement.bind(row.id, at: CInt(2 * place + 1))
                    try statement.bind(copying: row.bytes, at: CInt(2 * place + 2))
                }
                try statement.run()
            }
        }
    }

    func removeRow(_ id: Int64, in zone: RowZone) throws {
        try writing {
            guard let statement = try connection.statement(.removeRow, on: zone) else { return }
            try statement.bind(id, at: 1)
            try statement.run()
        }
    }

    private func writing<Result>(_ body: () throws -> Result) throws -> Result {
        checkOpen()
        do {
            return try body()
        } catch {
            failure = failure ?? error
            throw error
        }
    }
}
