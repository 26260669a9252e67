import Foundation
import Testing

/// Another program, run to its end or killed.
struct LiveProgram {
    /// What is left of one that ended.
    struct Outcome {
        let status: Int32
        let output: String
        let errors: String
    }

    private let process = Process()
    private let output = Pipe()
    private let errors = Pipe()
    private let input = Pipe()

    /// Starts it; the name is looked up in the path.
    init(_ words: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = input
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    /// Runs it to its end.
    @discardableResult
    static func run(_ words: String...) throws -> Outcome { try LiveProgram(words).outcome() }

    /// Runs it to its end, which must be a good one.
    static func succeed(_ words: String..., at location: SourceLocation = #_sourceLocation) throws {
        let outcome = try LiveProgram(words).outcome()
        try #require(
            outcome.status == 0, "\(words.joined(separator: " ")): \(outcome.errors)", sourceLocation: location)
    }

    /// The built program that writes; see `Programs/Writer`.
    static func writer() throws -> String { try built("LiveTestWriter") }

    /// A program of this package that is built with the tests; see `Programs`.
    static func built(_ name: String) throws -> String {
        let places =
            [Bundle.main.bundleURL, URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()]
        let named = places.flatMap { [$0, $0.deletingLastPathComponent()] }.map { $0.appending(path: name).path }
        return try #require(named.first { FileManager.default.isExecutableFile(atPath: $0) }, "\(name) is not built")
    }

    /// The bytes that come next on its standard output, empty at its end.
    func nextOutput() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

    /// The most memory it has had, in KiB.
    func peakMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return try #require(line.flatMap { Int($0.filter(\.isNumber)) })
    }

    /// Kills it and returns what it had printed and nobody read.
    func kill() -> String {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }

    /// Waits for its end.
    func outcome() throws -> Outcome {
        try input.fileHandleForWriting.close()
        // These programs say little: neither pipe fills up while the other is read.
        let said = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: String(decoding: said, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }
}
