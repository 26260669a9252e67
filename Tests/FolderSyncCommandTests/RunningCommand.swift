import Foundation
import TestSupport
import Testing

/// A call of `foldersync` that goes on until it is told to stop.
///
/// Its output goes to files, so that it never waits for the test. Ended when the test lets go of it.
final class RunningCommand: CustomStringConvertible {
    let process: Process
    private let folder: TemporaryFolder
    private let name = ".\(UUID().uuidString)"

    init(_ words: [String], in runner: CommandRunner) throws {
        folder = runner.folder
        process = try runner.prepare(try CommandRunner.executable, words)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.file(folder.write("", to: name + ".out"))
        process.standardError = try Self.file(folder.write("", to: name + ".err"))
        try process.run()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private static func file(_ path: String) throws -> FileHandle {
        try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    var output: String { get throws { try folder.text(of: name + ".out") } }
    var errors: String { get throws { try folder.text(of: name + ".err") } }

    /// The lines of the output, without the last one while it is incomplete.
    var lines: [String] {
        get throws { try output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init) }
    }

    /// All it printed, for messages.
    var description: String {
        do { return "output: \(try output)\nerrors: \(try errors)" } catch { return "\(error)" }
    }

    /// Waits until a line is printed.
    func prints(_ line: String) async throws -> Bool {
        try await eventually { try lines.contains(line) }
    }

    /// Waits until something is on standard error.
    func says(_ text: String) async throws -> Bool {
        try await eventually { try errors.contains(text) }
    }

    /// Sends a signal and waits for the end. Returns the exit code, or nil if it did not exit by itself.
    func end(by signal: Int32 = SIGTERM) async -> Int32? {
        kill(process.processIdentifier, signal)
        return await eventually { !process.isRunning } && process.terminationReason == .exit
            ? process.terminationStatus : nil
    }
}
