import TestSupport
import Testing

@testable import LLVSCore

/// Bodies are deflated where that pays, and read back whichever way they were written.
@Suite("Store: deflated bodies") struct StoreCompressionTests {
    private static func text(_ count: Int) -> [UInt8] {
        Array("{\"title\": \"a note\", \"done\": false, \"number\": 17}, ".utf8).cycled(to: count)
    }

    private static func noise(_ count: Int) -> [UInt8] {
        var random = SeededRandom(seed: UInt64(count))
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private static func body(_ builder: StoreBuilder, _ bytes: [UInt8]) throws -> [UInt8] {
        let version = try builder.store.makeVersion(
            basedOn: .root, changes: [.insert(Value(id: "x", bytes: bytes))], now: StoreBuilder.now)
        #expect(try builder.store.bytes(of: "x", at: version.id) == bytes)
        #expect(try builder.store.size(of: "x", at: version.id) == UInt64(bytes.count))
        #expect(try builder.store.verify() == [])
        return try #require(try builder.store.storage.read { try $0.row(1, in: StoreZones.bodies) })
    }

    @Test("text from 512 bytes on takes less room", arguments: StorageKind.allCases, [512, 5_000, 70_000, 1 << 20])
    func text(_ kind: StorageKind, _ count: Int) throws {
        try kind.withStorage { storage in
            let row = try Self.body(StoreBuilder(storage), Self.text(count))
            #expect(row[0] == BodyRow.deflated && row.count < count / 3)
        }
    }

    @Test("short values and noise stay as they are", arguments: [0, 1, 511, 512, 5_000, 70_000])
    func noise(_ count: Int) throws {
        let row = try Self.body(StoreBuilder(), Self.noise(count))
        #expect(row == [BodyRow.plain] + Self.noise(count))
        if count < 512 { #expect(BodyRow.encode(Self.text(count)) == [BodyRow.plain] + Self.text(count)) }
    }

    @Test("what saves less than an eighth stays as it is")
    func littleGain() {
        let mixed = Self.noise(9_500) + Self.text(500)
        #expect(BodyRow.encode(mixed)[0] == BodyRow.plain)
        #expect(BodyRow.encode(Self.noise(5_000) + Self.text(5_000))[0] == BodyRow.deflated)
    }

    @Test("a row as earlier software wrote it reads")
    func plainRow() throws {
        let builder = StoreBuilder()
        let bytes = Self.text(4_000)
        let version = try builder.store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "x", bytes: bytes))])
        try builder.store.storage.write { try $0.setRow([BodyRow.plain] + bytes, at: 1, in: StoreZones.bodies) }
        #expect(try builder.store.bytes(of: "x", at: version.id) == bytes)
        #expect(try builder.store.verify() == [])
    }

    @Test("a deflated row that was cut or changed anywhere is an error")
    func damaged() throws {
        let builder = StoreBuilder()
        let bytes = Self.text(600)
        let version = try builder.store.makeVersion(basedOn: .root, changes: [.insert(Value(id: "x", bytes: bytes))])
        let row = BodyRow.encode(bytes)
        func code(_ damaged: [UInt8]) throws -> StoreError.Code? {
            try builder.store.storage.write { try $0.setRow(damaged, at: 1, in: StoreZones.bodies) }
            return storeErrorCode {
                let found = try builder.store.bytes(of: "x", at: version.id)
                #expect(found == bytes)
            }
        }
        for position in row.indices {
            var flipped = row
            flipped[position] ^= 0x11
            // Bits that deflate does not look at may differ: then the bytes are right.
            if let found = try code(flipped) { #expect(found == .damaged || found == .valueUnreadable, "\(position)") }
            let cut = try code(Array(row[..<position]))
            #expect(cut == .damaged || cut == .valueUnreadable, "\(position)")
        }
        // A row that states gigabytes allocates none of them.
        #expect(try code([BodyRow.deflated, 255, 255, 255, 255] + row[5...]) == .damaged)
    }
}

extension [UInt8] {
    fileprivate func cycled(to count: Int) -> [UInt8] { (0..<count).map { self[$0 % self.count] } }
}
