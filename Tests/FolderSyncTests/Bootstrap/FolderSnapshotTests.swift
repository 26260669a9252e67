import FileCoordination
import LLVSCore
import Synchronization
import TestSupport
import Testing

@testable import FolderSync

@Suite("Snapshots in the folder")
struct FolderSnapshotTests {
    @Test func aNewDeviceBeginsWithTheSnapshotAndReadsOnlyWhatIsNewer() async throws {
        try await SnapshotTale.with { tale in
            let snapshot = try await tale.publish(from: tale.a)
            #expect(try snapshot.files > 3 && snapshot.versions == tale.a.store.versionCount())
            let d = try tale.newDevice()
            let (first, read) = try await SnapshotTale.opened(by: d)
            #expect(first.report.imported == snapshot.versions && first.report.sent == 0)
            #expect(!read.contains { $0.contains("/e-") }, "\(read)")
            try SnapshotTale.expectSame(d, tale.a)
            #expect(try d.current() == tale.a.current())
            try await tale.a.save("k0", "newer")
            try await tale.a.pass()
            let (second, readThen) = try await SnapshotTale.opened(by: d)
            #expect(second.report.imported == 1 && readThen.count { $0.contains("/e-") } == 1)
            try await d.save("k1", "by d")
            #expect(try await d.pass().report.sent == 1)
            for device in [tale.b, tale.a] { try await device.pass() }
            try SnapshotTale.expectSame(d, tale.a)
            try SnapshotTale.expectSame(tale.b, tale.a)
            #expect(try FolderVerification(of: tale.tree.path).isClean)
        }
    }

    @Test func twoDevicesSnapshotAtOnceAndEitherServes() async throws {
        try await SnapshotTale.with { tale in
            let sets = [try await tale.publish(from: tale.a), try await tale.publish(from: tale.b)]
            for (number, set) in sets.enumerated() {
                let files = try tale.files(of: set.set)
                let kept = try files.map { ($0, try #require(try tale.tree.read($0))) }
                for file in files { try tale.tree.remove(file) }
                let d = try tale.newDevice("d\(number)")
                let (_, read) = try await SnapshotTale.opened(by: d)
                #expect(!read.contains { $0.contains("/e-") }, "\(read)")
                try SnapshotTale.expectSame(d, tale.a)
                for (file, bytes) in kept { try tale.tree.write(bytes, to: file) }
            }
        }
    }

    @Test func piecesOfTwoSetsNeverMakeUpOne() async throws {
        try await SnapshotTale.with { tale in
            let first = try tale.files(of: try await tale.publish(from: tale.a).set)
            try await tale.a.save("k0", "later")
            try await tale.a.pass()
            let second = try tale.files(of: try await tale.publish(from: tale.a).set)
            let late = try #require(try tale.lastEntries(of: tale.a))
            let lateBytes = try #require(try tale.tree.read(late))
            try tale.removeEntries()
            let lost = try #require(try tale.tree.read(first[1]))
            // Under its name lies the piece of the other set, which is whole.
            try tale.tree.write(try #require(try tale.tree.read(second[1])), to: first[1])
            try tale.tree.remove(second[0])
            try tale.tree.write(lateBytes, to: late)
            let d = try tale.newDevice()
            let before = try await d.pass().report
            #expect(try d.store.versionCount() == 0 && before.imported == 0)
            #expect(before.waiting.count { $0.reason.contains("pieces are here") } == 2, "\(before.waiting)")
            #expect(before.missing.contains { $0.lane.description == tale.a.lane && $0.here == 0 })
            #expect(before.waiting.contains { $0.reason.contains("the history is incomplete") })
            await #expect(throws: FolderSyncError.self) { try await tale.publish(from: d) }
            try tale.tree.write(lost, to: first[1])
            try await d.pass()
            #expect(try await d.pass().report.missing.isEmpty)
            try SnapshotTale.expectSame(d, tale.a)
        }
    }

    enum Damage: CaseIterable {
        case torn, empty, flipped, zeros, gone, otherStore, newer, swapped
    }

    @Test(arguments: Damage.allCases) func whateverHappensToTheNewestSetAnOlderOneServes(_ damage: Damage) async throws
    {
        try await SnapshotTale.with { tale in
            _ = try await tale.publish(from: tale.b)
            try await tale.a.save("k0", "later")
            try await tale.a.pass()
            let newest = try tale.files(of: try await tale.publish(from: tale.a).set)
            for (number, index) in [0, newest.count - 1].enumerated() {
                let right = try #require(try tale.tree.read(newest[index]))
                if let wrong = try Self.damaged(right, damage, other: try #require(try tale.tree.read(newest[2]))) {
                    try tale.tree.write(wrong, to: newest[index])
                } else {
                    try tale.tree.remove(newest[index])
                }
                let d = try tale.newDevice("d\(number)")
                let report = try await d.pass().report
                let told = report.waiting + report.damaged + report.foreign + report.future
                #expect(!told.isEmpty, "\(damage) \(index)")
                if damage == .otherStore { #expect(report.foreign.map(\.file) == [newest[index]]) }
                if damage == .newer { #expect(report.future.map(\.file) == [newest[index]]) }
                try SnapshotTale.expectSame(d, tale.a, "\(damage) \(index)")
                // Good bytes under a conflict copy's name are good.
                try tale.tree.write(right, to: newest[index].replacing(".llvs", with: " (1).llvs"))
                let e = try tale.newDevice("e\(number)")
                let (_, read) = try await SnapshotTale.opened(by: e)
                #expect(!read.contains { $0.contains("/e-") }, "\(damage) \(index)")
                try SnapshotTale.expectSame(e, tale.a, "\(damage) \(index)")
                try tale.tree.remove(newest[index].replacing(".llvs", with: " (1).llvs"))
                try tale.tree.write(right, to: newest[index])
            }
        }
    }

    private static func damaged(_ right: [UInt8], _ damage: Damage, other: [UInt8]) throws -> [UInt8]? {
        switch damage {
        case .torn: return Array(right.dropLast(right.count / 2))
        case .empty: return []
        case .flipped: return FormatSamples.flipped(right, bit: right.count * 4)
        case .zeros: return [UInt8](repeating: 0, count: right.count)
        case .gone: return nil
        case .otherStore: return FormatSamples.sealed(FormatSamples.patched(right, at: 36, UInt64(7)))
        case .newer: return FormatSamples.sealed(FormatSamples.patched(right, at: 12, UInt64(1) << 40))
        case .swapped: return other == right ? FormatSamples.flipped(right, bit: 800) : other
        }
    }

    @Test func snapshotsFollowThePolicyAndTheTwoNewestAreKept() async throws {
        try await SnapshotTale.with { tale in
            let exchange = FolderExchange(
                store: tale.a.store, attachment: tale.a.exchange.attachment, snapshots: .newVersions(2), pause: { _ in }
            )
            var sets: [[String]] = []
            for number in 0..<8 {
                try await tale.a.save(try Value.ID("k\(number)"), "more \(number)")
                _ = try await tale.a.pass(exchange, tale.a.coordinator)
                let there = Set(
                    try tale.tree.list().compactMap { path -> String? in
                        let name = FolderFileName(String(path.split(separator: "/").last ?? ""))
                        if case .snapshot(let set, _, _, _) = name { return set } else { return nil }
                    })
                sets.append(there.sorted())
            }
            // Every second save; a third set is there until it has been read again.
            #expect(sets.map(\.count) == [1, 1, 2, 2, 3, 2, 3, 2], "\(sets)")
            #expect(Set(sets.joined()).count == 4)
            #expect(try await tale.b.pass().report.strays == 0)
            let d = try tale.newDevice()
            try await d.pass()
            try SnapshotTale.expectSame(d, tale.a)
            #expect(try FolderVerification(of: tale.tree.path).isClean)
        }
    }

    @Test func aStoreThatIsNotReadyPublishesNothing() async throws {
        try await SnapshotTale.with { tale in
            let d = try tale.newDevice()
            try tale.removeEntries()
            let before = try tale.tree.everyName()
            let error = await #expect(throws: FolderSyncError.self) { try await tale.publish(from: d) }
            #expect(error?.code == .notReady)
            #expect(try tale.tree.everyName() == before)
        }
    }
}
