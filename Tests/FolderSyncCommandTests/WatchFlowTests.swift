import Foundation
import TestSupport
import Testing

/// How the lines of `foldersync watch` flow: together, and no faster than they are read.
@Suite("Watch command: flow", .serialized, .timeLimit(.minutes(20)))
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

    /// Whether all threads of the process stand still after SIGSTOP, which ends no system call by itself.
    private func isStopped(_ process: Process) -> Bool {
        let tasks = "/proc/\(process.processIdentifier)/task"
        do {
            return try FileManager.default.contentsOfDirectory(atPath: tasks).allSatisfy { task in
                // PID (COMMAND) STATE …
                let stat = try String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
                return stat.split(separator: ")").last?.hasPrefix(" T") == true
            }
        } catch {
            // A thread ended meanwhile: not all stood still.
            return false
        }
    }

    @Test("Changes that come together are written together, at once")
    func batchesAreWrittenTogether() async throws {
        let watch = try RunningCommand(["watch", "notes", "--json"], in: foldersync)
        try #require(try await watch.prints(#"{"event":"ready"}"#))
        guard let before = try writes(of: watch.process) else { return }
        // Stopped meanwhile, so that it finds them all.
        kill(watch.process.processIdentifier, SIGSTOP)
        #expect(await eventually { isStopped(watch.process) })
        for number in 0..<200 { try folder.write("x", to: "notes/\(number)") }
        kill(watch.process.processIdentifier, SIGCONT)
        // That one is told of twice is no fault here: that one is not told of is.
        var missing: Set<String> = []
        let told = try await eventually {
            let lines = Set(try watch.lines)
            missing = Set((0..<200).map { #"{"event":"changed","path":"notes/\#($0)"}"# }).subtracting(lines)
            return missing.isEmpty
        }
        #expect(told, "\(missing.sorted()) of \(watch)")
        let after = try #require(try writes(of: watch.process))
        #expect(after - before < 20, "\(after - before) writes for 200 lines")
    }

    @Test("A reader that hangs for a while misses nothing: what it is not told by name is covered by a rescan")
    func hangingReader() async throws {
        let pipe = Pipe()
        let process = try foldersync.prepare(try CommandRunner.executable, ["watch", "notes", "--json"])
        process.standardOutput = pipe
        try process.run()
        defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
        try pipe.fileHandleForWriting.close()
        let reader = LineReader(pipe.fileHandleForReading)
        #expect(try await reader.next() == #"{"event":"ready"}"#)
        // Many times what a pipe holds.
        var missing: Set<String> = []
        for folderNumber in 0..<20 {
            try folder.makeFolder("notes/\(folderNumber)")
            for number in 0..<200 {
                let name = "notes/\(folderNumber)/a rather long name, so that the pipe fills up \(number)"
                try folder.write("x", to: name)
                missing.insert(name)
            }
        }
        while !missing.isEmpty {
            let line = try await reader.next()
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            let path = try #require(object?["path"] as? String, "\(line)")
            missing.remove(path)
            if object?["event"] as? String == "rescan" { missing = missing.filter { !$0.hasPrefix(path + "/") } }
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
