import Foundation
import Testing

/// A file system that is mounted for one test, and goes with it.
final class LiveMount {
    /// What can be mounted.
    enum Kind: String, CaseIterable, Sendable {
        case tmpfs, ext4, xfs, overlay, fuse

        /// Why it cannot be mounted here, or nil.
        var obstacle: String? {
            if getuid() != 0 { return "only root can mount" }
            switch self {
            case .tmpfs: return nil
            case .ext4, .xfs:
                if !LiveGate.has("mkfs.\(rawValue)") { return "mkfs.\(rawValue) is not installed" }
                return FileManager.default.fileExists(atPath: "/dev/loop-control") ? nil : "no loop devices"
            case .overlay: return LiveMount.kernelKnows("overlay") ? nil : "the kernel has no overlay"
            case .fuse: return LiveGate.has("bindfs") ? nil : "bindfs is not installed"
            }
        }

        static var mountable: [Kind] { LiveGate.isOpen ? allCases.filter { $0.obstacle == nil } : [] }
    }

    let kind: Kind
    let path: String
    private let directory: LiveDirectory
    private let options: String?
    private var server: LiveProgram?

    /// Makes a file system and mounts it.
    init(_ kind: Kind, options: String? = nil) throws {
        self.kind = kind
        self.options = options
        directory = try LiveDirectory()
        path = directory.path("mount")
        for name in ["mount", "lower", "upper", "work", "source"] {
            try FileManager.default.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true)
        }
        if kind == .ext4 || kind == .xfs { try makeImage() }
        try mount()
        // Another user is to write here as well.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: path)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
    }

    func callAsFunction(_ name: String) -> String { "\(path)/\(name)" }

    /// Cuts the power: what the disk does not have is gone. `XFS_IOC_GOINGDOWN`, which ext4 has as well.
    func cutPower(flushingTheLog: Bool) throws {
        // A program that another test starts just now must not hold on to it.
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try #require(folder >= 0)
        defer { close(folder) }
        var mode: UInt32 = flushingTheLog ? 1 : 2
        try #require(ioctl(folder, 0x8004_587D, &mode) == 0, "the file system cannot be shut down")
    }

    /// Takes it down and mounts it again, as after a start of the machine.
    func remount() throws {
        var errors = ""
        // Whoever looks at all mounts keeps it busy for an instant.
        let isDown = try eventually(within: 10) {
            let outcome = try LiveProgram.run("umount", path)
            errors = outcome.errors
            return outcome.status == 0
        }
        try #require(isDown, "umount: \(errors)")
        try mount()
    }

    private func makeImage() throws {
        let image = directory.path("image")
        try LiveProgram.succeed("truncate", "-s", kind == .xfs ? "320M" : "64M", image)
        let quiet = kind == .xfs ? "-q" : "-qF"
        try LiveProgram.succeed("mkfs.\(kind.rawValue)", quiet, image)
    }

    private func mount() throws {
        let extra = options.map { ",\($0)" } ?? ""
        switch kind {
        case .tmpfs: try LiveProgram.succeed("mount", "-t", "tmpfs", "-o", options ?? "size=16m", "tmpfs", path)
        case .ext4, .xfs: try LiveProgram.succeed("mount", "-o", "loop\(extra)", directory.path("image"), path)
        case .overlay:
            let layers = ["lower", "upper", "work"].map { "\($0)dir=\(directory.path($0))" }.joined(separator: ",")
            try LiveProgram.succeed("mount", "-t", "overlay", "-o", layers, "overlay", path)
        case .fuse: try mountByServer()
        }
    }

    /// In the foreground: a server in the background would hold on to what tells that its parent has ended.
    private func mountByServer() throws {
        server = try LiveProgram(["bindfs", "-f", "-o", "allow_other", directory.path("source"), path])
        let isMounted = try eventually(within: 10) {
            try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).contains(" \(path) ")
        }
        try #require(isMounted, "bindfs does not mount")
    }

    private static func kernelKnows(_ name: String) -> Bool {
        do {
            return try String(contentsOfFile: "/proc/filesystems", encoding: .utf8).contains("\t\(name)\n")
        } catch { return false }
    }

    deinit {
        do {
            let outcome = try LiveProgram.run("umount", path)
            if outcome.status != 0 { print("still mounted: \(path): \(outcome.errors)") }
        } catch { print("still mounted: \(path): \(error)") }
    }
}
