import TestSupport
import Testing

@testable import LLVSCore

@Suite("Store: levels of verification, and repair") struct VerifyLevelTests {
    /// A store whose versions share nodes, with a merge.
    private func sample(_ storage: any Storage = MemoryStorage()) throws -> StoreBuilder {
        let builder = StoreBuilder(storage)
        var values: [Value.ID: String] = [:]
        for number in 0..<80 { values[try Value.ID("value \(number)")] = "\(number)" }
        let base = try builder.save(values)
        let one = try builder.save(["value 1": "one", "value 2": nil], on: base)
        let two = try builder.save(["value 1": "two", "value 20": "two"], on: base)
        let merged = try builder.merge(one, two, ScriptedArbiter.keeping(.first)).id
        try builder.save(["value 3": "three"], on: merged)
        return builder
    }

    private func levels(_ storage: any Storage) throws -> [VerifyLevel] {
        try VerifyLevel.allCases.filter { try !Store(storage: storage).verify($0).isEmpty }
    }

    @Test("each level finds what it looks at, and what those before it do")
    func levels() throws {
        let storage = try sample().store.storage
        #expect(try levels(storage) == [])
        func damaging(_ zone: RowZone, _ row: Int64, _ body: (inout [UInt8]) -> Void) throws -> [VerifyLevel] {
            let bytes = try #require(try storage.read { try $0.row(row, in: zone) })
            var damaged = bytes
            body(&damaged)
            try storage.write { try $0.setRow(damaged, at: row, in: zone) }
            defer { do { try storage.write { try $0.setRow(bytes, at: row, in: zone) } } catch { Issue.record(error) } }
            return try levels(storage)
        }
        #expect(try damaging(StoreZones.versions, 2) { $0[70] ^= 1 } == [.names, .hash, .deep])
        #expect(try damaging(StoreZones.versions, 2) { $0[$0.count - 1] ^= 1 } == [.names, .hash, .deep])
        #expect(try damaging(StoreZones.changes, 1) { $0[20] ^= 1 } == [.names, .hash, .deep])
        #expect(try damaging(StoreZones.bodies, 2) { $0[1] ^= 1 } == [.hash, .deep])
        #expect(try damaging(StoreZones.nodes, 1) { $0[$0.count - 5] ^= 1 } == [.deep])
        let last = try storage.read { try $0.lastRow(in: StoreZones.bodies) }
        try storage.write { try $0.removeRow(last, in: StoreZones.bodies) }
        #expect(try levels(storage) == [.names, .hash, .deep])
    }

    @Test("a map that is damaged anywhere is built again: every value is found", arguments: StorageKind.allCases)
    func repair(_ kind: StorageKind) throws {
        try kind.withStorage { storage in
            let builder = try sample(storage)
            let good = try SnapshotSample.visible(builder.store)
            var rows: [(Int64, [UInt8])] = []
            try storage.read { reader in
                try reader.scanRows(StoreZones.nodes, from: 1) { id, bytes in
                    rows.append((id, bytes))
                    return true
                }
            }
            for (index, (id, bytes)) in rows.enumerated() {
                try storage.write { writer in
                    switch index % 3 {
                    case 0: try writer.removeRow(id, in: StoreZones.nodes)
                    case 1: try writer.setRow([], at: id, in: StoreZones.nodes)
                    default:
                        var flipped = bytes
                        flipped[bytes.count - 4] ^= 1
                        try writer.setRow(flipped, at: id, in: StoreZones.nodes)
                    }
                }
                let store = Store(storage: storage)
                let isUsed = try !store.verify().isEmpty
                #expect(try store.rebuildMaps().isEmpty == !isUsed, "row \(id)")
                #expect(try store.verify() == [], "row \(id)")
                #expect(try SnapshotSample.visible(store) == good, "row \(id)")
                // What was damaged is nobody's any more.
                try store.collectGarbage(now: 0)
                #expect(try SnapshotSample.visible(Store(storage: storage)) == good, "row \(id)")
            }
        }
    }

    @Test(
        "a root that points elsewhere is set right, a sound store is not written to, a lost change list stays a finding"
    )
    func repairLimits() throws {
        let builder = try sample()
        let storage = builder.store.storage
        let before = try storage.contents()
        #expect(try builder.store.rebuildMaps() == [])
        #expect(try storage.contents() == before)
        let good = try SnapshotSample.visible(builder.store)
        // The map of version 2 in the place of that of version 3.
        let other = try builder.store.read { try $0.stored(2).map.encoded }
        var row = try #require(try storage.read { try $0.row(3, in: StoreZones.versions) })
        let start = 5
        try #require(
            row[start..<start + 8].elementsEqual(builder.store.read { try $0.stored(3).map.encoded.prefix(8) }))
        row.replaceSubrange(start..<start + other.count, with: other)
        try storage.write { try $0.setRow(row, at: 3, in: StoreZones.versions) }
        let store = Store(storage: storage)
        #expect(try !store.verify().isEmpty)
        #expect(try !store.rebuildMaps().isEmpty)
        #expect(try store.verify() == [] && SnapshotSample.visible(store) == good)
        row = try #require(try storage.read { try $0.row(2, in: StoreZones.versions) })
        row[row.count - 1] ^= 1
        try storage.write { try $0.setRow(row, at: 2, in: StoreZones.versions) }
        #expect(try store.rebuildMaps() == [])
        #expect(try !Store(storage: storage).verify().isEmpty)
    }

    @Test("a repair that fails at any write changes nothing")
    func failingRepair() throws {
        let storage = FailingStorage(MemoryStorage())
        let builder = try sample(storage)
        let good = try SnapshotSample.visible(builder.store)
        try storage.write { try $0.removeRow(1, in: StoreZones.nodes) }
        let damaged = try storage.contents()
        for number in 1... {
            storage.fail(atWrite: number)
            do {
                #expect(try !builder.store.rebuildMaps().isEmpty)
                break
            } catch let error as StoreError where error == FailingStorage.failure {
                storage.fail(atWrite: nil)
                #expect(try storage.contents() == damaged)
            }
        }
        storage.fail(atWrite: nil)
        #expect(try SnapshotSample.visible(builder.store) == good)
    }
}
