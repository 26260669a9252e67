import CSQLite
import FolderSync
import Foundation
import LLVSCore

/// A new device that begins with a snapshot of the folder, beside one that reads the entries, and beside the floor: reading
/// the files of the snapshot and inserting the rows that a store then has into a plain database.
struct BootstrapBenchmark {
    let directory: URL
    let versions: Int
    static let part = "bootstrap"

    func run() async throws {
        let folder = path("folder")
        try await makeFolder(folder)
        let files = try filesOfSnapshot(folder)
        print("snapshot".padded(to: 44) + " \(files.count) files, \(try size(of: files) / 1_000_000) MB")
        try child(folder, path("new"))
        var read = 0
        let reading = try Span.measure { for file in files { read += try Data(contentsOf: file).count } }
        let floor = try RowCopy.floor(from: path("new/store.sqlite"), to: path("floor.sqlite"))
        print("floor: reading files".padded(to: 44) + " \(reading)")
        print("floor: inserting \(floor.rows) rows".padded(to: 44) + " \(floor.span)")
        for file in files { try FileManager.default.removeItem(at: file) }
        try child(folder, path("replayed"))
    }

    private func path(_ name: String) -> String { directory.appending(path: name).path }

    private func makeFolder(_ folder: String) async throws {
        let store = try Store.create(at: path("original"))
        let exchange = FolderExchange(
            store: store, attachment: try FolderExchange.attach(store, to: folder, creating: true))
        var last = Version.ID.root
        for number in 0..<versions {
            let id = try Value.ID("key-\(number &* 7_919 % versions)-\(number)")
            let value = Value(id: id, "value \(number) of some length, as a line of a list has it")
            last = try store.makeVersion(basedOn: last, changes: [.insert(value)]).id
        }
        let clock = ContinuousClock()
        print(
            "send: \(versions) versions".padded(to: 44)
                + " \((try await clock.measure { _ = try await exchange.send() }).text)")
        let publishing = try await clock.measure { _ = try await exchange.publishSnapshot() }
        print("publish a snapshot".padded(to: 44) + " \(publishing.text)")
        try store.close()
    }

    private func filesOfSnapshot(_ folder: String) throws -> [URL] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return paths.filter { $0.contains("/p-") }.map { URL(fileURLWithPath: folder).appending(path: $0) }
    }

    private func size(of files: [URL]) throws -> Int {
        try files.reduce(0) { $0 + (try Data(contentsOf: $1).count) }
    }

    private func child(_ folder: String, _ store: String) throws {
        try OwnProcess(part: Self.part, arguments: [folder, store]).run()
    }

    /// What the process of its own does.
    static func setUp(_ folder: String, _ path: String) async throws {
        let store = try Store.create(at: path)
        let exchange = FolderExchange(store: store, attachment: try FolderExchange.attach(store, to: folder))
        let hasSnapshot = try FileManager.default.subpathsOfDirectory(atPath: folder).contains { $0.contains("/p-") }
        var imported = 0
        var span = Span()
        let before = Span.now()
        imported = try await exchange.retrieve().imported
        span.add(since: before)
        let name = hasSnapshot ? "bootstrap" : "replay of the entries"
        print("\(name): \(imported) versions".padded(to: 44) + " \(span), \(try OwnProcess.peakMemory())")
        try store.close()
    }
}

/// Time by the clock and, which others on the machine change less, that of the processor.
private struct Span: CustomStringConvertible {
    private(set) var wall = Duration.zero
    private(set) var processor = Duration.zero

    typealias Moment = (wall: ContinuousClock.Instant, processor: Duration)

    static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return (.now, .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    mutating func add(since before: Moment) {
        let now = Self.now()
        wall += now.wall - before.wall
        processor += now.processor - before.processor
    }

    static func measure(_ body: () throws -> Void) rethrows -> Span {
        var span = Span()
        let before = now()
        try body()
        span.add(since: before)
        return span
    }

    var description: String { "\(wall.text), processor \(processor.text)" }
}

extension Duration {
    fileprivate var text: String { "\(((self / .milliseconds(1)) / 10).rounded() / 100) s" }
}

/// Inserts all rows of a database into another with the same tables: raw calls of SQLite, nothing else.
private struct RowCopy {
    struct Failure: Error {}

    private var source: OpaquePointer?
    private var target: OpaquePointer?

    static func floor(from source: String, to target: String) throws -> (rows: Int, span: Span) {
        var copy = RowCopy()
        guard sqlite3_open(source, &copy.source) == SQLITE_OK, sqlite3_open(target, &copy.target) == SQLITE_OK else {
            throw Failure()
        }
        defer {
            sqlite3_close(copy.source)
            sqlite3_close(copy.target)
        }
        for pragma in ["journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=4000"] {
            sqlite3_exec(copy.target, "PRAGMA \(pragma)", nil, nil, nil)
        }
        var rows = 0
        var span = Span()
        for (name, statement) in try copy.tables() {
            guard sqlite3_exec(copy.target, statement, nil, nil, nil) == SQLITE_OK else { throw Failure() }
            let isKeyed = statement.contains("WITHOUT ROWID")
            var records = try copy.records(name, isKeyed: isKeyed)
            // Ids come in the order of versions, which for their bytes is none.
            if isKeyed { records.shuffle() }
            rows += records.count
            let before = Span.now()
            try copy.insert(records, into: name, isKeyed: isKeyed)
            span.add(since: before)
        }
        return (rows, span)
    }

    private typealias Record = (id: Int64, key: [UInt8], value: [UInt8])

    private func tables() throws -> [(String, String)] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(source, "SELECT name, sql FROM sqlite_master WHERE type='table'", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        var tables: [(String, String)] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            tables.append(
                (String(cString: sqlite3_column_text(statement, 0)), String(cString: sqlite3_column_text(statement, 1)))
            )
        }
        return tables
    }

    private func records(_ table: String, isKeyed: Bool) throws -> [Record] {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(source, "SELECT * FROM \"\(table)\"", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        func blob(_ column: Int32) -> [UInt8] {
            let count = Int(sqlite3_column_bytes(statement, column))
            return sqlite3_column_blob(statement, column).map {
                [UInt8](UnsafeRawBufferPointer(start: $0, count: count))
            } ?? []
        }
        var records: [Record] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            records.append((isKeyed ? 0 : sqlite3_column_int64(statement, 0), isKeyed ? blob(0) : [], blob(1)))
        }
        return records
    }

    private func insert(_ records: [Record], into table: String, isKeyed: Bool) throws {
        var statement: OpaquePointer?
        sqlite3_prepare_v2(target, "INSERT OR REPLACE INTO \"\(table)\" VALUES(?,?)", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        func bind(_ column: Int32, _ bytes: [UInt8]) {
            _ = bytes.withUnsafeBytes { csqlite_bind_blob_copied(statement, column, $0.baseAddress, UInt64($0.count)) }
        }
        for start in stride(from: 0, to: records.count, by: 10_000) {
            sqlite3_exec(target, "BEGIN", nil, nil, nil)
            for record in records[start..<min(start + 10_000, records.count)] {
                if isKeyed { bind(1, record.key) } else { sqlite3_bind_int64(statement, 1, record.id) }
                bind(2, record.value)
                guard sqlite3_step(statement) == SQLITE_DONE else { throw Failure() }
                sqlite3_reset(statement)
            }
            sqlite3_exec(target, "COMMIT", nil, nil, nil)
        }
    }
}

extension BenchmarkGroup {
    /// Setting up a new device.
    static let bootstrap = BenchmarkGroup(name: "bootstrap") { scratch, numbers in
        try await BootstrapBenchmark(directory: scratch, versions: numbers.first ?? 100_000).run()
    }
}
