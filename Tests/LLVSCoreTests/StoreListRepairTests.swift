import TestSupport
import Testing

@testable import LLVSCore

/// The lists of a store follow from its versions: whatever happens to them, they are made again and nothing else is touched.
@Suite("Store: lists made again") struct StoreListRepairTests {
    /// Two heads on branches, a merge that counts, one that does not, and a removal.
    private static func sample() throws -> StoreBuilder {
        let builder = StoreBuilder()
        let base = try builder.save(["a": "1", "b": "1"])
        let one = try builder.save(["a": "2"], on: base)
        let two = try builder.save(["b": nil], on: base)
        let merged = try builder.merge(one, two).id
        let three = try builder.save(["c": "3"], on: merged)
        let four = try builder.save(["a": "4"], on: base)
        try builder.merge(three, four, ScriptedArbiter.keeping(.first))
        try builder.store.write { try $0.setCurrent(try $0.snapshot.get(three), of: "main") }
        return builder
    }

    /// A store without what other stores remember of this one.
    private static func reopened(_ builder: StoreBuilder) -> Store {
        Store(storage: builder.store.storage)
    }

    private static func keys(_ zone: KeyedZone, in storage: any Storage) throws -> [[UInt8]: [UInt8]] {
        var found: [[UInt8]: [UInt8]] = [:]
        try storage.read { reader in
            try reader.scan(zone, from: [], before: nil) { key, value in
                found[key] = value
                return true
            }
        }
        return found
    }

    @Test("a sound store is left alone") func sound() throws {
        let builder = try Self.sample()
        #expect(try Self.reopened(builder).rebuildLists() == [])
    }

    static let listNames = [StoreZones.index, StoreZones.loose, StoreZones.current].map(\.name)

    @Test(
        "a list that is lost, or any entry of it, or whose keys or values are damaged, is made again",
        arguments: listNames)
    func lists(_ name: String) throws {
        let zone = KeyedZone(name)
        let sample = try Self.sample().store.storage
        for key in try Self.keys(zone, in: sample).keys.sorted(by: { $0.precedes($1) }) {
            for damage in Damage.allCases {
                let builder = try Self.sample()
                let storage = builder.store.storage
                let versions = try builder.store.heads()
                try storage.write { try damage.apply(to: key, of: zone, $0) }
                let store = Self.reopened(builder)
                let isHarmless = try store.verify().isEmpty
                let mended = try store.rebuildLists()
                #expect(mended.isEmpty == isHarmless, "\(name), \(damage)")
                #expect(try store.verify() == [], "\(name), \(damage)")
                #expect(try store.heads() == versions)
                #expect(try Self.reopened(builder).rebuildLists() == [])
            }
        }
    }

    @Test("every list at once") func everything() throws {
        let builder = try Self.sample()
        let heads = try builder.store.heads()
        let storage = builder.store.storage
        for name in Self.listNames {
            for key in try Self.keys(KeyedZone(name), in: storage).keys {
                try storage.write { try $0.remove(key, in: KeyedZone(name)) }
            }
        }
        let store = Self.reopened(builder)
        #expect(try !store.rebuildLists().isEmpty)
        #expect(try store.verify() == [])
        #expect(try store.heads() == heads)
    }

    @Test("a version takes its own number of the log again, which others remember", arguments: [1, 2, 3, 4, 5, 6])
    func log(_ number: Int64) throws {
        let heads = try Self.sample().store.heads()
        for bytes in [[UInt8](), [1, 2, 3], [0xff, 0, 0, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0, 0]] {
            let builder = try Self.sample()
            let storage = builder.store.storage
            func row() throws -> Int64? {
                try storage.read { reader in
                    try reader.row(number, in: StoreZones.firm).map { try LogEntry(decoding: $0, number: number).row }
                }
            }
            let before = try row()
            if number == 1, bytes.count == 8, bytes[0] == 1 { continue }
            try storage.write { writer in
                if bytes.isEmpty {
                    try writer.removeRow(number, in: StoreZones.firm)
                } else {
                    try writer.setRow(bytes, at: number, in: StoreZones.firm)
                }
            }
            let store = Self.reopened(builder)
            // The heads were in the last entry.
            #expect(try store.rebuildLists().count == (number == 6 ? 2 : 1))
            #expect(try store.verify() == [])
            #expect(try row() == before && store.heads() == heads)
        }
    }

    @Test("a current version that is lost becomes the last head, from which everything reads") func current() throws {
        let builder = try Self.sample()
        try builder.store.storage.write { try $0.put([1], for: Array("main".utf8), in: StoreZones.current) }
        let store = Self.reopened(builder)
        #expect(try store.rebuildLists().count == 1)
        let head = try store.read { try $0.current("main") }
        #expect(try head.id == store.read { try $0.heads().last?.id })
    }
}

private enum Damage: CaseIterable {
    case lost, keyFlipped, valueCut, valueFlipped

    func apply(to key: [UInt8], of zone: KeyedZone, _ writer: any StorageWriter) throws {
        let value = try #require(try writer.value(key, in: zone))
        switch self {
        case .lost: try writer.remove(key, in: zone)
        case .keyFlipped:
            var other = key
            other[key.count - 1] ^= 1
            try writer.remove(key, in: zone)
            try writer.put(value, for: other, in: zone)
        case .valueCut: try writer.put(Array(value.dropLast(3)), for: key, in: zone)
        case .valueFlipped:
            var other = value
            if !other.isEmpty { other[0] ^= 1 }
            try writer.put(other, for: key, in: zone)
        }
    }
}
