import FileCoordination
import Foundation
import TestSupport
import Testing

@Suite("Writing: killed", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct WritingKillTests {
    /// The number a whole content has; nil for a torn one.
    private func number(in bytes: [UInt8]) -> Int? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let space = text.firstIndex(of: " "), let number = Int(text[..<space]) else { return nil }
        return text.utf8.count == "\(number) ".utf8.count + number * 7919 % 60_000 ? number : nil
    }

    @Test(arguments: ["fast", "full"])
    func killedAgainAndAgainAWriterLeavesWholeFilesAndWhatIsSwept(durability: String) throws {
        let folder = try LiveDirectory()
        let (path, program) = (folder.path("a"), try LiveProgram.writer())
        let strangers = ["~syncthing~note.tmp", "a.tmp", ".dat.nosync1.abcdef"]
        for name in strangers { try Data("x".utf8).write(to: URL(fileURLWithPath: folder.path(name))) }
        let seed = UInt64.random(in: 1...1_000_000)
        print("seed \(seed)")
        var random = SeededRandom(seed: seed)
        var acknowledged = 0
        for round in 0..<(LiveMachine.isPatient ? 100 : 30) {
            let writer = try LiveProgram([program, "loop", path, durability])
            var said = round.isMultiple(of: 4) ? "" : writer.nextOutput()
            usleep(UInt32.random(in: 0..<20_000, using: &random))
            said += writer.kill()
            acknowledged = said.split(separator: "\n").compactMap { Int($0) }.max() ?? acknowledged
            if acknowledged == 0 { continue }
            let found = try #require(
                number(in: try CoordinatedFile().read(at: path)), "torn in round \(round), seed \(seed)")
            #expect(found == acknowledged || found == acknowledged + 1, "round \(round), seed \(seed)")
            acknowledged = found
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).filter { $0.contains("fc-") }
        let swept = try CoordinatedFile().sweepTemporaryFiles(in: folder.url.path, olderThan: .zero)
        print("\(acknowledged) writes, \(left.count) left behind, \(swept.count) swept")
        #expect(Set(swept) == Set(left))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
                == (strangers + ["a"]).sorted())
    }

    @Test
    func aDeadHolderOfALockBlocksNobody() async throws {
        let folder = try LiveDirectory()
        let locks = folder.path("locks")
        try FileManager.default.createDirectory(atPath: locks, withIntermediateDirectories: false)
        let file = CoordinatedFile(durability: .fast, lockFolder: locks)
        for _ in 0..<10 {
            let holder = try LiveProgram([try LiveProgram.writer(), "hold", folder.path("a"), locks])
            #expect(holder.nextOutput() == "held\n")
            #expect { try file.update(at: folder.path("a"), waiting: false) { _ in .keep } } throws: {
                ($0 as? FileCoordinationError)?.code == .locked
            }
            await #expect {
                try await file.update(at: folder.path("a"), timeout: .milliseconds(30)) { _ in .keep }
            } throws: {
                ($0 as? FileCoordinationError)?.code == .locked
            }
            _ = holder.kill()
            try file.update(at: folder.path("a"), waiting: false) { _ in .write([1]) }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: locks).isEmpty)
    }
}
