import Foundation
import Testing

@Suite("Killed", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct KillTests {
    /// A generator that repeats itself: the seed is printed.
    private struct Random {
        var state: UInt64
        mutating func next(below limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(limit))
        }
    }

    private func writeFiles(_ directory: String, round: Int) throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        for number in 0..<40 {
            let text = "file \(number) of round \(round) " + String(repeating: "x", count: number * 700)
            try Data(text.utf8).write(to: URL(fileURLWithPath: "\(directory)/\(number)"))
        }
    }

    @Test func nothingAcknowledgedIsLostHoweverOftenImportAndSyncAreKilled() throws {
        let directory = try LiveDirectory()
        let (a, b, shared, input) = (
            directory.path("a"), directory.path("b"), directory.path("shared"), directory.path("in")
        )
        try FoldersyncProcess.succeed("init", a)
        try FoldersyncProcess.succeed("attach", a, shared, "--create")
        let seed = UInt64.random(in: 1...1_000_000)
        print("seed \(seed)")
        var random = Random(state: seed)
        var acknowledged = 0
        var kills = 0
        let rounds = LiveMachine.isPatient ? 50 : 14
        for round in 0..<rounds {
            try writeFiles(input, round: round)
            let arguments = round.isMultiple(of: 2) ? ["import", a, input] : ["sync", a]
            if !round.isMultiple(of: 2) { try FoldersyncProcess.succeed("import", a, input) }
            let running = try FoldersyncProcess.start(arguments)
            Thread.sleep(forTimeInterval: Double(random.next(below: 120)) / 1000)
            if running.process.isRunning {
                running.kill()
                kills += 1
            }
            _ = running.wait()
            let status = try FoldersyncProcess.succeed("status", a, "--json")
            let verified = try FoldersyncProcess.run("verify", a)
            #expect(verified.status == 0, "round \(round), seed \(seed): \(verified.output)\(verified.errors)")
            let versions = try status.number("versions")
            #expect(versions >= acknowledged, "round \(round), seed \(seed)")
            acknowledged = versions
            // What import acknowledged is what a second one finds unchanged.
            try FoldersyncProcess.succeed("import", a, input)
            acknowledged = try FoldersyncProcess.succeed("status", a, "--json").number("versions")
        }
        print("\(kills) kills in \(rounds) rounds")
        try FoldersyncProcess.succeed("sync", a)
        try FoldersyncProcess.succeed("verify", shared)
        try FoldersyncProcess.succeed("init", b)
        try FoldersyncProcess.succeed("attach", b, shared)
        try FoldersyncProcess.succeed("sync", b)
        let ends = try [a, b].map { try FoldersyncProcess.succeed("status", $0, "--json") }
        #expect(try ends[0].string("digest") == ends[1].string("digest"))
        #expect(try ends[0].number("versions") == ends[1].number("versions"))
        #expect(try ends[1].number("versions") >= acknowledged)
    }
}
