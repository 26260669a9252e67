import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Files that arrive torn, empty, late or in the wrong order.
@Suite struct ArrivalCases {
    @Test func anEmptyFileIsReportedAsIncompleteAndTheOthersAreImported() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for number in 0..<5 { try await a.save("k", "\(number)") }
            try await a.pass()
            try group.courier.syncAll()
            try await b.pass()
            var files: [String] = []
            for number in 0..<3 {
                let before = Set(try a.replica.list())
                try await a.save(try Value.ID("x\(number)"), "new")
                try await a.pass()
                files += try a.replica.list().filter { !before.contains($0) }
            }
            try #require(files.count == 3)
            try group.courier.deliver(files[0], from: 0, to: 1)
            try b.replica.write([], to: files[1])
            try group.courier.deliver(files[2], from: 0, to: 1)
            let torn = try await b.pass().report
            #expect(torn.imported == 1)
            #expect(torn.waiting.contains { $0.file == files[1] && $0.reason.hasPrefix("incomplete: 0 of") })
            #expect(torn.waiting.contains { $0.file == files[2] && $0.reason.contains("waits for its parent") })
            #expect(torn.damaged.isEmpty)
            try group.courier.deliver(files[1], from: 0, to: 1)
            #expect(try await b.pass().report.imported == 2)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func aTornConflictCopyOfAFileThatIsHereIsADuplicateAndNotWaitedFor() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            let file = try #require(try a.replica.list().first { $0.contains("/e-") })
            let bytes = try #require(try a.replica.read(file))
            let copy = file.replacing(".llvs", with: ".sync-conflict-20261130-120000-ABCDEFG.llvs")
            try group.courier.syncAll()
            try b.replica.write([UInt8](bytes.dropLast(20)), to: copy)
            let report = try await b.pass().report
            #expect(report.waiting.isEmpty && report.duplicates == 1)
            let folder = try FolderVerification(of: b.replica.path)
            #expect(folder.isClean && folder.counts[.duplicate] == 1)
            // Without its original, or with other bytes, it may bring something.
            try b.replica.write([UInt8](bytes.dropLast(40)) + [1], to: copy)
            #expect(try await b.pass().report.waiting.map(\.file) == [copy])
            try b.replica.write([UInt8](bytes.dropLast(20)), to: copy)
            try b.replica.remove(file)
            #expect(try FolderVerification(of: b.replica.path).waiting.map(\.file) == [copy])
        }
    }

    @Test func ownFilesOfZeroBytesAreWrittenAgainAfterReopening() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            let file = try #require(try a.replica.list().first { $0.contains("/e-") })
            let bytes = try #require(try a.replica.read(file))
            try a.replica.write([UInt8](repeating: 0, count: bytes.count), to: file)
            try a.reopen()
            try await a.save("k", "2")
            let again = try await a.pass().report
            #expect(again.restored == 1)
            #expect(try a.replica.read(file) == bytes)
            #expect(try await b.pass().report.imported == 2)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func aVersionWaitsForThePiecesOfItsValues() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "old")
            try await a.pass()
            try group.courier.syncAll()
            try await b.pass()
            var random = SimulatedFolderRandom(seed: 1)
            try await a.save([.insert(Value(id: "big", bytes: random.bytes(3 << 20)))])
            try await a.pass()
            try group.courier.deliverAll(from: 0, to: 1) { !$0.contains("/v-") }
            for _ in 0..<3 {
                let report = try await b.pass().report
                #expect(report.imported == 0 && report.damaged.isEmpty && report.isComplete)
                #expect(report.waiting.contains { $0.reason.contains("waits for 1 file") })
                #expect(try b.text("k") == "old")
            }
            try group.courier.deliverAll(from: 0, to: 1)
            #expect(try await b.pass().report.imported == 1)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func childrenThatComeBeforeTheirParentsWait() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            var files: [String] = []
            // One more, and they would be packed.
            for number in 0..<15 {
                try await a.save("k", "\(number)")
                try await a.pass()
                let known = Set(files)
                files += try a.replica.list().filter { $0.contains("/e-") && !known.contains($0) }
            }
            for file in files.dropFirst().reversed() {
                try group.courier.deliver(file, from: 0, to: 1)
                let report = try await b.pass().report
                #expect(report.imported == 0)
                #expect(report.waiting.contains { $0.reason.contains("waits for its parent") })
            }
            try group.courier.deliver(files[0], from: 0, to: 1)
            #expect(try await b.pass().report.imported == 15)
            #expect(try b.text("k") == "14")
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test(arguments: [0.0, 1_767_000_000, 4_291_747_200]) func timesOfFilesDecideNothing(time: Double) async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            let first = try #require(try a.replica.list().first { $0.contains("/e-") })
            try await a.save("k", "2")
            try await a.pass()
            for file in try a.replica.list() where file != first { try group.courier.deliver(file, from: 0, to: 1) }
            #expect(try await b.pass().report.imported == 0)
            try group.courier.deliver(first, from: 0, to: 1)
            try b.replica.touch(first, at: time)
            #expect(try await b.pass().report.imported == 2)
            #expect(try b.text("k") == "2")
        }
    }

    @Test func oneBadFileStopsNothingElse() async throws {
        try await SimulatedFolderGroup.with(3) { group in
            for number in 0..<10 {
                for device in group.devices {
                    try await device.save(try Value.ID("\(device.name) \(number)"), "x")
                    _ = try await device.exchange.send()
                }
            }
            let (a, c) = (group.devices[0], group.devices[2])
            try group.courier.deliverAll(from: 1, to: 0)
            try group.courier.deliverAll(from: 2, to: 0)
            let file = try #require(try a.replica.list().first { $0.hasPrefix("\(c.lane)/e-10-") })
            var bytes = try #require(try a.replica.read(file))
            bytes[bytes.count / 2] ^= 4
            try a.replica.write(bytes, to: file)
            try await a.save("own", "y")
            let report = try await a.pass().report
            #expect(report.imported == 19)
            #expect(report.sent >= 1)
            #expect(report.damaged.map(\.file) == [file])
            // The damage reaches its writer, who puts the bytes right.
            try c.replica.write(bytes, to: file)
            #expect(try await c.pass().report.restored == 1)
            #expect(try FolderFile.decode(#require(try c.replica.read(file))).verified != nil)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test(arguments: ["header", "middle", "end", "name"]) func aFlippedBitIsSeen(place: String) async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            try group.courier.syncAll()
            let file = try #require(try b.replica.list().first { $0.contains("/e-") })
            var bytes = try #require(try b.replica.read(file))
            var name = file
            switch place {
            case "header": bytes[30] ^= 1
            case "middle": bytes[bytes.count / 2] ^= 1
            case "end": bytes[bytes.count - 4] ^= 1
            default:
                name = String(file.dropLast(6)) + (file.dropLast(5).last == "a" ? "b" : "a") + ".llvs"
                try b.replica.remove(file)
            }
            try b.replica.write(bytes, to: name)
            let report = try await b.pass().report
            #expect(report.imported == (place == "name" ? 1 : 0))
            #expect(report.damaged.map(\.file) == (place == "name" ? [] : [name]))
            let verification = try FolderVerification(of: b.replica.path)
            #expect(verification.problems.map(\.file).contains(name))
        }
    }

    @Test func aFileUnderAnotherFilesNameHidesNothing() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for text in ["1", "2"] {
                try await a.save("k", text)
                try await a.pass()
            }
            let files = try a.replica.list().filter { $0.contains("/e-") }
            try #require(files.count == 2)
            // The first file's bytes come under the second's name, then the second file itself.
            try b.replica.write(try #require(try a.replica.read(files[0])), to: files[1])
            #expect(try await b.pass().report.imported == 1)
            try group.courier.deliver(files[1], from: 0, to: 1)
            #expect(try await b.pass().report.imported == 1)
            #expect(try b.text("k") == "2")
            // And so for the writer: its own name with another file's bytes is not what it wrote.
            try a.replica.write(try #require(try a.replica.read(files[0])), to: files[1])
            #expect(try await a.pass().report.restored == 1)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }
}
