import Synchronization

/// Sees whether anything was committed, of all processes, without a look into the database: SQLite counts the commits of
/// others for each connection, and this one commits nothing.
final class SQLiteChangeProbe: Sendable {
    private enum State {
        case unopened
        case open(SQLiteConnection)
        case closed
    }
    private let state = Mutex(State.unopened)
    private let path: String
    private let connect: @Sendable () throws -> SQLiteConnection

    init(path: String, connecting connect: @escaping @Sendable () throws -> SQLiteConnection) {
        self.path = path
        self.connect = connect
    }

    func mark() throws -> StorageChangeMark {
        try state.withLock { state in
            switch state {
            case .closed: throw StoreError.storageClosed(path: path)
            case .open(let connection): return try Self.mark(of: connection)
            case .unopened:
                let connection = try connect()
                state = .open(connection)
                return try Self.mark(of: connection)
            }
        }
    }

    private static func mark(of connection: SQLiteConnection) throws -> StorageChangeMark {
        StorageChangeMark(count: UInt64(bitPattern: try connection.number(.dataVersion)))
    }

    func close() { state.withLock { $0 = .closed } }
}
