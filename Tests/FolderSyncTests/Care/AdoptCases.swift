import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Two stores that meet, and how they become one.
@Suite struct AdoptCases {
    /// Stores of two identities, each with a version in its folder, whose folders then become one.
    static func meeting(_ body: (SimulatedFolderDevice, SimulatedFolderDevice) async throws -> Void) async throws {
        try await SimulatedFolderGroup.with(1) { one in
            try await SimulatedFolderGroup.with(1, seed: 77) { two in
                let (p, q) = (one.devices[0], two.devices[0])
                for device in [p, q] {
                    try await device.save("k", "first of \(device.lane)")
                    try await device.save(try Value.ID("own-\(device.lane)"), "x")
                    try await device.pass()
                }
                try exchangeFiles(p, q)
                try await body(p, q)
            }
        }
    }

    static func exchangeFiles(_ p: SimulatedFolderDevice, _ q: SimulatedFolderDevice) throws {
        let both = try p.replica.contents().merging(q.replica.contents()) { own, _ in own }
        for device in [p, q] { try device.replica.replace(with: both) }
    }

    private func expectEqual(_ p: SimulatedFolderDevice, _ q: SimulatedFolderDevice) throws {
        #expect(try p.values() == q.values())
        #expect(try p.store.heads().map(\.id) == q.store.heads().map(\.id))
        #expect(try FolderExchange.identity(of: p.store) == FolderExchange.identity(of: q.store))
    }

    @Test func twoStoresInOneFolderStopUntilOneAdoptsAndThenMerge() async throws {
        try await Self.meeting { p, q in
            let values = try p.values().count + q.values().count - 1
            for device in [p, q] {
                let looks = try device.replica.looks()
                let error = await #expect(throws: FolderSyncError.self) { try await device.pass() }
                #expect(error?.code == .secondCard)
                #expect(error?.remedy.contains("--adopt") == true)
                #expect(try device.replica.looks() == looks)
            }
            let identity = try FolderExchange.identity(of: q.store)
            let former = try FolderExchange.identity(of: p.store)
            let looks = try p.replica.looks()
            let adoption = try await FolderExchange.adopt(p.store, into: p.replica.path)
            #expect(try p.replica.looks() == looks, "adopting writes nothing in the folder")
            #expect(adoption.former == former && adoption.detached.isEmpty)
            #expect(try FolderExchange.identity(of: p.store) == identity)
            // Again, before anything was said: it stays what it is.
            #expect(try await FolderExchange.adopt(p.store, into: p.replica.path).former == nil)
            #expect(try FolderExchange.identity(of: p.store) == identity)
            let outcome = try await p.pass()
            #expect(outcome.report.sent >= 2 && outcome.report.imported == 2 && outcome.report.foreign.isEmpty)
            try Self.exchangeFiles(p, q)
            for device in [q, p, q] {
                try await device.pass()
                try Self.exchangeFiles(p, q)
            }
            try expectEqual(p, q)
            #expect(try p.values().count == values)
            #expect(try FolderVerification(of: q.replica.path).isClean)
            #expect(try await q.pass().report.foreign.isEmpty)
        }
    }

    @Test func theOtherDevicesOfAnAdoptedStoreStopUntilEachAdoptsToo() async throws {
        try await Self.meeting { p, q in
            try await SimulatedFolderTree.withDirectory { directory in
                let r = try SimulatedFolderDevice("r", replica: directory + "/r", creating: true, seed: 5)
                // A second device of P: its store takes P's identity from a folder with that card alone.
                let alone = SimulatedFolderTree(directory + "/alone")
                let name = try #require(try FolderExchange.identity(of: p.store)).description + ".store"
                try alone.make()
                try alone.write(try #require(try p.replica.read(name)), to: name)
                let s = try SimulatedFolderDevice("s", replica: alone.path, seed: 6)
                try await s.save("of s", "x")
                try await FolderExchange.adopt(p.store, into: p.replica.path)
                try await p.pass()
                try alone.replace(with: try p.replica.contents())
                let error = await #expect(throws: FolderSyncError.self) { try await s.pass() }
                #expect(error?.code == .otherStore && error?.remedy.contains("--adopt") == true)
                #expect(throws: FolderSyncError.self) { try FolderExchange.attach(s.store, to: alone.path) }
                try await FolderExchange.adopt(s.store, into: alone.path)
                try await s.pass()
                #expect(try s.text("of s") == "x")
                #expect(try s.store.versionCount() >= 5)
                // A store of a third identity, from another folder, joins as explicitly.
                try await r.save("of r", "x")
                let refused = #expect(throws: FolderSyncError.self) {
                    try FolderExchange.attach(r.store, to: alone.path)
                }
                #expect(refused?.code == .otherStore)
                let adoption = try await FolderExchange.adopt(r.store, into: alone.path)
                #expect(adoption.detached.map(\.folder) == [r.replica.path])
                #expect(adoption.detached.map(\.unsent) == [1])
                #expect(try FolderExchange.attachments(of: r.store).map(\.folder) == [alone.path])
                let exchange = FolderExchange(store: r.store, attachment: adoption.attachment, pause: { _ in })
                let outcome = try await exchange.pass(r.coordinator)
                #expect(outcome.report.imported >= 5 && outcome.report.sent >= 1)
            }
        }
    }

    @Test func storesThatAdoptEachOtherAgreeOnOne() async throws {
        try await Self.meeting { p, q in
            for device in [p, q] { try await FolderExchange.adopt(device.store, into: device.replica.path) }
            for device in [p, q] { try await device.pass() }
            try Self.exchangeFiles(p, q)
            var refused: [SimulatedFolderDevice] = []
            for device in [p, q] {
                do { try await device.pass() } catch let error as FolderSyncError where error.code == .otherStore {
                    refused.append(device)
                }
            }
            try #require(refused.count == 1)
            try await FolderExchange.adopt(refused[0].store, into: refused[0].replica.path)
            for _ in 0..<3 {
                for device in [p, q] {
                    try await device.pass()
                    try Self.exchangeFiles(p, q)
                }
            }
            try expectEqual(p, q)
        }
    }
}
