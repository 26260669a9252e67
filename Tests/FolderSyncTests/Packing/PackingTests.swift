import FolderSync
import LLVSCore
import TestSupport
import Testing

extension SimulatedFolderDevice {
    /// Saves and sends so many versions, one by one.
    func publish(_ count: Int, _ key: String = "k") async throws {
        for number in 0..<count {
            try await save(try Value.ID("\(key)\(number % 7)"), "\(acknowledged.count) of \(name)")
            _ = try await exchange.send()
        }
    }

    /// The files of entries in its lane.
    func entries() throws -> [String] { try replica.list().filter { $0.hasPrefix("\(lane)/e-") } }

    /// Ids, digests and values of every version.
    func everything() throws -> [[UInt8]: [String]] {
        var all: [[UInt8]: [String]] = [:]
        for bytes in try everyVersion() {
            let id = try Version.ID(utf8: bytes)
            let values = try store.valueIDs(at: id).map {
                "\($0) \(SHA256.hash(try store.bytes(of: $0, at: id) ?? []))"
            }
            all[bytes] = ["\(try store.digest(at: id))"] + values.sorted()
        }
        return all
    }
}

/// Small files are packed into larger ones, and nothing is lost by it.
@Suite struct PackingTests {
    @Test func manyFilesBecomeFewAndEveryVersionIsReadFromThem() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            var random = SimulatedFolderRandom(seed: 2)
            try await a.save([.insert(Value(id: "big", bytes: random.bytes(40_000)))])
            try await a.publish(299)
            let report = try await a.exchange.send()
            #expect(report.removed <= 32 && report.packed == 0 && report.damaged.isEmpty)
            // 300 = 1 · 256 + 2 · 16 + 12.
            #expect(try a.entries().count == 15)
            #expect(try await a.exchange.send() == SyncReport())
            let d = try SimulatedFolderDevice("d", replica: a.replica.path, seed: 2)
            #expect(try await d.pass().report.imported == 300)
            #expect(try d.everything() == a.everything())
            #expect(try d.store.verify().isEmpty)
            let folder = try FolderVerification(of: a.replica.path)
            #expect(folder.isClean && folder.versions == 300)
            // A packed file that is lost is written again as it was.
            let largest = try #require(try a.entries().first { $0.contains("/e-1-256-") })
            let bytes = try a.replica.read(largest)
            try a.replica.remove(largest)
            #expect(try await a.exchange.send().restored == 1)
            #expect(try a.replica.read(largest) == bytes)
        }
    }

    @Test func aDeletionThatTravelsFasterThanThePackedFileIsWaitedFor() async throws {
        try await SimulatedFolderGroup.with(3) { group in
            let (a, b, c) = (group.devices[0], group.devices[1], group.devices[2])
            try await a.publish(15)
            let small = try a.entries().sorted { $0.utf8.count < $1.utf8.count }
            try group.courier.deliverAll(from: 0, to: 1) { file in
                (1...10).contains { file.contains("/e-\($0)-\($0)-") }
            }
            #expect(try await b.pass().report.imported == 10)
            try await a.publish(1)
            #expect(try a.entries().count == 17, "what was packed goes in a later pass")
            try group.courier.deliverAll(from: 0, to: 2) { $0.contains("/e-") && !$0.contains("/e-1-16-") }
            try await c.pass()
            try await c.save("c", "has seen all")
            try await c.pass()
            #expect(try await a.exchange.send().removed == 16)
            #expect(try a.entries().count == 1)
            for file in small { try b.replica.remove(file) }
            try group.courier.deliverAll(from: 2, to: 1) { $0.hasPrefix(c.lane) }
            let waiting = try await b.pass().report
            #expect(waiting.imported == 0)
            #expect(waiting.waiting.contains { $0.reason == "the lane is known up to 16, 10 are here" })
            b.clock.advance(24 * 3_600_000)
            try group.courier.deliverAll(from: 0, to: 1)
            let late = try await b.pass().report
            #expect(late.imported == 7 && late.waiting.isEmpty)
            #expect(try b.store.versionCount() == 17)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func oldFilesStayUntilOtherLanesStateThatTheyHaveThem() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await b.save("b", "1")
            try await b.pass()
            try await a.pass()
            try await a.publish(16)
            for _ in 0..<3 { #expect(try await a.pass().report.removed == 0) }
            try await b.pass()
            #expect(try await a.pass().report.removed == 0, "reading states nothing")
            try await b.save("b", "2")
            try await b.pass()
            #expect(try await a.pass().report.removed == 16)
            #expect(try a.entries().count == 1)
            #expect(try await b.pass().report.imported == 0)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func oldFilesGoAfterSeventyTwoHoursOfPasses() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await b.save("b", "1")
            try await b.pass()
            try await a.pass()
            try await a.publish(16)
            // A clock that jumps counts an hour a pass; one that is set back counts nothing and goes on from there.
            for step in [Int64](repeating: 4 * 3_600_000, count: 35) + [-SimulatedFolderClock.fiftyYears]
                + [Int64](repeating: 4 * 3_600_000, count: 36)
            {
                a.clock.advance(step)
                #expect(try await a.exchange.send().removed == 0)
            }
            a.clock.advance(3_600_000)
            #expect(try await a.exchange.send().removed == 16)
            #expect(try a.entries().count == 1)
        }
    }

    @Test func aFileWithOtherBytesUnderAnOldNameIsNotDeleted() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            try await a.publish(16)
            let old = try a.entries().filter { !$0.contains("/e-1-16-") }
            let other = try #require(try a.replica.read(old[3]))
            try a.replica.write(other, to: old[0])
            try a.replica.write(Array("my holiday photos".utf8), to: old[1])
            try a.replica.write(Array(other.dropLast(7)), to: old[2])
            let report = try await a.pass().report
            #expect(report.removed == 14, "what is cut off is no file of anybody's")
            #expect(report.damaged.map(\.file).filter { $0 != old[2] } == Array(old[0...1]))
            #expect(try a.replica.read(old[1]) == Array("my holiday photos".utf8))
            #expect(try a.entries().count == 3)
            #expect(try await a.pass().report.damaged.isEmpty, "it is reported once")
            // The bytes it was written with are back: now it goes.
            try a.replica.write(other, to: old[3])
            try a.replica.remove(old[1])
            #expect(try await a.pass().report.removed == 1)
            #expect(try a.entries().count == 2)
        }
    }

    @Test func nothingIsTakenAwayWhileThePackedFileDoesNotVerify() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            try await a.publish(16)
            let packed = try #require(try a.entries().first { $0.contains("/e-1-16-") })
            let bytes = try #require(try a.replica.read(packed))
            try a.replica.write(bytes.dropLast() + [bytes[bytes.count - 1] ^ 1], to: packed)
            let mending = try await a.pass().report
            #expect(mending.removed == 0 && mending.restored == 1)
            #expect(try a.entries().count == 17)
            #expect(try await a.pass().report.removed == 16)
            #expect(try a.replica.read(packed) == bytes)
        }
    }

    @Test func oldFilesThatComeBackGoAgain() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.publish(15)
            let backup = try a.replica.contents()
            try await a.publish(2)
            try await a.pass()
            let packed = try a.replica.list()
            #expect(packed.count == 3)
            try a.replica.replace(with: backup)
            let report = try await a.pass().report
            #expect(report.imported == 0 && report.restored == 2 && report.removed == 0 && report.packed == 0)
            #expect(try await a.pass().report.removed == 15)
            #expect(try a.replica.list() == packed)
            #expect(try await b.pass().report.imported == 17)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func aTwinMeetsAPackedFileAndNothingIsLost() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let folder = directory + "/folder"
            let a = try SimulatedFolderDevice(
                "a", replica: folder, storePath: directory + "/a", creating: true, seed: 1)
            try await a.publish(10)
            try a.store.close()
            try SimulatedFolderTree(directory + "/twin").make(copying: SimulatedFolderTree(directory + "/a"))
            try a.reopen()
            try await a.publish(7)
            try await a.pass()
            #expect(try a.entries().count == 2)
            let store = try Store.open(at: directory + "/twin")
            let coordinator = StoreCoordinator(store: store)
            let exchange = FolderExchange(store: store, attachment: a.exchange.attachment, pause: { _ in })
            for number in 0..<20 {
                try await coordinator.save([.insert(Value(id: try Value.ID("t\(number)"), "by the twin"))])
            }
            // It has not heard of the other yet: its own old files are gone, and it writes them again.
            _ = try await exchange.send()
            let met = try await exchange.pass(coordinator)
            #expect(met.report.imported == 7)
            for _ in 0..<3 { try await a.pass() }
            let d = try SimulatedFolderDevice("d", replica: folder, seed: 2)
            #expect(try await d.pass().report.imported >= 37)
            #expect(try await d.exchange.waiting().isEmpty)
            try store.close()
            try a.store.close()
        }
    }

    @Test func anIdlePassWritesNothingAndOpensNoFile() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            try await a.publish(40)
            try await a.pass()
            let calls = Shared<[SimulatedFolderCall]>([])
            let files = SimulatedFolderFaults { call in calls.change { $0.append(call) } }
            let exchange = FolderExchange(store: a.store, attachment: a.exchange.attachment, files: files)
            func opened() -> [String] {
                calls.value.filter { $0.kind.changes || ($0.kind == .open && $0.path.contains(".")) }.map(\.path)
            }
            let first = try await exchange.pass(a.coordinator)
            #expect(!opened().isEmpty && opened().allSatisfy { $0.hasSuffix(".store") })
            calls.change { $0 = [] }
            #expect(try await exchange.pass(a.coordinator) == first)
            #expect(opened() == [] && !calls.value.isEmpty)
            // What changes is seen all the same.
            let file = try #require(try a.entries().first)
            try a.replica.remove(file)
            #expect(try await exchange.pass(a.coordinator).report.restored == 1)
            try await a.save("k", "new")
            #expect(try await exchange.pass(a.coordinator).report.sent == 1)
        }
    }
}
