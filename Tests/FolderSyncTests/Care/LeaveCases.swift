import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Devices that leave a folder, and what is done for those that are gone.
@Suite struct LeaveCases {
    @Test func whoLeavesSendsFirstAndHisFilesAreReadByAll() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            let lane = a.exchange.attachment.lane
            let departure = try await a.exchange.leave()
            #expect(departure.lane == lane && departure.unsent == 0 && departure.untold == nil)
            #expect(try FolderExchange.attachments(of: a.store).isEmpty)
            let error = await #expect(throws: FolderSyncError.self) { try await a.pass() }
            #expect(error?.code == .notAttached)
            #expect(try await b.pass().report.imported == 1)
            let lanes = try await b.exchange.lanes()
            let left = try #require(lanes.first { $0.lane == lane })
            #expect(left.isRetired && !left.isMine && left.known == 1 && left.here == 1)
            #expect(lanes.first?.isMine == true && lanes.first?.isRetired == false)
            #expect(try FolderVerification(of: a.replica.path).isClean)
            // Back again: in another lane, with nothing sent twice.
            let attachment = try FolderExchange.attach(a.store, to: a.replica.path)
            #expect(attachment.lane != lane)
            try await a.save("k", "2")
            #expect(try await a.pass().report.sent == 1)
            #expect(try await b.pass().report.notices.isEmpty)
            #expect(try b.text("k") == "2")
        }
    }

    /// Missing files of it, and spoiled ones: nobody will write them again, and the entries have all that it had.
    @Test func aBrokenSnapshotOfOneWhoLeftIsNoFaultAndOneOfWhoIsHereIs() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            try await a.save("k", "1")
            try await a.pass()
            let set = try await a.exchange.publishSnapshot().set
            let files = try a.replica.list().filter { $0.contains("/p-\(set)") }
            let last = try #require(files.last)
            func expect(_ isClean: Bool, _ what: String) throws {
                for level in VerifyLevel.allCases {
                    #expect(
                        try FolderVerification(of: a.replica.path, level: level).isClean == isClean, "\(what), \(level)"
                    )
                }
            }
            let right = try #require(try a.replica.read(last))
            try a.replica.remove(last)
            try expect(false, "missing")
            _ = try await a.exchange.leave()
            try a.replica.remove(last)
            try expect(true, "missing, left")
            for wrong in [Array(right.dropLast(9)), [UInt8](repeating: 0, count: right.count)] {
                try a.replica.write(wrong, to: last)
                try expect(true, "spoiled, left")
            }
        }
    }

    @Test func whoCannotSendDoesNotLeaveUnlessForced() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            try await a.pass()
            try await a.save("k", "1")
            a.mortality.makeReadOnly(a.replica.path)
            let error = await #expect(throws: FolderSyncError.self) { try await a.exchange.leave() }
            #expect(error?.code == .unsent)
            #expect(error?.what.contains("1 version is not sent") == true && error?.remedy.contains("--force") == true)
            #expect(try FolderExchange.attachments(of: a.store).count == 1)
            let departure = try await a.exchange.leave(forced: true)
            #expect(departure.unsent == 1 && departure.untold?.code == .readOnly)
            #expect(try FolderExchange.attachments(of: a.store).isEmpty)
            #expect(try a.text("k") == "1")
        }
    }

    /// Six versions of a device that is gone then, one with a large value, read by another, and new devices.
    private func gone(
        retiring: Bool, _ body: (SimulatedFolderGroup, SimulatedFolderDevice, [String]) async throws -> Void
    ) async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            var random = SimulatedFolderRandom(seed: 4)
            for number in 0..<6 {
                let bytes = number == 3 ? random.bytes(40_000) : Array("\(number)".utf8)
                try await a.save([.insert(Value(id: try Value.ID("k\(number)"), bytes: bytes))])
                try await a.pass()
            }
            try await b.pass()
            try await b.save("of b", "x")
            try await b.pass()
            let files = try a.replica.list().filter { $0.hasPrefix(a.lane) }
            if retiring { _ = try await a.exchange.leave() }
            try await body(group, b, files)
        }
    }

    private func expectComplete(_ b: SimulatedFolderDevice) async throws {
        let d = try SimulatedFolderDevice("d", replica: b.replica.path, seed: 9)
        let report = try await d.pass().report
        #expect(report.imported == 7)
        #expect(report.waiting.filter { !$0.reason.hasPrefix("incomplete") }.isEmpty, "\(report.waiting)")
        #expect(try d.values() == b.values() && d.values().count == 7)
        let verification = try FolderVerification(of: b.replica.path)
        #expect(verification.isClean, "\(verification.findings)")
        for level in [VerifyLevel.names, .hash] {
            #expect(try FolderVerification(of: b.replica.path, level: level).problems.isEmpty)
        }
    }

    @Test func whatARetiredLaneLosesIsPublishedByWhoHasIt() async throws {
        try await gone(retiring: true) { _, b, files in
            let entries = files.filter { $0.contains("/e-") }
            for file in [entries[1], entries[2], entries[5]] { try b.replica.remove(file) }
            let report = try await b.pass().report
            #expect(report.carried == 3 && report.sent == 3)
            try await expectComplete(b)
            let before = try b.replica.looks()
            for _ in 0..<2 { #expect(try await b.pass().report.carried == 0) }
            #expect(try b.replica.looks().filter { before[$0.key] != nil } == before)
        }
    }

    @Test func aPieceThatARetiredLaneLosesIsPublishedToo() async throws {
        try await gone(retiring: true) { _, b, files in
            try b.replica.remove(try #require(files.first { $0.contains("/v-") }))
            #expect(try await b.pass().report.carried == 1)
            let d = try SimulatedFolderDevice("d", replica: b.replica.path, seed: 9)
            #expect(try await d.pass().report.imported == 7)
            #expect(try d.values() == b.values())
        }
    }

    @Test func aFileThatARetiredLaneHasCutOffIsStoodInFor() async throws {
        try await gone(retiring: true) { _, b, files in
            let file = try #require(files.first { $0.contains("/e-2-") })
            try b.replica.write(Array(try #require(try b.replica.read(file)).prefix(100)), to: file)
            #expect(try await b.pass().report.carried == 1)
            try await expectComplete(b)
        }
    }

    @Test func aLaneThatIsNotRetiredIsGivenThreeDaysOfElapsedTime() async throws {
        try await gone(retiring: false) { _, b, files in
            try b.replica.remove(try #require(files.first { $0.contains("/e-4-") }))
            // However far the clock steps between two passes, an hour of it counts.
            for _ in 0..<72 {
                #expect(try await b.pass().report.carried == 0)
                b.clock.advance(10 * 3_600_000)
            }
            #expect(try await b.pass().report.carried == 1)
            try await expectComplete(b)
        }
    }

    @Test func aFileThatComesBackInTimeIsNotCarried() async throws {
        try await gone(retiring: false) { _, b, files in
            let file = try #require(files.first { $0.contains("/e-4-") })
            let bytes = try #require(try b.replica.read(file))
            for round in 0..<80 {
                if round.isMultiple(of: 40) { try b.replica.remove(file) }
                if round % 40 == 39 { try b.replica.write(bytes, to: file) }
                #expect(try await b.pass().report.carried == 0)
                b.clock.advance(3_600_000)
            }
        }
    }

    @Test func twoDevicesThatCarryTheSameDoNoHarm() async throws {
        try await gone(retiring: true) { _, b, files in
            let c = try SimulatedFolderDevice("c", replica: b.replica.path, seed: 8)
            try await c.pass()
            let own = SimulatedFolderTree(b.replica.path)
            let file = try #require(files.first { $0.contains("/e-3-") })
            try own.remove(file)
            // Each carries before it sees the other's.
            let before = try own.contents()
            #expect(try await c.pass().report.carried == 1)
            let byC = try own.contents()
            try own.replace(with: before)
            #expect(try await b.pass().report.carried == 1)
            try own.replace(with: try own.contents().merging(byC) { mine, _ in mine })
            for device in [b, c, b] { #expect(try await device.pass().report.carried == 0) }
            try await expectComplete(b)
        }
    }

    @Test func repairWritesWhatIsProvenAtOnceAndSaysWhatStaysBroken() async throws {
        try await gone(retiring: false) { group, b, files in
            try b.replica.remove(try #require(files.first { $0.contains("/e-4-") }))
            // Own bytes that look the same and are not.
            let own = try #require(try b.replica.list().first { $0.hasPrefix(b.lane) })
            var bytes = try #require(try b.replica.read(own))
            bytes[bytes.count / 2] ^= 1
            try b.replica.write(bytes, to: own)
            let foreign = try #require(files.first { $0.contains("/e-2-") })
            var spoiled = try #require(try b.replica.read(foreign))
            spoiled[spoiled.count / 2] ^= 1
            try b.replica.write(spoiled, to: foreign)
            let repair = try await b.exchange.repair()
            #expect(repair.report.restored == 1 && repair.report.carried == 2)
            #expect(repair.verification.findings.map(\.file) == [foreign])
            #expect(try b.replica.read(foreign) == spoiled, "what another wrote stays")
            try await expectComplete(b)
            #expect(try await group.devices[0].exchange.repair().verification.isClean)
        }
    }
}
