/// A statement that every connection keeps once it has run it.
enum SQLiteKeptStatement: Int, CaseIterable {
    case begin
    case beginWriting
    case commit
    case format
    case setFormat
    case applicationID
    /// Changes with every commit of another connection.
    case dataVersion
    /// Whether there is a table.
    case table

    var sql: String {
        switch self {
        case .begin: "BEGIN"
        case .beginWriting: "BEGIN IMMEDIATE"
        case .commit: "COMMIT"
        case .format: "PRAGMA user_version"
        case .setFormat: "PRAGMA user_version = \(SQLitePlace.format)"
        case .applicationID: "PRAGMA application_id"
        case .dataVersion: "PRAGMA data_version"
        case .table: "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = CAST(?1 AS TEXT)"
        }
    }
}
