import Foundation
import TestSupport
import Testing

/// Two devices that mirror a directory each, with real watches, and are killed again and again.
@Suite("Mirror, live", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct MirrorLiveTests {
    private let directory: LiveDirectory
    private let runner: MirrorProcesses

    init() throws {
        directory = try LiveDirectory()
        runner = try MirrorProcesses(directory)
    }

    @Test func changesArriveInBothDirectionsWhileBothRun() async throws {
        let (a, b) = (try runner.start("A", "--create"), try await runner.startLater("B"))
        defer { for process in [a, b] { process.kill() } }
        for number in 0..<20 {
            try runner.write("from A \(number)\n", to: "A/a\(number % 5)/\(number).txt")
            try runner.write("from B \(number)\n", to: "B/b\(number % 5)/\(number).txt")
        }
        #expect(await eventually(within: .seconds(30)) { runner.areEqual(files: 40) }, "\(runner.difference)")
        try FileManager.default.moveItem(atPath: directory.path("A/a0"), toPath: directory.path("A/moved"))
        try FileManager.default.removeItem(atPath: directory.path("B/b1"))
        try runner.write("edited\n", to: "A/b2/2.txt")
        #expect(
            await eventually(within: .seconds(30)) {
                runner.areEqual(files: 36) && runner.text("B/b2/2.txt") == "edited\n"
                    && runner.text("B/moved/0.txt") == "from A 0\n"
            }, "\(runner.difference)")
    }

    @Test func nothingIsLostHoweverOftenBothAreKilled() async throws {
        let seed = UInt64.random(in: 1...1_000_000)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var running = ["A": try runner.start("A", "--create"), "B": try await runner.startLater("B")]
        defer { for process in running.values { process.kill() } }
        var expected: [String: String] = [:]
        for round in 0..<(LiveMachine.isPatient ? 12 : 6) {
            for name in ["A", "B"] {
                for number in 0..<4 {
                    let (path, text) = (
                        "\(name.lowercased())\(number)/\(round % 4).txt", "\(name) \(round) \(number)\n"
                    )
                    try runner.write(text, to: "\(name)/\(path)")
                    expected[path] = text
                }
            }
            let victim = Bool.random(using: &random) ? "A" : "B"
            try await Task.sleep(for: .milliseconds(Int.random(in: 0...400, using: &random)))
            running[victim]?.kill()
            _ = running[victim]?.wait()
            running[victim] = try runner.start(victim)
        }
        let isSettled = await eventually(within: .seconds(30)) {
            runner.areEqual(files: expected.count) && expected.allSatisfy { runner.text("A/\($0.key)") == $0.value }
        }
        #expect(isSettled, "seed \(seed): \(runner.difference)")
        for store in ["SA", "SB"] { try FoldersyncProcess.succeed("verify", directory.path(store)) }
        try FoldersyncProcess.succeed("verify", directory.path("shared"))
    }
}

/// The directories and processes of two devices.
private struct MirrorProcesses {
    let directory: LiveDirectory

    init(_ directory: LiveDirectory) throws {
        self.directory = directory
        for name in ["A", "B"] {
            try FileManager.default.createDirectory(atPath: directory.path(name), withIntermediateDirectories: true)
        }
    }

    func start(_ name: String, _ words: String...) throws -> FoldersyncProcess.Running {
        try FoldersyncProcess.start(
            [
                "mirror", directory.path(name), "--through", directory.path("shared"), "--store",
                directory.path("S" + name),
            ]
                + words)
    }

    /// When there is a shared folder.
    func startLater(_ name: String) async throws -> FoldersyncProcess.Running {
        let isThere = await eventually(within: .seconds(30)) {
            do {
                return try FileManager.default.contentsOfDirectory(atPath: directory.path("shared"))
                    .contains { $0.hasSuffix(".store") }
            } catch { return false }
        }
        try #require(isThere)
        return try start(name)
    }

    func write(_ text: String, to path: String) throws { try directory.write(text, to: path) }

    func text(_ path: String) -> String? { directory.text(path) }

    private func files(_ name: String) -> [String: String] {
        var found: [String: String] = [:]
        let root = directory.path(name)
        for case let path as String in FileManager.default.enumerator(atPath: root) ?? .init()
        where path.hasSuffix(".txt") {
            found[path] = text("\(name)/\(path)")
        }
        return found
    }

    func areEqual(files count: Int) -> Bool {
        let (a, b) = (files("A"), files("B"))
        return a == b && a.count == count
    }

    /// For messages.
    var difference: String {
        let (a, b) = (files("A"), files("B"))
        let keys = Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.sorted()
        return "\(a.count) and \(b.count) files; "
            + keys.map { "\($0): \(a[$0] ?? "-") / \(b[$0] ?? "-")" }.joined(separator: ", ")
    }
}
