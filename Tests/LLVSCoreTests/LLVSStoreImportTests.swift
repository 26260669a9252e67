import CSQLite
import FileCoordination
import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("LLVS: import of its stores") struct LLVSStoreImportTests {
    private func folder(_ kind: LLVSStoreImport.Kind) throws -> TemporaryFolder {
        switch kind {
        case .fileStorage: try LLVSNotes.fileStore()
        case .sqliteStorage: try LLVSNotes.databaseStore()
        }
    }

    @Test(
        "every version, its values, predecessors, time and branch",
        arguments: [
            LLVSStoreImport.Kind.fileStorage, .sqliteStorage,
        ])
    func everything(_ kind: LLVSStoreImport.Kind) throws {
        let folder = try folder(kind)
        let before = try folder.allBytes()
        let source = try LLVSStoreImport(directory: folder.path)
        #expect(source.kind == kind)
        let store = StoreBuilder().store
        #expect(try source.run(into: store) == .importing(31))
        try LLVSNotes.expect(in: store)
        #expect(try source.run(into: store) == LLVSReport())
        #expect(try folder.allBytes() == before)
    }

    @Test("the three forms of one history are the same versions here, bit for bit")
    func sameVersions() async throws {
        let exchanged = StoreBuilder().store
        let shared = try LLVSNotes.exchangeFolder()
        _ = try await FileSystemExchange(store: exchanged, folder: shared.path).retrieve()
        for kind in [LLVSStoreImport.Kind.fileStorage, .sqliteStorage] {
            let store = StoreBuilder().store
            let folder = try folder(kind)
            _ = try LLVSStoreImport(directory: folder.path).run(into: store)
            #expect(try store.contents() == exchanged.contents())
        }
    }
}

extension LLVSStoreImportTests {
    @Test("damage is reported with the file, and the rest is imported")
    func damage() throws {
        let folder = try LLVSNotes.fileStore()
        let head = "versions/A6/9C5914-DA8A-4358-AD0D-05425A3141EF.json"
        try folder.write(String(try folder.text(of: head).prefix(50)), to: head)
        // The branch's head keeps its version and loses its map.
        let node = "maps/__llvs_values/__/llvs_root/A/EC210D0-6EA6-44E1-A0CC-0BF6A74347EC.json"
        try FileManager.default.removeItem(atPath: folder(node))
        let store = StoreBuilder().store
        let report = try LLVSStoreImport(directory: folder.path).run(into: store)
        #expect(report.imported == 29)
        #expect(report.damaged.map(\.file) == [head, "versions/AE/C210D0-6EA6-44E1-A0CC-0BF6A74347EC.json"])
        #expect(try store.verify().isEmpty)
    }

    @Test("a root version is read alone, as after a compaction, with values that versions since gone have stored")
    func compacted() throws {
        let folder = try TemporaryFolder()
        for name in ["versions/BA", "maps/__llvs_values/__/llvs_root/B", "maps/__llvs_values/x/B", "values/x/O"] {
            try folder.makeFolder(name)
        }
        try folder.write(#"{"identifier":"BASE","timestamp":7e8,"metadata":[]}"#, to: "versions/BA/SE.json")
        try folder.write(
            #"{"reference":{"key":"__llvs_root","version":"BASE"},"children":{"nodes":[{"key":"x","version":"BASE"}]}}"#,
            to: "maps/__llvs_values/__/llvs_root/B/ASE.json")
        try folder.write(
            #"{"children":{"values":[{"key":{"keyString":"x"},"valueReference":{"valueId":"x","storedVersionId":"OLD"}}]}}"#,
            to: "maps/__llvs_values/x/B/ASE.json")
        try folder.write("old value", to: "values/x/O/LD.json")
        let store = StoreBuilder().store
        #expect(try LLVSStoreImport(directory: folder.path).run(into: store) == .importing(1))
        #expect(try store.bytes(of: "x", at: Version.ID("BASE")) == [UInt8]("old value".utf8))
    }

    @Test("a database with a log beside it is read with what is in the log, and neither is touched")
    func logBeside() throws {
        let folder = try LLVSNotes.databaseStore()
        let live = try TemporaryFolder()
        try FileManager.default.copyItem(
            atPath: folder("values/zone.sqlite"), toPath: live("zone.sqlite"))
        var handle: OpaquePointer?
        try #require(sqlite3_open_v2(live("zone.sqlite"), &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close_v2(handle) }
        let sql =
            "PRAGMA journal_mode = WAL; UPDATE Zone SET data = X'77616C' WHERE key = 'seed-0' AND version LIKE '2F0B%'"
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
        // As another program leaves them that still runs, or died.
        try FileManager.default.removeItem(atPath: folder("values/zone.sqlite"))
        for name in ["zone.sqlite", "zone.sqlite-wal"] {
            try FileManager.default.copyItem(atPath: live(name), toPath: folder("values/" + name))
        }
        let before = try folder.allBytes()
        let store = StoreBuilder().store
        #expect(try LLVSStoreImport(directory: folder.path).run(into: store).imported == 31)
        let first = try Version.ID("2F0B2CF1-87EE-4D9E-A9FB-822B2DBAB969")
        #expect(try store.bytes(of: "seed-0", at: first) == [UInt8]("wal".utf8))
        #expect(try folder.allBytes() == before)
    }

    @Test("a zone that is a view, which could compute without end, is no zone")
    func view() throws {
        let folder = try LLVSNotes.databaseStore()
        var handle: OpaquePointer?
        try #require(sqlite3_open(folder("values/zone.sqlite"), &handle) == SQLITE_OK)
        let sql = """
            DROP TABLE Zone; CREATE VIEW Zone AS WITH RECURSIVE t(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM t)
            SELECT x AS key, x AS version, x AS data FROM t
            """
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
        try #require(sqlite3_close(handle) == SQLITE_OK)
        let error = #expect(throws: StoreError.self) {
            try LLVSStoreImport(directory: folder.path).run(into: StoreBuilder().store)
        }
        #expect(error?.code == .notAStore)
    }

    @Test("compressed data and names that lead out of the store are reported, and no store is refused as such")
    func refusals() throws {
        let folder = try LLVSNotes.fileStore()
        try folder.write("LLZFxxxx", to: "values/se/ed-0/2/F0B2CF1-87EE-4D9E-A9FB-822B2DBAB969.json")
        let report = try LLVSStoreImport(directory: folder.path).run(into: StoreBuilder().store)
        #expect(report.imported == 0)
        #expect(report.damaged.count == 1 && report.damaged[0].reason.contains("LZFSE"))
        #expect(report.waiting.count == 30)
        let zone = LLVSFileZone(path: folder("values"), files: .local)
        for key in ["..", "../x", "..values"] {
            #expect(throws: StoreError.self) { try zone.data(of: key, at: Version.ID("A")) }
        }
        let exchange = try LLVSNotes.exchangeFolder()
        #expect(throws: StoreError.self) { try LLVSStoreImport(directory: exchange.path) }
        #expect(throws: StoreError.self) { try LLVSStoreImport(directory: exchange("nothing")) }
    }
}

extension TemporaryFolder {
    /// Every file in it, by relative path.
    func allBytes() throws -> [String: Data] {
        var found: [String: Data] = [:]
        let walk = try #require(FileManager.default.enumerator(atPath: path))
        while let name = walk.nextObject() as? String {
            var isDirectory: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: self(name), isDirectory: &isDirectory)
            if !isDirectory.boolValue { found[name] = try Data(contentsOf: URL(fileURLWithPath: self(name))) }
        }
        return found
    }
}
