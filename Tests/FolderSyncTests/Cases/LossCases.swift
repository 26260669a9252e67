import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Folders that are unmounted, emptied, rolled back; files that are lost.
@Suite struct LossCases {
    @Test(arguments: [true, false]) func anUnmountedFolderStopsEverythingAndNothingIsMade(isEmpty: Bool) async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            try group.courier.unmount(0, leavingDirectory: isEmpty)
            let code: FolderSyncError.Code = isEmpty ? .folderEmptyOrUnmounted : .folderMissing
            try await a.save("k", "2")
            for _ in 0..<2 {
                let error = await #expect(throws: FolderSyncError.self) { try await a.pass() }
                #expect(error?.code == code)
                let sending = await #expect(throws: FolderSyncError.self) { try await a.exchange.send() }
                #expect(sending?.code == code)
                #expect(try a.replica.isThere() == isEmpty)
                if isEmpty { #expect(try a.replica.everyName().isEmpty) }
            }
            #expect(try a.text("k") == "2")
            try group.courier.mount(0)
            #expect(try await a.pass().report.sent == 1)
            try group.courier.syncAll()
            #expect(try await b.pass().report.imported == 2)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test(arguments: [true, false]) func anEmptiedFolderIsFilledAgainWithEverything(keepsCard: Bool) async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let folder = directory + "/folder"
            let a = try SimulatedFolderDevice("a", replica: folder, creating: true, seed: 1)
            for number in 0..<50 {
                try await a.save(try Value.ID("k\(number % 7)"), "\(number)")
                try await a.pass()
            }
            try await a.pass()
            // Three times sixteen of them are packed.
            #expect(try a.replica.list().count == 1 + 3 + 2)
            for file in try a.replica.list() where !keepsCard || !file.hasSuffix(".store") {
                try a.replica.remove(file)
            }
            try await a.save("last", "x")
            if !keepsCard {
                let error = await #expect(throws: FolderSyncError.self) { try await a.pass() }
                #expect(error?.code == .folderEmptyOrUnmounted)
                #expect(try a.replica.list().isEmpty)
                try FolderExchange.attach(a.store, to: folder, creating: true)
            }
            let report = try await a.pass().report
            #expect(report.sent == 1 && report.restored == 5)
            let d = try SimulatedFolderDevice("d", replica: folder, seed: 2)
            #expect(try await d.pass().report.imported == 51)
            #expect(try d.current() == a.current())
            #expect(try FolderVerification(of: folder).isClean)
        }
    }

    @Test func aFolderWithoutOldFilesIsNeverTakenForComplete() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let folder = directory + "/folder"
            let a = try SimulatedFolderDevice("a", replica: folder, creating: true, seed: 1)
            for number in 0..<5 {
                try await a.save("k", "\(number)")
                try await a.pass()
            }
            for file in try a.replica.list().filter({ $0.contains("/e-") }).prefix(3) { try a.replica.remove(file) }
            let d = try SimulatedFolderDevice("d", replica: folder, seed: 2)
            let report = try await d.pass().report
            #expect(report.imported == 0)
            #expect(report.waiting.contains { $0.reason == "the lane is known up to 5, 0 are here" })
            try await a.pass()
            #expect(try await d.pass().report.imported == 5)
        }
    }

    @Test func aFolderThatIsRolledBackLosesNothing() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            var backup: [String: [UInt8]] = [:]
            for number in 0..<30 {
                let device = group.devices[number % 2]
                try await device.save(try Value.ID("k\(number)"), "x")
                try await device.pass()
                if number == 9 { backup = try a.replica.contents() }
            }
            try await group.settle()
            let count = try a.store.versionCount()
            try a.replica.replace(with: backup)
            for device in [a, b] {
                let report = try await device.pass().report
                #expect(report.imported == 0 && report.restored > 0)
                #expect(try device.store.versionCount() == count)
            }
            let c = try SimulatedFolderDevice("c", replica: a.replica.path, seed: 9)
            #expect(try await c.pass().report.imported == count)
            #expect(try c.values() == a.values())
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func oneLostFileIsWrittenAgainByItsOwner() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for number in 0..<6 {
                try await a.save("k", "\(number)")
                try await a.pass()
                try await b.pass()
            }
            let lost = try a.replica.list().filter { $0.contains("/e-") }[3]
            let bytes = try #require(try a.replica.read(lost))
            try a.replica.remove(lost)
            #expect(try await b.pass().report.restored == 0)
            #expect(try await a.pass().report.restored == 1)
            #expect(try a.replica.read(lost) == bytes)
            #expect(try FolderVerification(of: a.replica.path).isClean)
        }
    }

    @Test func aFileIsMissedTwiceBeforeItIsWrittenAgain() async throws {
        try await SimulatedFolderTree.withDirectory { directory in
            let a = try SimulatedFolderDevice("a", replica: directory + "/folder", creating: true, seed: 1)
            for text in ["1", "2"] {
                try await a.save("k", text)
                try await a.pass()
            }
            let files = try a.replica.list().filter { $0.contains("/e-") }
            let bytes = try #require(try a.replica.read(files[0]))
            try a.replica.remove(files[0])
            // While the exchange waits for its second look, the missing file comes back and the other goes.
            let replica = a.replica
            let exchange = FolderExchange(
                store: a.store, attachment: a.exchange.attachment,
                pause: { pause in
                    #expect(pause == .seconds(2))
                    try replica.write(bytes, to: files[0])
                    try replica.remove(files[1])
                })
            #expect(try await exchange.send().restored == 0)
            #expect(try a.replica.read(files[1]) == nil)
            #expect(try await a.exchange.send().restored == 1)
        }
    }
}
