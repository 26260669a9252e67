import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Newer writers, and folders that get mixed up.
@Suite struct FormatCases {
    @Test func filesFromNewerVersionsAreKeptAndReportedAndTheRestGoesOn() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            var files: [String] = []
            for number in 0..<3 {
                try await a.save(try Value.ID("k\(number)"), "x", basedOn: .root)
                let known = Set(try a.replica.list())
                _ = try await a.exchange.send()
                files += try a.replica.list().filter { $0.contains("/e-") && !known.contains($0) }
            }
            try #require(files.count == 3)
            // Offsets of the container: its version at 8, required features from 12 (bit 40 is at 17), optional ones from 20.
            for (file, offset) in zip(files, [20, 17, 8]) {
                var bytes = try #require(try a.replica.read(file))
                bytes[offset] = offset == 8 ? 2 : 1
                let body = Array(bytes.dropLast(32))
                try b.replica.write(body + SHA256.hash(body).bytes, to: file)
            }
            let before = try b.replica.contents()
            let report = try await b.pass().report
            #expect(report.imported == 1)
            #expect(report.future.map(\.file).sorted() == files.dropFirst().sorted())
            try await b.save("mine", "y")
            #expect(try await b.pass().report.sent == 1)
            for file in files { #expect(try b.replica.read(file) == before[file]) }
        }
    }

    @Test func anotherStoresFolderIsRefusedAndNothingIsWritten() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let p = group.devices[0]
            try await p.save("k", "p")
            try await p.pass()
            try await SimulatedFolderGroup.with(1, seed: 77) { other in
                let q = other.devices[0]
                try await q.save("k", "q")
                let before = try p.replica.looks()
                let error = #expect(throws: FolderSyncError.self) {
                    try FolderExchange.attach(q.store, to: p.replica.path)
                }
                #expect(error?.code == .otherStore)
                let creating = #expect(throws: FolderSyncError.self) {
                    try FolderExchange.attach(q.store, to: p.replica.path, creating: true)
                }
                #expect(creating?.code == .otherStore)
                #expect(try p.replica.looks() == before)
                #expect(try FolderExchange.attachments(of: q.store).count == 1)
            }
        }
    }

    @Test func twoStoresThatMeetInOneFolderBothStop() async throws {
        try await SimulatedFolderGroup.with(1) { one in
            try await SimulatedFolderGroup.with(1, seed: 77) { two in
                let (p, q) = (one.devices[0], two.devices[0])
                for device in [p, q] {
                    try await device.save("k", device.lane)
                    try await device.pass()
                }
                let (before, after) = (try p.replica.contents(), try q.replica.contents())
                let both = before.merging(after) { own, _ in own }
                for device in [p, q] { try device.replica.replace(with: both) }
                for device in [p, q] {
                    let text = try device.text("k")
                    try await device.save("more", "x")
                    let looks = try device.replica.looks()
                    let error = await #expect(throws: FolderSyncError.self) { try await device.pass() }
                    #expect(error?.code == .secondCard)
                    #expect(try device.replica.looks() == looks)
                    #expect(try device.text("k") == text)
                }
                // Parted again, each goes on.
                try p.replica.replace(with: before)
                try q.replica.replace(with: after)
                for device in [p, q] { #expect(try await device.pass().report.sent == 1) }
            }
        }
    }
}
