import FileCoordination
import Foundation
import Synchronization
import TestSupport
import Testing

/// A folder to call the built executable in, as a shell would.
struct CommandRunner {
    /// How a call ended.
    struct Outcome {
        let code: Int32
        let bytes: [UInt8]
        let errors: String

        var output: String { String(decoding: bytes, as: UTF8.self) }
        var lines: [String] { output.split(separator: "\n").map(String.init) }

        /// The objects of the output, one a line.
        func objects() throws -> [[String: Any]] {
            try lines.map { try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]) }
        }

        /// The one object of the output.
        func object() throws -> [String: Any] {
            let objects = try objects()
            try #require(objects.count == 1)
            return objects[0]
        }
    }

    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The executable is built beside the test bundle.
    static var executable: URL {
        get throws {
            let bundle = try #require(Bundle.main.executableURL)
            return bundle.deletingLastPathComponent().appendingPathComponent("foldersync")
        }
    }

    /// Calls `foldersync` in the folder and waits for its end.
    @discardableResult
    func callAsFunction(_ words: String..., input: [UInt8] = []) async throws -> Outcome {
        try await run(try Self.executable, words, input: input)
    }

    /// Calls `foldersync` with words that are made elsewhere, and more in its environment.
    func run(_ words: [String], environment: [String: String] = [:]) async throws -> Outcome {
        try await run(try Self.executable, words, input: [], environment)
    }

    /// Calls a shell in the folder, with the executable as `$F`.
    func shell(_ script: String) async throws -> Outcome {
        try await run(URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: [])
    }

    private func run(
        _ executable: URL, _ words: [String], input: [UInt8], _ environment: [String: String] = [:]
    ) async throws -> Outcome {
        let process = try prepare(executable, words)
        process.environment?.merge(environment) { $1 }
        // Files, not pipes: nothing can fill up.
        let name = UUID().uuidString
        let paths = ["in", "out", "err"].map { "\(folder.path)/.\(name).\($0)" }
        defer {
            for path in paths { do { try FileManager.default.removeItem(atPath: path) } catch {} }
        }
        try Data(input).write(to: URL(fileURLWithPath: paths[0]))
        for path in paths[1...] { try Data().write(to: URL(fileURLWithPath: path)) }
        process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: paths[0]))
        process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[1]))
        process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: paths[2]))
        await Self.finish(process)
        return Outcome(
            code: process.terminationStatus, bytes: try LocalFileSystem.local.readFile(at: paths[1]),
            errors: String(decoding: try LocalFileSystem.local.readFile(at: paths[2]), as: UTF8.self))
    }

    /// A call that is not started yet, for those that do not end by themselves.
    func prepare(_ executable: URL, _ words: [String]) throws -> Process {
        let process = Process()
        process.executableURL = executable
        process.arguments = words
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.environment = ProcessInfo.processInfo.environment.merging(["F": try Self.executable.path]) { $1 }
        return process
    }

    private static func finish(_ process: Process) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch {
                Issue.record("cannot start \(String(describing: process.executableURL)): \(error)")
                continuation.resume()
            }
        }
    }

    /// An outcome must be an error of this form: one line, "error: what; what to do", and exit code 1.
    func expectError(
        _ outcome: Outcome, _ what: String, _ remedy: String = ";", location: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.code == 1, sourceLocation: location)
        #expect(outcome.errors.hasPrefix("error: "), "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.contains("; "), "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.contains(what), "\(outcome.errors)", sourceLocation: location)
        #expect(outcome.errors.contains(remedy), "\(outcome.errors)", sourceLocation: location)
    }
}
