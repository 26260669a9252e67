import Foundation

/// A part of a benchmark in a process of its own, whose memory is that part's.
struct OwnProcess {
    private static let variable = "BENCHMARK_PART"
    private static let separator = "|"

    /// What is run, and with which paths and the like.
    let part: String
    let arguments: [String]

    /// Runs it and waits for its end. What it prints comes with what this process prints.
    func run() throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let words = [part] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(
            [Self.variable: words.joined(separator: Self.separator)]
        ) { $1 }
        fflush(nil)
        try process.run()
        process.waitUntilExit()
    }

    /// The part that this process was begun for, if it was.
    static var begun: OwnProcess? {
        let words = ProcessInfo.processInfo.environment[variable]?.components(separatedBy: separator)
        return words.flatMap { words in
            words.first.map { OwnProcess(part: $0, arguments: Array(words.dropFirst())) }
        }
    }

    /// The most memory that this process has had, as Linux's /proc says it: "VmHWM: … kB".
    static func peakMemory() throws -> String {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return status.split(separator: "\n").first { $0.hasPrefix("VmHWM") }.map(String.init) ?? "memory not known"
    }
}
