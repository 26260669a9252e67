import CSQLite
import Foundation

/// A zone as LLVS's SQLiteStorage keeps it: a table `Zone` of key, version and data.
///
/// The database is never written to: it is opened as one that nobody changes, and where another program left a log or journal
/// beside it, a private copy is opened instead.
final class LLVSDatabaseZone: LLVSZone {
    private let path: String
    private var handle: OpaquePointer?
    private var statement: SQLiteStatement?
    private let copy: URL?

    init(path: String) throws {
        self.path = path
        copy = try Self.copyIfNeeded(path)
        var opened: OpaquePointer?
        let code: CInt
        if let copy {
            code = sqlite3_open_v2(
                copy.appendingPathComponent("zone.sqlite").path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                nil)
        } else {
            let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI
            code = sqlite3_open_v2(Self.immutableURI(path), &opened, flags, nil)
        }
        handle = opened
        guard code == SQLITE_OK, let opened else { throw SQLiteFailure.error(code, on: opened, path: path) }
        csqlite_defend(opened)
        sqlite3_exec(
            opened, "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0", nil, nil, nil)
        // A view could compute without end.
        let kind = try SQLiteStatement(
            "SELECT 1 FROM sqlite_master WHERE name = 'Zone' AND type = 'table'", on: opened, path: path,
            faults: StorageFaults())
        guard try kind.first({ kind.number(0) }) == 1 else {
            throw StoreError(
                .notAStore, "the database has no table 'Zone'", remedy: "give a store of LLVS's", path: path)
        }
        statement = try SQLiteStatement(
            "SELECT data FROM Zone WHERE key = CAST(?1 AS TEXT) AND version = CAST(?2 AS TEXT)", on: opened, path: path,
            faults: StorageFaults())
    }

    deinit {
        // The statement first: a connection closes only when none is left.
        statement = nil
        sqlite3_close_v2(handle)
        if let copy { do { try FileManager.default.removeItem(at: copy) } catch {} }
    }

    func data(of key: String, at version: Version.ID) throws -> [UInt8]? {
        guard let statement else { throw StoreError.storageClosed(path: path) }
        return try statement.binding([UInt8](key.utf8), at: 1) {
            try statement.binding(version.utf8, at: 2) { try statement.first { try statement.bytes(0) } }
        }
    }

    private static func immutableURI(_ path: String) -> String {
        let escaped = path.utf8.map { byte in
            let isPlain =
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || "/-_.~".utf8.contains(byte)
            if isPlain { return String(UnicodeScalar(byte)) }
            return "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
        return "file:\(escaped.joined())?mode=ro&immutable=1"
    }

    /// A folder of the user's own with the database and what lies beside it, if anything does.
    private static func copyIfNeeded(_ path: String) throws -> URL? {
        let files = FileManager.default
        let beside = ["-wal", "-journal"].filter { files.fileExists(atPath: path + $0) }
        if beside.isEmpty { return nil }
        let folder = files.temporaryDirectory.appendingPathComponent("llvs-import-\(UUID().uuidString)")
        do {
            try files.createDirectory(
                at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
            for suffix in [""] + beside {
                try files.copyItem(
                    atPath: path + suffix, toPath: folder.appendingPathComponent("zone.sqlite" + suffix).path)
            }
        } catch {
            throw StoreError(
                .inputOutput, "the database of the store to import cannot be copied",
                remedy: "close the program that uses it, or free space, and try again", path: path, cause: "\(error)")
        }
        return folder
    }
}
