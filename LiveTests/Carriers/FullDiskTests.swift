import Foundation
import TestSupport
import Testing

/// Disks that are full or become read-only, and power that is cut, in the middle of it.
@Suite("Folders on failing disks", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct FullDiskTests {
    private let directory: LiveDirectory
    private let devices: CarriedMirrors

    init() throws {
        directory = try LiveDirectory()
        devices = try CarriedMirrors("a", "b", in: directory)
    }

    /// What deflate cannot make smaller.
    private func noise(_ seed: UInt64, count: Int = 60_000) -> String {
        var random = SeededRandom(seed: seed)
        return String(
            (0..<count / 8).map { _ in Character(Unicode.Scalar(UInt8.random(in: 48...111, using: &random))) })
    }

    private func remount(_ mount: LiveMount, _ options: String) throws {
        try LiveProgram.succeed("mount", "-o", "remount,\(options)", mount.path)
    }

    @Test(
        .enabled(if: LiveMount.Kind.mountable.contains(.tmpfs), "only root can mount"),
        arguments: [("size=16k", "size=4m"), ("nr_inodes=5", "nr_inodes=500")])
    func aSharedFolderThatIsFullOrReadOnlyIsToldAndNothingIsLost(small: String, large: String) throws {
        let mount = try LiveMount(.tmpfs, options: small)
        defer { withExtendedLifetime(mount) {} }
        try devices.write("fits\n", to: "a/0.txt")
        try devices.settle("a", "--create", through: mount.path)
        try devices.settle("b", through: mount.path)
        for number in 1...3 {
            try devices.write(noise(UInt64(number)), to: "a/\(number).txt")
            _ = try devices.run("a", through: mount.path)
        }
        let full = try devices.run("a", through: mount.path)
        #expect(full.status == 1 && full.output.contains("cannot be written to"), "\(full.output)\(full.errors)")
        let names = try FileManager.default.subpathsOfDirectory(atPath: mount.path)
        #expect(!names.contains { $0.contains("~") }, "half a file is left: \(names)")
        // Who reads is not disturbed.
        try devices.settle("b", through: mount.path)
        try remount(mount, large)
        for name in ["a", "b"] { try devices.settle(name, through: mount.path) }
        #expect(devices.areEqual("a", "b") && devices.files("b").count == 4)

        try remount(mount, "ro")
        try devices.write("meanwhile\n", to: "a/4.txt")
        let readOnly = try devices.run("a", through: mount.path)
        #expect(readOnly.status == 1 && readOnly.output.contains("read-only"), "\(readOnly.output)")
        try devices.settle("b", through: mount.path)
        try remount(mount, "rw")
        for name in ["a", "b"] { try devices.settle(name, through: mount.path) }
        #expect(devices.text("b/4.txt") == "meanwhile\n")
        try FoldersyncProcess.succeed("verify", mount.path)
    }

    @Test(
        .enabled(if: LiveMount.Kind.mountable.contains(.tmpfs), "only root can mount"),
        arguments: [("size=16k", "size=4m"), ("nr_inodes=4", "nr_inodes=500")])
    func aMirroredDirectoryThatIsFullIsFilledLater(small: String, large: String) throws {
        let mount = try LiveMount(.tmpfs, options: small)
        defer { withExtendedLifetime(mount) {} }
        let shared = directory.path(CarriedMirrors.folder("a"))
        for number in 0..<6 { try devices.write(noise(UInt64(number)), to: "a/\(number).txt") }
        try devices.settle("a", "--create")
        let words = ["mirror", mount.path, "--through", shared, "--store", devices.store("b"), "--once"]
        for _ in 0..<2 {
            let full = try FoldersyncProcess.start(words).wait()
            #expect(full.status == 1 && full.errors.contains("full"), "\(full.output)\(full.errors)")
        }
        // What did not fit was not deleted by anybody.
        try devices.settle("a")
        #expect(devices.files("a").count == 6)
        try remount(mount, large)
        let room = try FoldersyncProcess.start(words).wait()
        #expect(room.status == 0, "\(room.output)\(room.errors)")
        for (name, bytes) in devices.files("a") {
            #expect(FileManager.default.contents(atPath: mount(name)) == bytes, "\(name)")
        }
    }

    @Test(arguments: [LiveMount.Kind.ext4, .xfs].filter { LiveMount.Kind.mountable.contains($0) })
    func afterPowerCutsStoreAndFolderAreSoundAndGoOn(kind: LiveMount.Kind) throws {
        let mount = try LiveMount(kind)
        defer { withExtendedLifetime(mount) {} }
        let (files, shared, store) = (mount("files"), mount("shared"), mount("store"))
        for folder in [files, shared] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let words = ["mirror", files, "--through", shared, "--store", store]
        try Data("first\n".utf8).write(to: URL(fileURLWithPath: files + "/first.txt"))
        #expect(try FoldersyncProcess.start(words + ["--once", "--create"]).wait().status == 0)
        try devices.settle("b", through: shared)
        for round in 1...(LiveMachine.isPatient ? 8 : 1) {
            let running = try FoldersyncProcess.start(words)
            defer { running.kill() }
            // What others have must come again from the one whose disk forgot it.
            try devices.write("b in \(round)\n", to: "b/b\(round).txt")
            try devices.settle("b", through: shared)
            for number in 0..<3 {
                try Data("\(round) \(number)\n".utf8).write(to: URL(fileURLWithPath: files + "/\(round)-\(number).txt"))
                Thread.sleep(forTimeInterval: 0.15)
            }
            try mount.cutPower(flushingTheLog: round.isMultiple(of: 2))
            running.kill()
            _ = running.wait()
            try mount.remount()
            for place in [store, shared] {
                let verified = try FoldersyncProcess.run("verify", place)
                #expect(verified.status == 0, "\(place), round \(round): \(verified.output)\(verified.errors)")
            }
            let after = try FoldersyncProcess.start(words + ["--once"]).wait()
            #expect(after.status == 0, "round \(round): \(after.output)\(after.errors)")
            try devices.settle("b", through: shared)
            #expect(try FoldersyncProcess.start(words + ["--once"]).wait().status == 0)
            let held = try FileManager.default.contentsOfDirectory(atPath: files)
                .filter { !$0.hasPrefix("~syncthing~") }
            #expect(Set(held) == Set(devices.files("b").keys))
            #expect(held.contains("b\(round).txt"), "what the others have is here again")
        }
        try devices.verifyStores("b")
    }
}
