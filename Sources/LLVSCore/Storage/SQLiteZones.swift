/// The tables of a store's zones, and what is done to them. A keyed zone `x` is the table `k_x`, a row zone `x` is `r_x`;
/// the name's alphabet needs no quoting.
enum SQLiteZoneKind {
    case keyed
    case rows

    func table(_ name: String) -> String {
        switch self {
        case .keyed: "k_\(name)"
        case .rows: "r_\(name)"
        }
    }

    /// Part of the file format.
    func creation(_ name: String) -> String {
        switch self {
        case .keyed:
            "CREATE TABLE IF NOT EXISTS \(table(name)) (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID"
        case .rows:
            "CREATE TABLE IF NOT EXISTS \(table(name)) (id INTEGER PRIMARY KEY, body BLOB NOT NULL)"
        }
    }
}

/// A statement on one zone's table.
enum SQLiteZoneOperation: Int, CaseIterable {
    case value
    case scan
    case scanBefore
    case put
    case remove
    case row
    case lastRow
    case scanRows
    case append
    case setRow
    case removeRow

    func sql(_ table: String) -> String {
        switch self {
        case .value: "SELECT value FROM \(table) WHERE key = ?1"
        case .scan: "SELECT key, value FROM \(table) WHERE key >= ?1 ORDER BY key"
        case .scanBefore: "SELECT key, value FROM \(table) WHERE key >= ?1 AND key < ?2 ORDER BY key"
        case .put: "INSERT OR REPLACE INTO \(table) (key, value) VALUES (?1, ?2)"
        case .remove: "DELETE FROM \(table) WHERE key = ?1"
        case .row: "SELECT body FROM \(table) WHERE id = ?1"
        case .lastRow: "SELECT max(id) FROM \(table)"
        case .scanRows: "SELECT id, body FROM \(table) WHERE id >= ?1 ORDER BY id"
        case .append: "INSERT INTO \(table) (body) VALUES (?1)"
        case .setRow: "INSERT OR REPLACE INTO \(table) (id, body) VALUES (?1, ?2)"
        case .removeRow: "DELETE FROM \(table) WHERE id = ?1"
        }
    }
}

/// The prepared statements of one zone on one connection, made when first needed.
final class SQLiteZoneStatements {
    let name: String
    private let table: String
    private var prepared = [SQLiteStatement?](repeating: nil, count: SQLiteZoneOperation.allCases.count)
    /// Statements that set several rows, by the number of rows.
    private var settingMany = [SQLiteStatement?](repeating: nil, count: mostRows + 1)

    /// The most rows that one statement sets.
    static let mostRows = 16

    init(_ name: String, _ kind: SQLiteZoneKind) {
        self.name = name
        table = kind.table(name)
    }

    func statement(_ operation: SQLiteZoneOperation, on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let statement = prepared[operation.rawValue] { return statement }
        let statement = try connection.prepare(operation.sql(table))
        prepared[operation.rawValue] = statement
        return statement
    }

    /// A statement that sets so many rows, 1 to ``mostRows``.
    func statement(setting count: Int, on connection: SQLiteConnection) throws -> SQLiteStatement {
        if let statement = settingMany[count] { return statement }
        let rows = [String](repeating: "(?, ?)", count: count).joined(separator: ", ")
        let statement = try connection.prepare("INSERT OR REPLACE INTO \(table) (id, body) VALUES \(rows)")
        settingMany[count] = statement
        return statement
    }
}

/// The zones that one connection has met, by name.
struct SQLiteZoneCache {
    let kind: SQLiteZoneKind
    private var zones: [String: SQLiteZoneStatements] = [:]
    /// Calls come in runs on one zone: comparing with the last spares hashing the name.
    private var latest: SQLiteZoneStatements?

    init(_ kind: SQLiteZoneKind) {
        self.kind = kind
    }

    mutating func find(_ name: String) -> SQLiteZoneStatements? {
        if let latest, latest.name == name { return latest }
        guard let zone = zones[name] else { return nil }
        latest = zone
        return zone
    }

    mutating func add(_ name: String) -> SQLiteZoneStatements {
        let zone = SQLiteZoneStatements(name, kind)
        zones[name] = zone
        latest = zone
        return zone
    }

    mutating func forget(_ names: [String]) {
        for name in names { zones[name] = nil }
        latest = nil
    }

    mutating func forgetAll() {
        zones = [:]
        latest = nil
    }
}
