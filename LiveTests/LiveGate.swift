import Foundation
import Testing

/// Live tests run real programs, kill processes and take minutes: only when asked for.
enum LiveGate {
    static let isOpen = ProcessInfo.processInfo.environment["FILECOORDINATION_LIVE_TESTS"] == "1"
    static let reason: Comment = "set FILECOORDINATION_LIVE_TESTS=1 to run the live tests"

    /// Whether a program is installed.
    static func has(_ program: String) -> Bool {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
    }
}

/// A directory that is removed with the test.
final class LiveDirectory {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "live-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file as any program would, with the directories it needs.
    func write(_ text: String, to name: String) throws {
        let file = URL(fileURLWithPath: path(name))
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Nil where no file is.
    func text(_ name: String) -> String? {
        FileManager.default.contents(atPath: path(name)).map { String(decoding: $0, as: UTF8.self) }
    }

    deinit {
        do { try FileManager.default.removeItem(at: url) } catch { print("left behind: \(url.path)") }
    }
}
