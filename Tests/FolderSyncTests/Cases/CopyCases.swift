import FileCoordination
import FolderSync
import LLVSCore
import TestSupport
import Testing

/// Conflict copies, renamed files and droppings.
@Suite struct CopyCases {
    @Test func conflictCopiesOfEveryServiceAreDuplicatesAndStay() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            try group.courier.syncAll()
            try await b.pass()
            let file = try #require(try b.replica.list().first { $0.contains("/e-") })
            let bytes = try #require(try b.replica.read(file))
            let copies = (0..<CourierNames.count).map { CourierNames.conflict(file, service: $0) }
            for copy in copies { try b.replica.write(bytes, to: copy) }
            let count = try b.store.versionCount()
            for _ in 0..<2 {
                let report = try await b.pass().report
                #expect(report.imported == 0 && report.damaged.isEmpty && report.waiting.isEmpty)
                #expect(report.duplicates == copies.count)
            }
            #expect(try b.store.versionCount() == count)
            #expect(try Set(b.replica.list()).isSuperset(of: copies))
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func conflictCopiesInTheOwnLaneAreNotTakenForOwnFiles() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            try await a.save("k", "1")
            try await a.pass()
            let file = try #require(try a.replica.list().first { $0.contains("/e-") })
            let copy = CourierNames.conflict(file, service: 5)
            try a.replica.write(try #require(try a.replica.read(file)), to: copy)
            try a.reopen()
            try await a.pass()
            try a.replica.remove(copy)
            #expect(try await a.pass().report.restored == 0)
            #expect(try a.replica.list().filter { $0.contains("/e-") } == [file])
        }
    }

    @Test func aGoodConflictCopyStandsInForItsCutOriginal() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            let file = try #require(try a.replica.list().first { $0.contains("/e-") })
            let bytes = try #require(try a.replica.read(file))
            for replica in [a.replica, b.replica] {
                try replica.write(Array(bytes.prefix(bytes.count / 2)), to: file)
                try replica.write(bytes, to: CourierNames.conflict(file, service: 1))
            }
            let report = try await b.pass().report
            #expect(report.imported == 1)
            #expect(report.waiting.map(\.file).contains(file))
            #expect(try await a.pass().report.restored == 1)
            #expect(try a.replica.read(file) == bytes)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func droppingsAreIgnoredNeitherSentNorDeleted() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            try await a.save("k", "1")
            try await a.pass()
            let file = try #require(try a.replica.list().first { $0.contains("/e-") })
            let name = try #require(file.split(separator: "/").last)
            let droppings = [
                ".DS_Store", "._\(name)", "desktop.ini", "Thumbs.db", "Icon\r", ".directory", ".dropbox", "@eaDir/x",
                ".stfolder/x",
            ]
            var written: [String] = []
            for directory in ["", a.lane + "/"] {
                for dropping in droppings where directory.isEmpty || !dropping.contains("/") {
                    try a.replica.write([UInt8](repeating: 7, count: 4_096), to: directory + dropping)
                    written.append(directory + dropping)
                }
            }
            for device in [a, b, a] {
                try await device.save(try Value.ID("from \(device.name)"), "x")
                let report = try await device.pass().report
                #expect(report.damaged.isEmpty && report.foreign.isEmpty && report.waiting.isEmpty)
                #expect(report.strays == 16)
            }
            #expect(try Set(a.replica.everyName()).isSuperset(of: written))
            #expect(try FolderVerification(of: a.replica.path).isClean)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }
}
