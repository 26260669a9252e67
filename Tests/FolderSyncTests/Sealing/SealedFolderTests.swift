import FileCoordination
import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// Devices with a transform in a folder, and such as have none or another key.
@Suite("Sealed folders")
struct SealedFolderTests {
    private static let key: UInt8 = 7

    private func device(
        _ name: String, in directory: String, key: UInt8? = Self.key, creating: Bool = false
    ) throws -> SimulatedFolderDevice {
        var design = SimulatedFolderDevice.Design()
        design.seed = UInt64(name.utf8.first ?? 0)
        design.transform = key.map { ScramblingTransform(key: $0) }
        return try SimulatedFolderDevice(
            name, replica: SimulatedFolderTree(directory + "/folder"), creating: creating, design: design)
    }

    /// The device's way to the folder with another transform.
    private func exchange(_ device: SimulatedFolderDevice, _ transform: (any FolderTransform)?) -> FolderExchange {
        FolderExchange(
            store: device.store, attachment: device.exchange.attachment,
            files: device.mortality.files(on: device.replica.files), transform: transform, pause: { _ in })
    }

    private func verification(of device: SimulatedFolderDevice) throws -> FolderVerification {
        try FolderVerification(of: device.replica.path, transform: ScramblingTransform(key: Self.key))
    }

    private static let needle = "a sentence that nobody else may read"

    /// Edits of two devices, with conflicts, packing and pieces, until both have everything.
    private func live(_ a: SimulatedFolderDevice, _ b: SimulatedFolderDevice) async throws {
        for number in 0..<17 {
            try await a.save("secret-id", "\(Self.needle) \(number)")
            try await a.pass()
        }
        let text = Array(String(repeating: Self.needle, count: 1_000).utf8)
        try await b.save([.insert(Value(id: "large", bytes: text)), .insert(Value(id: "secret-id", "by b"))])
        for device in [b, a, b, a] { try await device.pass() }
    }

    @Test func nothingOfValuesIsReadableAndEverythingWorks() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try device("a", in: directory, creating: true)
            let b = try device("b", in: directory)
            try await live(a, b)
            _ = try await a.exchange.publishSnapshot(pieceLength: 1_200)
            try SnapshotTale.expectSame(a, b)
            let large = try #require(try a.store.bytes(of: "large", at: try a.current()))
            try expectSealed(a.replica, hiding: large)
            let contents = try verification(of: a)
            #expect(contents.isClean, "\(contents.findings)")
            #expect(try FolderVerification(of: a.replica.path).counts[.future] ?? 0 > 3)
            // A new device begins with the snapshot, one without the key with nothing.
            for path in try a.replica.list() where path.contains("/e-") { try a.replica.remove(path) }
            let c = try device("c", in: directory)
            #expect(try await c.exchange.retrieve().damaged.isEmpty)
            try SnapshotTale.expectSame(c, a)
            let p = try device("p", in: directory, key: nil)
            let report = try await p.exchange.retrieve()
            #expect(report.imported == 0 && report.damaged.isEmpty && !report.future.isEmpty)
            // Own files that were lost are sealed again.
            #expect(try await a.pass().report.restored > 0)
            try await a.pass()
            #expect(try verification(of: a).isClean)
            try expectSealed(a.replica, hiding: large)
        }
    }

    /// Every file but cards and notes is sealed, and neither bytes nor names tell of the value.
    private func expectSealed(_ tree: SimulatedFolderTree, hiding value: [UInt8]) throws {
        let plainName = NameHash(SHA256.hash(value)).text
        for (path, bytes) in try tree.contents() where !path.hasSuffix(".store") {
            guard case .header(let header) = FolderFile.peek(bytes[...], fileLength: UInt64(bytes.count)) else {
                Issue.record("\(path) is none of ours")
                continue
            }
            #expect(header.isSealed, "\(path)")
            #expect(bytes.count < value.count / 4, "\(path) is compressed inside")
            #expect(!path.contains(plainName))
            for hidden in [Self.needle, "secret-id", "LLVSver1", "VREC"] {
                #expect(bytes.firstRange(of: Array(hidden.utf8)) == nil, "\(path) has \(hidden)")
            }
        }
    }

    @Test func aDeviceWithoutTheTransformGoesOnAndHidesNothing() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try device("a", in: directory, creating: true)
            let b = try device("b", in: directory)
            let p = try device("p", in: directory, key: nil)
            try await p.save("plain", "by p")
            try await p.pass()
            try await live(a, b)
            try await a.save("plain", "by a")
            try await a.pass()
            try await p.save("plain", "again by p")
            try await p.save("more", "of p")
            let outcome = try await p.pass()
            #expect(outcome.report.future.contains { $0.reason.contains("example.org/scrambling") })
            #expect(outcome.report.damaged.isEmpty && outcome.report.sent == 2)
            #expect(try p.store.versionCount() == 3, "nothing of a sealed file is here")
            for device in [a, b, p, a, b, p] { try await device.pass() }
            #expect(try a.text("more") == "of p")
            #expect(try a.text("secret-id") == "by b" || a.text("secret-id")?.hasPrefix(Self.needle) == true)
            try SnapshotTale.expectSame(a, b)
            #expect(try p.store.versionCount() == 3)
            #expect(try verification(of: a).isClean)
            // Given the transform, it has everything.
            let complete = exchange(p, ScramblingTransform(key: Self.key))
            for _ in 0..<2 {
                _ = try await p.pass(complete, p.coordinator)
                for device in [a, b] { try await device.pass() }
            }
            try SnapshotTale.expectSame(p, a)
            try SnapshotTale.expectSame(a, b)
        }
    }

    @Test func aWrongOrMissingKeyIsAnErrorAndDamagesNothing() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try device("a", in: directory, creating: true)
            try await a.save("k", Self.needle)
            try await a.pass()
            let before = try a.replica.contents()
            let d = try device("d", in: directory, key: 8)
            try await d.save("k", "by d")
            for _ in 0..<2 {
                let error = await #expect(throws: FolderSyncError.self) { try await d.pass() }
                #expect(error?.code == .wrongKey && error?.remedy.isEmpty == false)
                let sending = await #expect(throws: FolderSyncError.self) { try await d.exchange.send() }
                #expect(sending?.code == .wrongKey)
            }
            #expect(try d.store.versionCount() == 1)
            for (transform, code) in [
                (nil, FolderSyncError.Code.transformMissing), (ScramblingTransform(key: 8), .wrongKey),
            ] as [((any FolderTransform)?, FolderSyncError.Code)] {
                try await a.save("k", "not sent yet")
                let other = exchange(a, transform)
                let error = await #expect(throws: FolderSyncError.self) { try await a.pass(other, a.coordinator) }
                #expect(error?.code == code)
                let sending = await #expect(throws: FolderSyncError.self) { try await other.send() }
                #expect(sending?.code == code)
                await #expect(throws: FolderSyncError.self) { try await other.publishSnapshot() }
            }
            #expect(try a.replica.contents() == before)
            let right = exchange(d, ScramblingTransform(key: Self.key))
            for _ in 0..<2 {
                _ = try await d.pass(right, d.coordinator)
                try await a.pass()
            }
            try SnapshotTale.expectSame(d, a)
        }
    }

    @Test(arguments: BrokenTransform.Fault.allCases)
    func whatCannotBeSealedWaits(_ fault: BrokenTransform.Fault) async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try device("a", in: directory, creating: true)
            try await a.save("k", Self.needle)
            let outcome = try await a.pass(exchange(a, BrokenTransform(fault: fault)), a.coordinator)
            #expect(outcome.sendFailure?.code == .transformFailed)
            #expect(outcome.report.sent == 0)
            #expect(try a.replica.list().allSatisfy { $0.hasSuffix(".store") })
            #expect(try await a.pass().report.sent == 1)
        }
    }

    @Test(arguments: [false, true]) func callsMayFailOrBeTheLast(dying: Bool) async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try device("a", in: directory, creating: true)
            let b = try device("b", in: directory)
            var random = SimulatedFolderRandom(seed: 3)
            for number in stride(from: dying ? 1 : 4, to: .max, by: 6) {
                try await a.save([.insert(Value(id: "large", bytes: random.bytes(20_000)))])
                let calls = a.mortality.calls
                if dying {
                    a.mortality.die(atCall: number)
                } else {
                    a.mortality.fail(call: number, with: .inputOutput)
                }
                do {
                    try await a.pass()
                } catch {
                    #expect(
                        error is FolderSyncError || error is StoreError || a.mortality.isDead, "\(number): \(error)")
                }
                let hasHappened = a.mortality.calls - calls >= number
                try a.reopen()
                try await a.pass()
                #expect(try await b.pass().report.damaged.isEmpty, "call \(number)")
                try SnapshotTale.expectSame(a, b, "call \(number)")
                if !hasHappened {
                    #expect(number > 20)
                    break
                }
            }
            try await a.pass()
            let found = try verification(of: a)
            #expect(found.isClean, "\(found.findings)")
            for (path, bytes) in try a.replica.contents() where !path.hasSuffix(".store") {
                #expect(FolderSeal.label(of: bytes) != nil, "\(path)")
            }
        }
    }
}
