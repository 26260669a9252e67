import Foundation
import LLVSCore
import StorageConformance
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc

    /// Full, read-only and damaged disks.
    @Suite("SQLite storage: disks", .timeLimit(.minutes(20)))
    struct StorageDiskTests {
        let rows = RowZone("rows")

        @Test("a full disk is said, and the old state stays", .enabled(if: canMount, mountReason))
        func fullDisk() throws {
            try withStorageDirectory { directory in
                try #require(mount("tmpfs", directory, "tmpfs", 0, "size=1m") == 0)
                defer { umount2(directory, CInt(MNT_DETACH)) }
                let storage = try SQLiteStorage.create(at: directory + "/store")
                try storage.write { _ = try $0.append([1], to: rows) }
                for _ in 0..<2 {
                    let large = [UInt8](repeating: 7, count: 2 << 20)
                    try expect(.noSpace) { try storage.write { _ = try $0.append(large, to: rows) } }
                    try #expect(storage.rows(rows).map(\.bytes) == [[1]])
                }
                var committed = 1
                let full = #expect(throws: StoreError.self) {
                    while true {
                        try storage.write { _ = try $0.append([UInt8](repeating: 1, count: 5_000), to: rows) }
                        committed += 1
                    }
                }
                #expect(full?.code == .noSpace)
                try #expect(storage.rows(rows).count == committed)
                try #expect(storage.checkIntegrity() == [])
                try storage.close()
                try expect(.noSpace) { _ = try SQLiteStorage.create(at: directory + "/other") }
                try #expect(FileManager.default.contentsOfDirectory(atPath: directory) == ["store"])
                // With room again, everything goes on.
                try #require(mount("tmpfs", directory, "tmpfs", UInt(MS_REMOUNT), "size=8m") == 0)
                let again = try SQLiteStorage.open(at: directory + "/store")
                try #expect(again.write { try $0.append([2], to: rows) } == Int64(committed + 1))
                try again.close()
            }
        }

        @Test("a read-only place can be read, and refuses writes", .enabled(if: canMount, mountReason))
        func readOnlyPlace() throws {
            try withStorageDirectory { directory in
                let path = directory + "/store"
                let first = try SQLiteStorage.create(at: path)
                try first.write { _ = try $0.append([1], to: rows) }
                try first.close()
                let flags = UInt(MS_BIND)
                try #require(mount(path, path, nil, flags, nil) == 0)
                defer { umount2(path, CInt(MNT_DETACH)) }
                let remount = flags | UInt(MS_REMOUNT) | UInt(MS_RDONLY)
                try #require(mount(nil, path, nil, remount, nil) == 0)
                #expect(!FileManager.default.createFile(atPath: path + "/probe", contents: nil))
                let storage = try SQLiteStorage.open(at: path)
                #expect(storage.isReadOnly)
                try #expect(storage.rows(rows).map(\.bytes) == [[1]])
                try #expect(storage.checkIntegrity() == [])
                try expect(.readOnly) { try storage.write { _ = try $0.append([2], to: rows) } }
                try expect(.readOnly) { try storage.sync() }
                try storage.close()
                try expect(.closed) { try storage.read { _ in } }
                try expect(.closed) { try storage.write { _ in } }
                try expect(.readOnly) { _ = try SQLiteStorage.create(at: path + "/other") }
            }
        }

        @Test("after closing, no file of the store is open")
        func releasesFiles() throws {
            try withStorageDirectory { directory in
                let storage = try SQLiteStorage.create(at: directory + "/store")
                try storage.write { _ = try $0.append([1], to: rows) }
                try #expect(openFiles(under: directory).count >= 4)
                try storage.close()
                try #expect(openFiles(under: directory) == [])
                try expect(.closed) { try storage.write { _ in } }
            }
        }

        private func openFiles(under directory: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
                var target = [UInt8](repeating: 0, count: 4_096)
                // Descriptors of other tests come and go meanwhile.
                let count = readlink("/proc/self/fd/" + name, &target, target.count)
                return count > 0 ? String(decoding: target[..<count], as: UTF8.self) : nil
            }.filter { $0.hasPrefix(directory) }
        }

        private static let mountReason: Comment = "Needs the right to mount a file system"
        private static let canMount: Bool = {
            do {
                return try withStorageDirectory { directory in
                    guard mount("tmpfs", directory, "tmpfs", 0, "size=64k") == 0 else { return false }
                    return umount2(directory, CInt(MNT_DETACH)) == 0
                }
            } catch {
                return false
            }
        }()
    }
#endif

/// Database files that something else has spoilt.
@Suite("SQLite storage: damage")
struct StorageDamageTests {
    let keys = KeyedZone("keys")

    @Test("wherever a file is damaged, calls throw store errors or give what was stored", arguments: 0..<24)
    func damage(_ page: Int) throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            try makeStore(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/store.sqlite"))
            try file.seek(toOffset: UInt64(page * 4_096))
            // Noise of a fixed kind; not over the header of the first page, which other tests are for.
            if page == 0 { try file.seek(toOffset: 100) }
            try file.write(
                contentsOf: Data((0..<2_000).map { UInt8(truncatingIfNeeded: $0 &* 197 &+ page &* 13 &+ 91) }))
            try file.close()
            let codes = try codesOfUse(path)
            #expect(codes.isSubset(of: [.damaged, .notAStore]), "\(codes)")
        }
    }

    @Test("a file that was cut off or emptied throws store errors", arguments: [0, 50, 4_096, 10_000, 40_960])
    func truncation(_ length: UInt64) throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            try makeStore(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/store.sqlite"))
            try file.truncate(atOffset: length)
            try file.close()
            let codes = try codesOfUse(path)
            #expect(!codes.isEmpty && codes.isSubset(of: [.damaged, .notAStore]), "\(codes)")
        }
    }

    @Test("the check reports damage in sentences")
    func reports() throws {
        try withStorageDirectory { directory in
            let path = directory + "/store"
            try makeStore(path)
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path + "/store.sqlite"))
            try file.seek(toOffset: 10 * 4_096)
            try file.write(contentsOf: Data(repeating: 0xff, count: 4_096))
            try file.close()
            let storage = try SQLiteStorage.open(at: path)
            try #expect(!storage.checkIntegrity().isEmpty)
            try storage.close()
        }
    }

    private func makeStore(_ path: String) throws {
        let storage = try SQLiteStorage.create(at: path)
        try storage.write { writer in
            for number in 0..<200 {
                try writer.put([UInt8](repeating: 3, count: 300), for: [UInt8(number)], in: keys)
                _ = try writer.append([UInt8](repeating: 4, count: 200), to: RowZone("rows"))
            }
        }
        try storage.close()
    }

    /// Uses everything in the store; the codes of the errors. Any other error fails the test.
    private func codesOfUse(_ path: String) throws -> Set<StoreError.Code> {
        var codes: Set<StoreError.Code> = []
        func note(_ body: () throws -> Void) throws {
            do { try body() } catch let error as StoreError { codes.insert(error.code) }
        }
        try note {
            let storage = try SQLiteStorage.open(at: path)
            try note { _ = try storage.keys(keys) }
            try note { _ = try storage.rows(RowZone("rows")) }
            try note { try storage.write { try $0.put([1], for: [1], in: keys) } }
            try note { try storage.write { _ = try $0.append([1], to: RowZone("rows")) } }
            try note { _ = try storage.checkIntegrity() }
            try note { try storage.sync() }
            try storage.close()
        }
        return codes
    }
}
