import Dispatch
import Synchronization

/// Connections for up to four reading threads, opened when needed and kept; more threads wait for one.
final class ReaderPool: Sendable {
    private static let limit = 4

    private let permits = DispatchSemaphore(value: limit)
    /// The threads that have a permit or wait for one.
    private let reading = Mutex<Set<UInt>>([])
    /// Nil once closed.
    private let idle: Mutex<[SQLiteConnection]?>
    /// Two that close at once would each hold permits that the other waits for.
    private let closing = Mutex(())
    private let path: String
    private let open: @Sendable () throws -> SQLiteConnection

    /// A pool with its first connection, and the way to open more.
    init(_ first: SQLiteConnection, path: String, opening open: @escaping @Sendable () throws -> SQLiteConnection) {
        idle = Mutex([first])
        self.path = path
        self.open = open
    }

    /// Runs `body` on a connection that nobody else uses.
    ///
    /// A read within a read needs no permit of its own: four threads could each hold one and wait for a second.
    func withConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let thread = ThreadGate.currentThread
        guard reading.withLock({ $0.insert(thread).inserted }) else { return try withAnyConnection(body) }
        permits.wait()
        defer {
            permits.signal()
            _ = reading.withLock { $0.remove(thread) }
        }
        return try withAnyConnection(body)
    }

    private func withAnyConnection<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = try take() ?? open()
        // One that cannot end its transaction is dropped, which closes it.
        defer { if connection.rollBack() { giveBack(connection) } }
        return try body(connection)
    }

    /// Waits for the readers there are, closes all connections, and turns later readers away.
    func close() {
        closing.withLock { _ in
            for _ in 0..<Self.limit { permits.wait() }
            idle.withLock { $0 = nil }
            for _ in 0..<Self.limit { permits.signal() }
        }
    }

    /// Throws once closed.
    func checkOpen() throws {
        guard idle.withLock({ $0 != nil }) else { throw StoreError.storageClosed(path: path) }
    }

    private func take() throws -> SQLiteConnection? {
        try idle.withLock { idle in
            guard idle != nil else { throw StoreError.storageClosed(path: path) }
            return idle?.popLast()
        }
    }

    private func giveBack(_ connection: SQLiteConnection) {
        idle.withLock { $0?.append(connection) }
    }
}
