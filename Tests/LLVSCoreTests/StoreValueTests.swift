import Foundation
import TestSupport
import Testing

@testable import LLVSCore

@Suite("Store: values") struct StoreValueTests {
    /// Ids that a store which makes paths or C strings of them would confuse.
    static let oddIDs: [String] = [
        "a/b", "aLLVSSLASHb", "..versions", "../x", "/", ".", "..", " ", "\0", "a\0", "a\0b", "\n", "a\r\nb", "\u{e9}",
        "e\u{301}", "Case", "case", "CASE", "%", "'", "\"", ";--", "\u{feff}", "\u{1f468}\u{200d}\u{1f469}",
        String(repeating: "x", count: 300), String(repeating: "y", count: 10_000),
        String(repeating: "z", count: Value.ID.maximumByteCount),
    ]

    @Test("every odd id reads back its own value, and lists in the order of its bytes", arguments: StorageKind.allCases)
    func oddIDs(_ kind: StorageKind) throws {
        try kind.withStorage { storage in
            let builder = StoreBuilder(storage)
            var values: [Value.ID: String] = [:]
            for (number, id) in Self.oddIDs.enumerated() { values[try Value.ID(id)] = "\(number)" }
            #expect(values.count == Self.oddIDs.count)
            let all = try builder.save(values)
            var tip = Version.ID.root
            for (id, text) in values { tip = try builder.save([id: text], on: tip) }
            for version in [all, tip] {
                #expect(try builder.values(at: version) == values)
                #expect(try builder.store.valueIDs(at: version) == values.keys.sorted())
                #expect(try builder.store.valueCount(at: version) == values.count)
            }
            #expect(try builder.store.digest(at: all) == builder.store.digest(at: tip))
            #expect(try builder.store.valueIDs(at: all, prefix: "a\0") == ["a\0", "a\0b"])
            #expect(try builder.store.verify() == [])
        }
        #expect(storeErrorCode { _ = try Value.ID(utf8: []) } == .invalidValueID)
    }

    @Test("a store writes nothing outside its directory, whatever the ids are")
    func staysInside() throws {
        try withStorageDirectory { directory in
            let store = try Store.create(at: directory + "/store")
            let changes = try Self.oddIDs.map { Value.Change.insert(Value(id: try Value.ID($0), "1")) }
            _ = try store.makeVersion(basedOn: .root, changes: changes)
            try store.close()
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == ["store"])
            let files = try FileManager.default.contentsOfDirectory(atPath: directory + "/store")
            #expect(Set(files).isSubset(of: ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "writer.lock"]))
        }
    }

    @Test(
        "values of any size read back, also those about the size of a row or a chunk", arguments: StorageKind.allCases)
    func sizes(_ kind: StorageKind) throws {
        let row = BodyStorage.largestRow
        let chunk = BodyStorage.chunkSize
        let sizes = [0, 1, 2, chunk, row - 1, row, row + 1, row + chunk - 1, row + chunk, row + chunk + 1]
        try kind.withStorage { storage in
            let builder = StoreBuilder(storage)
            var values: [Value.ID: [UInt8]] = [:]
            for size in sizes {
                var bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: size), count: size)
                for position in stride(from: 0, to: size, by: 997) { bytes[position] = UInt8(position / 997 % 256) }
                values[try Value.ID("\(size)")] = bytes
            }
            let version = try builder.store.makeVersion(
                basedOn: .root, changes: values.map { .insert(Value(id: $0.key, bytes: $0.value)) })
            for (id, bytes) in values {
                #expect(try builder.store.bytes(of: id, at: version.id) == bytes)
                #expect(try builder.store.size(of: id, at: version.id) == UInt64(bytes.count))
            }
            #expect(try builder.store.bytes(of: "none", at: version.id) == nil)
            #expect(try builder.store.verify() == [])
        }
    }

    /// The bytes of a large value: a counter at the start of each piece that is read, else zeros.
    private struct CountingReader: ContentReader {
        let size: UInt64
        var given: UInt64 = 0

        mutating func read(atMost count: Int) throws -> [UInt8] {
            // A page at a time, so that the bytes do not depend on how many are asked for.
            let room = min(4_096 - Int(given % 4_096), count, Int(size - given))
            var piece = [UInt8](repeating: 0, count: room)
            if given % 4_096 == 0, room >= 8 {
                withUnsafeBytes(of: given.littleEndian) { piece.replaceSubrange(0..<8, with: $0) }
            }
            given += UInt64(room)
            return piece
        }
    }

    /// LLVS_LARGE_VALUES=1 runs it with a gigabyte, which takes a while.
    private static let largeSizes: [UInt64] =
        ProcessInfo.processInfo.environment["LLVS_LARGE_VALUES"] == "1" ? [20 << 20, 1 << 30] : [20 << 20]

    /// That it takes little memory is seen by a live test, in a process of its own.
    @Test("a large value is saved, read and verified piece by piece", arguments: largeSizes)
    func largeValue(size: UInt64) throws {
        try withStorageDirectory { directory in
            let store = try Store.create(at: directory + "/store")
            let content = Value.Content.stream(Value.Stream(size: size) { CountingReader(size: size) })
            let version = try store.makeVersion(
                basedOn: .root, changes: [.insert(Value(id: "large", content: content))])
            let read = try #require(try store.content(of: "large", at: version.id))
            #expect(read.size == size)
            #expect(try read.digest() == content.digest())
            #expect(try store.verify() == [])
            try store.close()
        }
    }

    @Test("a stream that changes while it is saved, or is not as long as it says, is refused and nothing is written")
    func unsteadyStreams() throws {
        let builder = StoreBuilder()
        let before = try builder.store.storage.contents()
        let calls = Shared<UInt8>(0)
        let changing = Value.Stream(size: 4) {
            calls.change { $0 += 1 }
            return WholeReader(rest: [0, 0, 0, calls.value])
        }
        for stream in [
            changing, Value.Stream(size: 5) { WholeReader(rest: [1, 2, 3]) },
            Value.Stream(size: 2) { WholeReader(rest: [1, 2, 3]) },
        ] {
            let code = storeErrorCode {
                _ = try builder.store.makeVersion(
                    basedOn: .root, changes: [.insert(Value(id: "x", content: .stream(stream)))])
            }
            #expect(code == .valueUnreadable)
        }
        #expect(throws: UnexpectedQuestion.self) {
            try builder.store.makeVersion(
                basedOn: .root,
                changes: [.insert(Value(id: "x", content: .stream(.init(size: 1) { throw UnexpectedQuestion() })))])
        }
        #expect(try builder.store.storage.contents() == before)
    }

    @Test(
        "a value that was cut or changed on the disk is an error, never short data and never nil",
        arguments: [0, 1, 5, 202])
    func cutValue(count: Int) throws {
        let builder = StoreBuilder()
        let bytes = [UInt8](repeating: 1, count: 200)
        let version = try builder.store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "x", bytes: bytes))])
        let row = try #require(try builder.store.storage.read { try $0.row(1, in: StoreZones.bodies) })
        let cut = count <= row.count ? Array(row.prefix(count)) : row + [0]
        try builder.store.storage.write { try $0.setRow(cut, at: 1, in: StoreZones.bodies) }
        let code = storeErrorCode { _ = try builder.store.bytes(of: "x", at: version.id) }
        #expect(code == (count == 0 ? .damaged : .valueUnreadable))
        try builder.store.storage.write { try $0.removeRow(1, in: StoreZones.bodies) }
        #expect(storeErrorCode { _ = try builder.store.bytes(of: "x", at: version.id) } == .damaged)
        #expect(storeErrorCode { _ = try builder.store.size(of: "x", at: version.id) } == .damaged)
    }

    @Test("a chunk of a large value that was cut, changed or lost is an error", arguments: 0..<5, 0..<3)
    func cutChunk(chunk: Int, damage: Int) throws {
        let builder = StoreBuilder()
        let bytes = [UInt8](repeating: 1, count: BodyStorage.largestRow + 100)
        let version = try builder.store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "x", bytes: bytes))])
        try builder.store.storage.write { writer in
            let row = Int64(1) << 24 | Int64(chunk)
            guard var part = try writer.row(row, in: StoreZones.chunks) else { throw UnexpectedQuestion() }
            switch damage {
            case 0: try writer.removeRow(row, in: StoreZones.chunks)
            case 1: try writer.setRow(part.dropLast(), at: row, in: StoreZones.chunks)
            default:
                part[part.count / 2] ^= 1
                try writer.setRow(part, at: row, in: StoreZones.chunks)
            }
        }
        let code = storeErrorCode { _ = try builder.store.bytes(of: "x", at: version.id) }
        #expect(code == (damage == 2 ? .valueUnreadable : .damaged))
    }

    @Test("ids with a common prefix cost no more than random ones")
    func commonPrefixes() throws {
        func growth(_ id: (Int) throws -> Value.ID) throws -> (rows: Int, bytes: Int) {
            let builder = StoreBuilder()
            var values: [Value.ID: String] = [:]
            for number in 0..<2_000 { values[try id(number)] = "0" }
            var tip = try builder.save(values)
            let before = try builder.store.storage.size(of: StoreZones.nodes)
            for edit in 0..<50 { tip = try builder.save([try id(edit * 37 % 2_000): "\(edit + 1)"], on: tip) }
            let after = try builder.store.storage.size(of: StoreZones.nodes)
            return (after.rows - before.rows, after.bytes - before.bytes)
        }
        let alike = try growth { number in
            let digits = "\(number)"
            return try Value.ID("contact-" + String(repeating: "0", count: 8 - digits.count) + digits)
        }
        let random = try growth { try Value.ID(SHA256.hash([UInt8]("\($0)".utf8)).base32) }
        #expect(Double(alike.rows) < Double(random.rows) * 1.25)
        #expect(Double(alike.bytes) < Double(random.bytes) * 1.25)
    }

    @Test("metadata of any keys and bytes is kept, a branch that is no text too", arguments: StorageKind.allCases)
    func foreignMetadata(_ kind: StorageKind) throws {
        try kind.withStorage { storage in
            let builder = StoreBuilder(storage)
            let metadata: [String: [UInt8]] = [
                Version.Metadata.branchKey: [0xff, 0xfe], "": [], "unknown": [0], "\0": [1], "e\u{301}": [2],
                "\u{e9}x": [3],
                "large": [UInt8](repeating: 9, count: 1 << 20),
            ]
            let one = try builder.save(["x": "1"], metadata: metadata)
            let version = try builder.store.version(one)
            #expect(version.branch == nil)
            #expect(version.metadata.entries.count == metadata.count)
            for (key, bytes) in metadata { #expect(version.metadata[key] == bytes) }
            // Such a version merges like any other, and travels.
            let two = try builder.save(["y": "1"])
            let merge = try builder.mergeBothWays(one, two)
            #expect(try builder.store.version(merge.id).branch == nil)
            let other = StoreBuilder()
            try other.admitAll(of: builder)
            #expect(try other.store.version(one) == version)
            #expect(try other.store.verify() == [])
        }
    }
}
