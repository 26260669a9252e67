import Foundation
import TestSupport
import Testing

@testable import LLVSCore

/// Damage of one byte, or a row lost, anywhere in a store: `verify` finds it and says where, and nothing traps.
@Suite("Store: verify") struct StoreVerifyTests {
    /// A store with a merge, removals, a provisional version and a map of several nodes; and with a large value, if it is to.
    private static func sample(large isLarge: Bool = false) throws -> StoreBuilder {
        let builder = StoreBuilder()
        var values: [Value.ID: String] = [:]
        for number in 0..<24 { values[try Value.ID("value \(number)")] = "\(number)" }
        let base = try builder.save(values)
        let one = try builder.save(["value 1": "one", "value 2": nil], on: base)
        let two = try builder.save(["value 1": "two", "value 20": "two"], on: base)
        let large = [UInt8](repeating: 7, count: isLarge ? BodyStorage.largestRow + 1 : 10)
        let merged = try builder.merge(one, two, ScriptedArbiter.keeping(.first)).id
        let three = try builder.store.makeVersion(
            basedOn: merged, changes: [.insert(Value(id: "large", bytes: large))], now: StoreBuilder.now)
        let four = try builder.save(["value 3": "four"], on: base)
        try builder.merge(three.id, four)
        return builder
    }

    private static func findings(_ builder: StoreBuilder) throws -> [String] {
        // A new store: no cache hides what is in the storage now.
        try Store(storage: builder.store.storage).verify()
    }

    @Test("a sound store has no findings", arguments: StorageKind.allCases)
    func sound(_ kind: StorageKind) throws {
        try kind.withStorage { storage in
            #expect(try Store(storage: storage).verify() == [])
            let sample = try Self.sample()
            let builder = StoreBuilder(storage)
            try builder.admitAll(of: sample)
            var steps: [Int] = []
            #expect(try builder.store.verify { done, _ in steps.append(done) } == [])
            #expect(steps == Array(1...6))
        }
    }

    static let rowZones = [
        StoreZones.versions, StoreZones.changes, StoreZones.nodes, StoreZones.bodies, StoreZones.chunks,
        StoreZones.firm,
    ].map(\.name)

    /// Some of a row's bytes, others in each row; all with LLVS_EVERY_BYTE=1, which takes minutes.
    private static func positions(_ count: Int, of row: Int64) -> [Int] {
        if ProcessInfo.processInfo.environment["LLVS_EVERY_BYTE"] == "1" || count <= 10 { return Array(0..<count) }
        var random = SeededRandom(seed: UInt64(row))
        return [0, count - 1] + (0..<10).map { _ in Int.random(in: 0..<count, using: &random) }
    }

    @Test("a flipped bit anywhere in any kind of row is found", arguments: rowZones)
    func flippedInRow(_ name: String) throws {
        let builder = try Self.sample(large: name == StoreZones.chunks.name)
        let storage = builder.store.storage
        let zone = RowZone(name)
        var rows: [(Int64, [UInt8])] = []
        try storage.read { reader in
            try reader.scanRows(zone, from: 1) { id, bytes in
                rows.append((id, bytes))
                return true
            }
        }
        #expect(!rows.isEmpty)
        // The first, the last, and one between.
        for (id, bytes) in [rows[0], rows[rows.count / 2], rows[rows.count - 1]] {
            for position in Self.positions(bytes.count, of: id) {
                var flipped = bytes
                flipped[position] ^= position % 2 == 0 ? 0x01 : 0x80
                try storage.write { try $0.setRow(flipped, at: id, in: zone) }
                #expect(try !Self.findings(builder).isEmpty, "\(name) row \(id), byte \(position)")
            }
            try storage.write { try $0.setRow(bytes, at: id, in: zone) }
        }
        #expect(try Self.findings(builder) == [])
    }

    @Test("a lost row is found", arguments: rowZones)
    func lostRow(_ name: String) throws {
        let builder = try Self.sample(large: name == StoreZones.chunks.name)
        let storage = builder.store.storage
        let zone = RowZone(name)
        var rows: [(Int64, [UInt8])] = []
        try storage.read { reader in
            try reader.scanRows(zone, from: 1) { id, bytes in
                rows.append((id, bytes))
                return true
            }
        }
        for (index, (id, bytes)) in rows.enumerated() where index % 3 == 0 || index == rows.count - 1 || rows.count < 10
        {
            try storage.write { try $0.removeRow(id, in: zone) }
            #expect(try !Self.findings(builder).isEmpty, "\(name) row \(id)")
            try storage.write { try $0.setRow(bytes, at: id, in: zone) }
        }
        #expect(try Self.findings(builder) == [])
    }

    static let keyedZones = [StoreZones.index, StoreZones.loose, StoreZones.current].map(\.name)

    @Test("an entry of an index that is lost, changed or under another key is found", arguments: keyedZones)
    func damagedIndex(_ name: String) async throws {
        let builder = try Self.sample()
        try await StoreCoordinator(store: builder.store, clock: { StoreBuilder.now }).merge()
        let storage = builder.store.storage
        let zone = KeyedZone(name)
        var entries: [([UInt8], [UInt8])] = []
        try storage.read { reader in
            try reader.scan(zone, from: [], before: nil) { key, value in
                entries.append((key, value))
                return true
            }
        }
        #expect(!entries.isEmpty)
        for (key, value) in entries {
            // Losing the current version's entry alone is a new coordinator's state, which is sound.
            if zone != StoreZones.current {
                try storage.write { try $0.remove(key, in: zone) }
                #expect(try !Self.findings(builder).isEmpty, "\(name) without an entry")
            }
            // The first nine bytes: the row and the state. The time says nothing that could be wrong.
            for position in value.indices.prefix(9) {
                var flipped = value
                flipped[position] ^= 0x40
                try storage.write { try $0.put(flipped, for: key, in: zone) }
                #expect(try !Self.findings(builder).isEmpty, "\(name), byte \(position)")
            }
            try storage.write { try $0.put(value, for: key, in: zone) }
            guard zone != StoreZones.current else { continue }
            for position in key.indices.suffix(8) {
                var flipped = key
                flipped[position] ^= 1
                try storage.write { writer in
                    try writer.remove(key, in: zone)
                    try writer.put(value, for: flipped, in: zone)
                }
                #expect(try !Self.findings(builder).isEmpty, "\(name), key byte \(position)")
                try storage.write { writer in
                    try writer.remove(flipped, in: zone)
                    try writer.put(value, for: key, in: zone)
                }
            }
        }
        #expect(try Self.findings(builder) == [])
    }

    @Test("a finding names the version or value it is about")
    func namesThePlace() throws {
        let builder = try Self.sample()
        let storage = builder.store.storage
        let base = try #require(try builder.parcels().first).id
        try storage.write { try $0.setRow([0] + Array("wrong".utf8), at: 1, in: StoreZones.bodies) }
        let body = try Self.findings(builder)
        #expect(body.contains { $0.contains("'value 0'") && $0.contains("\(base)") })
        try storage.write { try $0.removeRow(1, in: StoreZones.changes) }
        #expect(try Self.findings(builder).contains { $0.contains("\(base)") && $0.contains("change list") })
    }

    @Test("verify looks at the disk, not at what the store remembers")
    func looksAtTheDisk() throws {
        let builder = try Self.sample()
        #expect(try builder.store.verify() == [])
        let storage = builder.store.storage
        let last = try storage.read { try $0.lastRow(in: StoreZones.nodes) }
        try storage.write { try $0.removeRow(last, in: StoreZones.nodes) }
        #expect(try !builder.store.verify().isEmpty)
    }

    @Test("one damaged version does not hide another")
    func findsAll() throws {
        let builder = try Self.sample()
        let storage = builder.store.storage
        for row in [Int64(2), 3] {
            var bytes = try #require(try storage.read { try $0.row(row, in: StoreZones.versions) })
            // Of the change list.
            bytes[bytes.count - 1] ^= 1
            try storage.write { [bytes] in try $0.setRow(bytes, at: row, in: StoreZones.versions) }
        }
        let ids = try builder.parcels(skippingDamaged: [2, 3])
        let findings = try Self.findings(builder)
        for id in ids { #expect(findings.contains { $0.contains("\(id)") }) }
    }
}

extension StoreBuilder {
    /// The ids of the versions in these rows, whose change lists may be damaged.
    fileprivate func parcels(skippingDamaged rows: [Int64]) throws -> [Version.ID] {
        try store.read { snapshot in try rows.map { try snapshot.stored($0).id } }
    }

    @Test("a row at the end of all numbers is damage that is told, not a trap", arguments: VerifyLevel.allCases)
    func lastNumber(level: VerifyLevel) throws {
        for zone in [StoreZones.firm, StoreZones.segments] {
            let builder = StoreBuilder()
            try builder.save(["a": "1"])
            try builder.store.storage.write { try $0.setRow([255], at: .max - 1, in: zone) }
            #expect(try !Store(storage: builder.store.storage).verify(level).isEmpty)
        }
    }
}
