import FileCoordination
import Foundation
import TestSupport
import Testing

/// What real programs write and the real kernel tells, read by the resolver.
@Suite("Shared folders of real programs", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct SharedFolderLiveTests {
    private let directory: LiveDirectory

    init() throws { directory = try LiveDirectory() }

    private func process(_ program: String, _ arguments: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            ["HOME": directory.path("home"), "RCLONE_CONFIG": directory.path("rclone.conf"), "STNOUPGRADE": "1"]
        ) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        return process
    }

    private func folders(of service: SyncService, _ environment: [String: String] = [:]) -> [SyncFolder] {
        SharedFolderResolver(home: directory.path("home"), environment: environment).candidates().folders
            .filter { $0.service == service }
    }

    @Test(.enabled(if: LiveGate.has("syncthing"), "syncthing is not installed"))
    func theSettingsThatSyncthingWritesAreRead() async throws {
        let settings = directory.path("settings")
        let generate = process("syncthing", ["generate", "--home=\(settings)"])
        try generate.run()
        await ended(generate)
        let found = folders(of: .syncthing, ["STHOMEDIR": settings])
        #expect(found.map(\.account) == ["Default Folder"])
        #expect(found.map(\.path) == [directory.path("home/Sync")])
        #expect(found.map(\.source) == [settings + "/config.xml"])
    }

    @Test(.enabled(if: LiveGate.has("rclone") && LiveGate.has("fusermount3"), "rclone is not installed"))
    func aMountOfRcloneIsFoundAndGoesWithIt() async throws {
        let (source, point) = (directory.path("source"), directory.path("mount point"))
        for folder in [source, point] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        let mount = process("rclone", ["mount", ":local:\(source)", point])
        try mount.run()
        let isMounted = await eventually { !folders(of: .rclone).filter { $0.path == point }.isEmpty }
        let found = folders(of: .rclone).filter { $0.path == point }
        // It unmounts when it is told to end.
        mount.terminate()
        await ended(mount)
        #expect(isMounted)
        #expect(found.map(\.state) == [.exists])
        #expect(found.map(\.basis) == [.mounted])
        #expect(found.first?.account?.hasSuffix(source) == true)
        #expect(!folders(of: .rclone).contains { $0.path == point })
    }

    private func ended(_ process: Process) async { _ = await eventually { !process.isRunning } }
}
