import Foundation
import Testing

/// The built `foldersync` as a child process.
struct FoldersyncProcess {
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// The one JSON object that was printed.
        func json() throws -> [String: Any] {
            let line = try #require(output.split(separator: "\n").last, "nothing was printed; \(errors)")
            return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }

        func string(_ key: String) throws -> String {
            try #require(try json()[key] as? String, "no \(key) in \(output)")
        }
        func number(_ key: String) throws -> Int { try #require(try json()[key] as? Int, "no \(key) in \(output)") }
    }

    /// Beside the test bundle, or the executable that runs it.
    static func binary() throws -> URL {
        let places =
            [Bundle.main.bundleURL, Bundle.main.bundleURL.deletingLastPathComponent()]
            + [URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        let named = places.flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: "foldersync") }
        return try #require(
            named.first { FileManager.default.isExecutableFile(atPath: $0.path) }, "build the product foldersync first")
    }

    static func start(_ arguments: [String]) throws -> Running {
        let process = Process()
        process.executableURL = try binary()
        process.arguments = arguments
        let output = Collector()
        let errors = Collector()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.pipe
        process.standardError = errors.pipe
        try process.run()
        return Running(process: process, output: output, errors: errors)
    }

    /// Runs to the end.
    @discardableResult
    static func run(_ arguments: String...) throws -> Result { try start(arguments).wait() }

    /// Runs to the end and expects success.
    @discardableResult
    static func succeed(_ arguments: String..., at location: SourceLocation = #_sourceLocation) throws -> Result {
        let result = try start(arguments).wait()
        #expect(
            result.status == 0, "foldersync \(arguments.joined(separator: " ")): \(result.errors)",
            sourceLocation: location)
        return result
    }

    /// Reads a pipe to its end on a thread of its own, so that a child never waits for the test.
    final class Collector: @unchecked Sendable {
        // Unchecked: `data` is written by the one thread before it signals `done`, and read after waiting for that.
        let pipe = Pipe()
        private var data = Data()
        private let done = DispatchSemaphore(value: 0)

        init() {
            Thread.detachNewThread { [self] in
                data = pipe.fileHandleForReading.readDataToEndOfFile()
                done.signal()
            }
        }

        func text() -> String {
            done.wait()
            done.signal()
            return String(decoding: data, as: UTF8.self)
        }
    }

    struct Running {
        let process: Process
        fileprivate let output: Collector
        fileprivate let errors: Collector

        func wait() -> Result {
            process.waitUntilExit()
            return Result(status: process.terminationStatus, output: output.text(), errors: errors.text())
        }

        /// The greatest memory the process had, in KiB, watched until its end.
        func peakMemory() -> Int {
            var peak = 0
            while process.isRunning {
                do {
                    let status = try String(
                        contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
                    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
                    peak = max(peak, line.flatMap { Int($0.filter(\.isNumber)) } ?? 0)
                } catch {
                    break  // It has ended.
                }
                Thread.sleep(forTimeInterval: 0.005)
            }
            return peak
        }

        func kill() { Foundation.kill(process.processIdentifier, SIGKILL) }
    }
}
