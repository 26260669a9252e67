import FileCoordination
import FolderSync
import LLVSCore
import Synchronization
import TestSupport
import Testing

/// Names, rights and oddities of file systems.
@Suite struct FileSystemCases {
    @Test func idsOfAnySortTravelAndFileNamesArePlain() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            let long = String(repeating: "long", count: 125)
            let ids = [
                "a:b?*|<>\"", "con", "aux.txt", "dot.", "space ", long, "🚀 plan", "../../x", "nul\u{0}l", "Note/A",
                "note/a",
                "e\u{301}", "\u{e9}",
            ]
            for text in ids { try await a.save(try Value.ID(text), "content of \(text)") }
            let nothing = ""
            #expect(throws: StoreError.self) { try Value.ID(nothing) }
            var random = SimulatedFolderRandom(seed: 4)
            try await a.save([.insert(Value(id: "big", bytes: random.bytes(50_000)))])
            try await a.pass()
            try await b.pass()
            for text in ids { #expect(try b.text(try Value.ID(text)) == "content of \(text)") }
            let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789._-")
            let names = try a.replica.everyName()
            for path in names {
                #expect(path.utf8.count <= 100)
                for name in path.split(separator: "/") {
                    #expect(
                        name.allSatisfy(allowed.contains) && !name.hasPrefix(".") && !name.hasSuffix("."), "\(path)")
                    #expect(!["con", "aux", "nul", "prn"].contains(name.prefix { $0 != "." }))
                }
            }
            #expect(Set(names.map { $0.lowercased() }).count == names.count)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }

    @Test func roundedAndShiftedTimesOfFilesCostNothing() async throws {
        try await SimulatedFolderGroup.with(2, sharing: true) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for device in [a, b, a] {
                try await device.save("k", device.name)
                try await device.pass()
            }
            try await group.settle()
            for file in try a.replica.list() { try a.replica.touch(file, at: 1_767_000_000 + 3_600) }
            let before = try a.replica.looks()
            for _ in 0..<2 {
                for device in group.devices {
                    let report = try await device.pass().report
                    #expect(report.imported == 0 && report.sent == 0 && report.restored == 0)
                }
            }
            #expect(try a.replica.looks() == before)
        }
    }

    @Test func aFolderThatCannotBeWrittenToIsFollowedAndOwnWorkWaits() async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            for text in ["1", "2"] {
                try await a.save("k", text)
                try await a.pass()
            }
            let d = try SimulatedFolderDevice("d", replica: a.replica.path, seed: 9)
            d.mortality.makeReadOnly(d.replica.path)
            #expect(throws: Errno.readOnlyFileSystem) {
                try d.mortality.files.makeDirectory(d.replica.path + "/x", permissions: .directory)
            }
            let before = try a.replica.looks()
            let first = try await d.pass()
            #expect(first.report.imported == 2 && first.sendFailure == nil)
            try await d.save("mine", "x")
            let second = try await d.pass()
            #expect(second.sendFailure?.code == .readOnly)
            #expect(second.report.waiting.contains { $0.reason == "the shared folder is read-only; 1 version waits" })
            #expect(try a.replica.looks() == before)
            d.mortality.makeReadOnly(nil)
            let third = try await d.pass()
            #expect(third.report.sent == 1 && third.sendFailure == nil)
            #expect(try await a.pass().report.imported == 1)
            #expect(try a.current() == d.current())
        }
    }

    @Test(arguments: [Errno.notSupported, .notPermitted, .invalidArgument, .badDescriptor, .inputOutput])
    func aFileSystemThatCannotSyncFoldersOrSetModesIsGoodEnough(errno: Errno) async throws {
        try await SimulatedFolderGroup.with(1) { group in
            let a = group.devices[0]
            let folder = a.replica.path
            let lane = "\(folder)/\(a.lane)"
            let files = SimulatedFolderFaults { (call) throws(Errno) in
                let isFolder = call.kind == .sync && (call.path == folder || call.path == lane)
                if isFolder { throw errno }
                if call.kind == .setAttributes, errno != .inputOutput, errno != .badDescriptor { throw errno }
            }
            try await a.save("k", "1")
            let exchange = FolderExchange(store: a.store, attachment: a.exchange.attachment, files: files)
            #expect(try await exchange.send().sent == 1)
            #expect(try FolderVerification(of: folder).isClean)
        }
    }

    @Test func placeholdersOfFilesInTheCloudAreNotMissingFiles() async throws {
        try await SimulatedFolderGroup.with(2) { group in
            let (a, b) = (group.devices[0], group.devices[1])
            for number in 0..<8 {
                try await a.save("k", "\(number)")
                try await a.pass()
            }
            let files = try a.replica.list().filter { $0.contains("/e-") }
            try group.courier.syncAll()
            for file in files.prefix(5) {
                let parts = file.split(separator: "/")
                try b.replica.remove(file)
                try b.replica.write([UInt8](repeating: 98, count: 200), to: "\(parts[0])/.\(parts[1]).icloud")
            }
            try await b.save("mine", "x")
            let report = try await b.pass().report
            #expect(report.waiting.filter { $0.reason == "is in the cloud, not on this disk" }.count == 5)
            #expect(report.imported == 0 && report.sent == 1 && report.damaged.isEmpty)
            for file in files.prefix(5) {
                let parts = file.split(separator: "/")
                try b.replica.remove("\(parts[0])/.\(parts[1]).icloud")
                try group.courier.deliver(file, from: 0, to: 1)
            }
            #expect(try await b.pass().report.imported == 8)
            try await group.settle()
            #expect(try group.brokenPromises().isEmpty)
        }
    }
}
