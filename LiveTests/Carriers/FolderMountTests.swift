import Foundation
import TestSupport
import Testing

/// Shared folders and mirrored directories on file systems with manners of their own.
@Suite("Folders on other file systems", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct FolderMountTests {
    private let directory: LiveDirectory
    private let devices: CarriedMirrors

    init() throws {
        directory = try LiveDirectory()
        devices = try CarriedMirrors("a", "b", "c", in: directory)
    }

    @Test(
        .enabled(if: ForeignMount.Kind.bindfs.isMountable, ForeignMount.Kind.bindfs.reason),
        .enabled(if: ForeignMount.Kind.sshfs.isMountable, ForeignMount.Kind.sshfs.reason))
    func behindMountsThatTellNothingChangesArriveAllTheSame() async throws {
        let shared = directory.path(CarriedMirrors.folder("a"))
        let mounts = try [
            ForeignMount(.bindfs, of: shared, as: "mount-b", in: directory),
            ForeignMount(.sshfs, of: shared, as: "mount-c", in: directory),
        ]
        defer { withExtendedLifetime(mounts) {} }
        try devices.write("first\n", to: "a/first.txt")
        try devices.settle("a", "--create")
        let running = try [
            FoldersyncProcess.start(devices.words("a")),
            FoldersyncProcess.start(devices.words("b", through: mounts[0].path)),
            FoldersyncProcess.start(devices.words("c", through: mounts[1].path)),
        ]
        defer { for process in running { process.kill() } }
        #expect(await eventually(within: .seconds(30)) { devices.areEqual("a", "b", "c") })
        try devices.write("from a\n", to: "a/a.txt")
        try devices.write("from c\n", to: "c/c.txt")
        let arrived = await eventually(within: .seconds(30)) {
            devices.areEqual("a", "b", "c") && devices.files("b").count == 3
        }
        #expect(arrived, "\(["a", "b", "c"].map { devices.files($0).keys.sorted() })")
        for process in running { process.process.terminate() }
        for process in running { #expect(process.wait().status == 0) }
    }

    @Test(.enabled(if: ForeignMount.Kind.ntfs.isMountable, ForeignMount.Kind.ntfs.reason))
    func whereAllNamesAreShownInLowerCaseNobodysFilesAreRenamed() throws {
        let shared = directory.path(CarriedMirrors.folder("a"))
        try devices.write("upper\n", to: "a/Plan.txt")
        try devices.write("in a folder\n", to: "a/Work/Read Me.md")
        try devices.settle("a", "--create")
        let mount = try ForeignMount(.ntfs, as: "b", in: directory)
        defer { withExtendedLifetime(mount) {} }
        for _ in 0..<2 { try devices.settle("b", through: shared) }
        try devices.settle("a")
        #expect(devices.files("a").keys.sorted() == ["Plan.txt", "Work/Read Me.md"])
        // Edits and deletions there are of the files that are meant.
        try devices.write("edited\n", to: "b/plan.txt")
        try FileManager.default.removeItem(atPath: mount.path + "/work/read me.md")
        try devices.settle("b", through: shared)
        // A second spelling has no place there, and stays with the others.
        try devices.write("lower\n", to: "a/plan.txt")
        try devices.settle("a")
        let second = try devices.run("b", through: shared)
        #expect(second.status == 1 && second.output.contains("another spelling"), "\(second.output)\(second.errors)")
        try devices.settle("a")
        #expect(devices.files("a").keys.sorted() == ["Plan.txt", "plan.txt"])
        #expect(devices.text("a/Plan.txt") == "edited\n" && devices.text("a/plan.txt") == "lower\n")
        #expect(devices.text("b/plan.txt") == "edited\n")
        try devices.verifyStores("a", "b")
    }

    @Test(.enabled(if: ForeignMount.Kind.fat.isMountable, ForeignMount.Kind.fat.reason))
    func savesWithinOneTickOfTwoSecondsAllArrive() throws {
        let mount = try ForeignMount(.fat, as: "fat", in: directory)
        defer { withExtendedLifetime(mount) {} }
        let shared = mount.path + "/shared"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: true)
        try devices.write("0\n", to: "a/x.txt")
        try devices.settle("a", "--create", through: shared)
        try devices.settle("b", through: shared)
        for (number, name) in ["a", "b", "a", "b"].enumerated() {
            try devices.write("\(number)\n", to: "\(name)/x.txt")
            try devices.settle(name, through: shared)
            let other = name == "a" ? "b" : "a"
            try devices.settle(other, through: shared)
            #expect(devices.text("\(other)/x.txt") == "\(number)\n")
        }
        try FoldersyncProcess.succeed("verify", shared)
    }
}
