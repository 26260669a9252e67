import Foundation
import Testing

/// A file system of another program, mounted until the object goes.
final class ForeignMount {
    enum Kind: String, Sendable {
        /// Another view of a folder; what is written into that tells nobody here.
        case bindfs, sshfs
        /// NTFS as Windows takes names: all are shown in lower case.
        case ntfs
        /// FAT, with times of 2 s.
        case fat

        /// Why it cannot be mounted here, or nil.
        var obstacle: String? {
            if getuid() != 0 { return "only root can mount" }
            return programs.first { !LiveGate.has($0) && !FileManager.default.isExecutableFile(atPath: $0) }
                .map { "\($0) is not installed" }
        }

        private var programs: [String] {
            switch self {
            case .bindfs: ["bindfs"]
            case .sshfs: ["sshfs", ForeignMount.server]
            case .ntfs: ["mkntfs", "lowntfs-3g"]
            case .fat: ["mkfs.vfat", "fusefat"]
            }
        }

        var isMountable: Bool { obstacle == nil }
        var reason: Comment { Comment(rawValue: obstacle ?? "") }
    }

    fileprivate static let server = "/usr/lib/openssh/sftp-server"

    let path: String
    private let program: LiveProgram

    /// - Parameters:
    ///   - source: what `bindfs` and `sshfs` show.
    ///   - name: of the mount point, in the directory.
    init(_ kind: Kind, of source: String? = nil, as name: String, in directory: LiveDirectory) throws {
        let point = directory.path(name)
        path = point
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        // In the foreground, for a server in the background would hold on to the pipes of the test; and unheard, for one that
        // says much would wait for somebody to listen.
        program = try LiveProgram(
            ["sh", "-c", "exec \"$@\" >/dev/null 2>&1", "sh"] + Self.words(kind, source, point, directory))
        let isMounted = try eventually(within: 10) {
            try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8).contains(" \(point) ")
        }
        try #require(isMounted, "\(kind.rawValue) does not mount")
    }

    private static func words(
        _ kind: Kind, _ source: String?, _ path: String, _ directory: LiveDirectory
    ) throws -> [String] {
        let image = directory.path("\(kind.rawValue).image")
        switch kind {
        case .bindfs: return ["bindfs", "-f", try #require(source), path]
        case .sshfs:
            // The server itself in place of a connection to it. Without the cache, which is 20 seconds late.
            let script = directory.path("sftp.sh")
            try "#!/bin/sh\nexec \(server)\n".write(toFile: script, atomically: true, encoding: .utf8)
            try LiveProgram.succeed("chmod", "+x", script)
            return [
                "sshfs", "-f", "here:\(try #require(source))", path, "-o", "ssh_command=\(script)", "-o",
                "dir_cache=no",
            ]
        case .ntfs:
            try LiveProgram.succeed("truncate", "-s", "16M", image)
            try LiveProgram.succeed("mkntfs", "-q", "-F", "-f", image)
            return ["lowntfs-3g", image, path, "-o", "ignore_case,no_detach"]
        case .fat:
            try LiveProgram.succeed("truncate", "-s", "40M", image)
            try LiveProgram.succeed("mkfs.vfat", "-F", "32", image)
            return ["fusefat", "-f", "-o", "rw+", image, path]
        }
    }

    deinit {
        do {
            let outcome = try LiveProgram.run("umount", path)
            if outcome.status != 0 { print("still mounted: \(path): \(outcome.errors)") }
        } catch { print("still mounted: \(path): \(error)") }
    }
}
