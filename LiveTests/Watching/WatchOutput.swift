import Foundation
import Synchronization
import Testing

/// `foldersync watch --json` as a child process, and what it printed so far.
///
/// Its lines are read on a thread of its own, which can be told to stop reading for a while, as a reader that hangs does.
final class WatchOutput: Sendable {
    private struct State {
        var lines = 0
        var isReady = false
        var isPaused = false
        var hasEnded = false
        /// The last line about each path: whether it is there, and the number of the line.
        var paths: [String: (isThere: Bool, line: Int)] = [:]
        /// The last line that told to read a folder again.
        var rescans: [String: Int] = [:]
    }

    let process: Process
    private let state = Mutex(State())

    init(_ folder: String, _ options: String...) throws {
        process = Process()
        process.executableURL = try FoldersyncProcess.binary()
        process.arguments = ["watch", folder, "--json"] + options
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        try process.run()
        Thread.detachNewThread { [self] in read(pipe.fileHandleForReading) }
        try #require(try eventually(within: 30) { isReady })
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }

    private func read(_ file: FileHandle) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var rest: [UInt8] = []
        while true {
            while state.withLock({ $0.isPaused }) { Thread.sleep(forTimeInterval: 0.01) }
            let count = Foundation.read(file.fileDescriptor, &buffer, buffer.count)
            if count <= 0 { break }
            rest += buffer[..<count]
            let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            for line in lines.dropLast() { take(Data(line)) }
            rest = Array(lines.last ?? [])
        }
        state.withLock { $0.hasEnded = true }
    }

    private func take(_ line: Data) {
        let object: [String: Any]?
        do { object = try JSONSerialization.jsonObject(with: line) as? [String: Any] } catch {
            Issue.record("no JSON: \(String(decoding: line, as: UTF8.self))")
            return
        }
        let path = object?["path"] as? String ?? ""
        state.withLock { state in
            state.lines += 1
            switch object?["event"] as? String {
            case "ready": state.isReady = true
            case "changed": state.paths[path] = (true, state.lines)
            case "removed": state.paths[path] = (false, state.lines)
            case "rescan": state.rescans[path] = state.lines
            default: break
            }
        }
    }

    var isReady: Bool { state.withLock { $0.isReady } }
    var lineCount: Int { state.withLock { $0.lines } }
    var rescanCount: Int { state.withLock { $0.rescans.count } }
    /// Whether the output is at its end.
    var hasEnded: Bool { state.withLock { $0.hasEnded } }

    func pause() { state.withLock { $0.isPaused = true } }
    func resume() { state.withLock { $0.isPaused = false } }

    /// How many of the paths were last told to be there, or not to be there.
    func count(of paths: [String], isThere: Bool) -> Int {
        state.withLock { state in paths.count { state.paths[$0]?.isThere == isThere } }
    }

    /// How many of the paths are known: by their last line, or by a later one that says to read a folder above again.
    func countKnown(_ paths: [String], isThere: Bool, below root: String) -> Int {
        state.withLock { state in
            paths.count { path in
                let last = state.paths[path]
                if last?.isThere == isThere { return true }
                var folder = path
                while folder.utf8.count > root.utf8.count, let slash = folder.utf8.lastIndex(of: UInt8(ascii: "/")) {
                    folder = String(folder[..<slash])
                    if let rescan = state.rescans[folder], rescan > last?.line ?? 0 { return true }
                }
                return false
            }
        }
    }

    /// The greatest memory of the process so far, in KiB; 0 where the system does not say.
    func peakMemory() throws -> Int {
        let path = "/proc/\(process.processIdentifier)/status"
        guard FileManager.default.isReadableFile(atPath: path) else { return 0 }
        let line = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").first {
            $0.hasPrefix("VmHWM:")
        }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
