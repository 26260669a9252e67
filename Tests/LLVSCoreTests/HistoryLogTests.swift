import TestSupport
import Testing

@testable import LLVSCore

/// The heads are in the last entry of the log, or in a zone of their own where they are many.
@Suite("History: heads in the log") struct HistoryLogTests {
    private func tips(_ storage: any Storage) throws -> Int {
        var count = 0
        try storage.read { reader in
            try reader.scan(StoreZones.tips, from: [], before: nil) { _, _ in
                count += 1
                return true
            }
        }
        return count
    }

    @Test(
        "heads move to a zone when they are too many for an entry, and back when they are few",
        arguments: StorageKind.allCases)
    func moves(_ kind: StorageKind) throws {
        try kind.withStorage { storage in
            let builder = StoreBuilder(storage)
            let base = try builder.save(["a": "0"])
            var heads: Set<Version.ID> = []
            let many = LogEntry.mostOthers + 4
            for number in 0..<many {
                heads.insert(try builder.save(["a": "\(number + 1)"], on: base))
                #expect(try Set(builder.store.heads().map(\.id)) == heads)
                #expect(try tips(storage) == (heads.count > LogEntry.mostOthers + 1 ? heads.count : 0))
            }
            #expect(try Store(storage: storage).verify() == [])
            while heads.count > 1 {
                let pair = heads.sorted().prefix(2)
                let merged = try builder.store.makeVersion(
                    basedOn: pair[0], and: pair[1], changes: [.insert(Value(id: "m", "\(heads.count)"))],
                    now: StoreBuilder.now)
                heads.subtract(pair)
                heads.insert(merged.id)
                #expect(try Set(builder.store.heads().map(\.id)) == heads)
                #expect(try tips(storage) == (heads.count > LogEntry.mostOthers + 1 ? heads.count : 0))
            }
            #expect(try Store(storage: storage).verify() == [])
            #expect(try builder.store.rebuildLists() == [])
        }
    }

    @Test("a last entry that lost or changed its heads is found and made again")
    func damaged() throws {
        for damage in 0..<4 {
            let builder = StoreBuilder()
            let base = try builder.save(["a": "0"])
            for number in 0..<3 { try builder.save(["a": "\(number + 1)"], on: base) }
            let storage = builder.store.storage
            let heads = try builder.store.heads()
            let number: Int64 = damage < 3 ? 4 : 3
            var bytes = try #require(try storage.read { try $0.row(number, in: StoreZones.firm) })
            #expect(bytes.count == (number == 4 ? 25 : 17))
            switch damage {
            case 0: bytes.removeLast(17)
            case 1: bytes.removeLast(8)
            case 2: bytes[8] = 7
            default: bytes[9] ^= 1
            }
            try storage.write { [bytes] in try $0.setRow(bytes, at: number, in: StoreZones.firm) }
            let store = Store(storage: storage)
            #expect(try !store.verify(.names).isEmpty, "\(damage)")
            #expect(try !store.rebuildLists().isEmpty)
            #expect(try store.verify() == [] && store.heads() == heads)
        }
    }

    @Test("a store whose heads are in the zone of before reads and goes on")
    func before() throws {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "0"])
        let one = try builder.save(["a": "1"], on: base)
        let two = try builder.save(["a": "2"], on: base)
        let storage = builder.store.storage
        try storage.write { writer in
            for number in 1...Int64(3) {
                let bytes = try #require(try writer.row(number, in: StoreZones.firm))
                try writer.setRow(Array(bytes.prefix(8)), at: number, in: StoreZones.firm)
            }
            for row in [Int64(2), 3] { try writer.put([], for: StoreZones.key(row), in: StoreZones.heads) }
        }
        let store = Store(storage: storage)
        #expect(try Set(store.heads().map(\.id)) == [one, two] && store.verify() == [] && store.rebuildLists() == [])
        let three = try StoreBuilder(storage).save(["a": "3"], on: one)
        #expect(try Set(store.heads().map(\.id)) == [three, two] && store.verify() == [])
        #expect(try storage.contents()["heads"] == nil)
    }
}
