import Foundation
import TestSupport
import Testing

/// How the lines of `foldersync watch` flow: together, and no faster than they are read.
@Suite("Watch command: flow", .timeLimit(.minutes(1)))
struct WatchFlowTests {
    private let foldersync: CommandRunner
    private var folder: TemporaryFolder { foldersync.folder }

    init() throws {
        foldersync = try CommandRunner()
        try folder.makeFolder("notes")
    }

    /// How often the process called write(2), or nil where the system does not say.
    private func writes(of process: Process) throws -> Int? {
        let path = "/proc/\(process.processIdentifier)/io"
        guard FileManager.default.isReadableFile(atPath: path) else { return nil }
        let line = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first {
            $0.hasPrefix("syscw: ")
        }
        return line.flatMap { Int($0.dropFirst("syscw: ".count)) }
    }

    @Test("Changes that come together are written together, at once")
    func batchesAreWrittenTogether() async throws {
        let watch = try RunningCommand(["watch", "notes", "--json"], in: foldersync)
        try #require(try await watch.prints(#"{"event":"ready"}"#))
        guard let before = try writes(of: watch.process) else { return }
        // Stopped meanwhile, so that it finds them all.
        kill(watch.process.processIdentifier, SIGSTOP)
        for number in 0..<200 { try folder.write("x", to: "notes/\(number)") }
        kill(watch.process.processIdentifier, SIGCONT)
        #expect(try await eventually { try watch.lines.count == 201 })
        let after = try #require(try writes(of: watch.process))
        #expect(after - before < 20, "\(after - before) writes for 200 lines")
    }

    @Test("What a reader does not take in time is covered by rescans, and a blocked watch can be ended")
    func slowReader() async throws {
        let pipe = Pipe()
        let process = try foldersync.prepare(try CommandRunner.executable, ["watch", "notes", "--json"])
        process.standardOutput = pipe
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try pipe.fileHandleForWriting.close()
        let reader = LineReader(pipe.fileHandleForReading)
        #expect(try await reader.next() == #"{"event":"ready"}"#)
        // More than pipe and backlog hold.
        let count = 8_000
        for folderNumber in 0..<20 {
            try folder.makeFolder("notes/\(folderNumber)")
            for number in 0..<count / 20 {
                try folder.write("x", to: "notes/\(folderNumber)/a rather long name, so that pipes fill up \(number)")
            }
        }
        try folder.write("x", to: "notes/last")
        var told: Set<String> = []
        var covered: Set<String> = []
        while !told.contains("notes/last") && !covered.contains("notes") {
            let line = try await reader.next()
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let path = try #require(object?["path"] as? String, "\(line)")
            if object?["event"] as? String == "rescan" {
                #expect(object?["reason"] as? String == "more changes than were read")
                covered.insert(path)
            } else {
                told.insert(path)
            }
        }
        #expect(!covered.isEmpty)
        #expect(told.count < count)
        for folderNumber in 0..<20 where !covered.contains("notes") && !covered.contains("notes/\(folderNumber)") {
            #expect(told.count { $0.hasPrefix("notes/\(folderNumber)/") } == count / 20)
        }
    }

    @Test("A watch whose output nobody empties ends when told", arguments: [SIGINT, SIGTERM])
    func blockedWatchEnds(signal: Int32) async throws {
        let pipe = Pipe()
        let process = try foldersync.prepare(try CommandRunner.executable, ["watch", "notes", "--json"])
        process.standardOutput = pipe
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try pipe.fileHandleForWriting.close()
        #expect(try await LineReader(pipe.fileHandleForReading).next() == #"{"event":"ready"}"#)
        let name = String(repeating: "long ", count: 40)
        for number in 0..<1_000 { try folder.write("x", to: "notes/\(name)\(number)") }
        kill(process.processIdentifier, signal)
        #expect(await eventually { !process.isRunning })
        #expect(process.terminationReason == .exit)
        #expect(process.terminationStatus == 0)
        withExtendedLifetime(pipe) {}
    }
}

/// Reads lines of a pipe, no more than are asked for, but for what one read(2) brings.
private actor LineReader {
    private let file: FileHandle
    private var rest: ArraySlice<UInt8> = []

    init(_ file: FileHandle) { self.file = file }

    func next() async throws -> String {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest = rest[(end + 1)...] }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let descriptor = file.fileDescriptor
            let bytes = try await onOwnThread {
                var buffer = [UInt8](repeating: 0, count: 1 << 12)
                let count = read(descriptor, &buffer, buffer.count)
                return Array(buffer.prefix(max(count, 0)))
            }
            try #require(!bytes.isEmpty, "the output ended")
            rest += bytes
        }
    }
}
