import Foundation
import TestSupport
import Testing

/// Three devices on three daemons, which are paused and killed.
@Suite(
    "Three Syncthings",
    .enabled(if: LiveGate.isOpen && LiveMachine.isPatient, "set FILECOORDINATION_SLOW_TESTS=1 as well"),
    .enabled(if: LiveGate.has("syncthing") && LiveGate.has("curl"), "syncthing or curl is not installed"))
struct ThreeSyncthingsTests {
    @Test func pausedAndKilledTheyConvergeAndNothingIsLost() async throws {
        let directory = try LiveDirectory()
        let names = ["a", "b", "c"]
        let devices = try CarriedMirrors("a", "b", "c", in: directory)
        let group = try SyncthingPair(in: directory, number: 2, daemons: 3)
        defer { group.end() }
        func words(_ index: Int) -> [String] { devices.words(names[index], through: group.folders[index]) }
        try devices.write("begun\n", to: "a/notes.md")
        try devices.settle("a", "--create", through: group.folders[0])
        for folder in group.folders {
            let isThere = await eventually(within: .seconds(60)) { devices.hasCard(folder) }
            try #require(isThere, "the identity card did not arrive in \(folder)")
        }
        var running = try names.indices.map { try FoldersyncProcess.start(words($0)) }
        defer { for process in running { process.kill() } }
        let isBegun = await eventually(within: .seconds(60)) { devices.areEqual("a", "b", "c") }
        try #require(isBegun)
        for round in 0..<3 {
            // One is away, and all of them save the same file; another loses its daemon, and the third its own process.
            try group.pause(round)
            for name in names {
                try devices.write(
                    (devices.text("\(name)/notes.md") ?? "") + "\(name) wrote \(round)\n", to: "\(name)/notes.md")
                for number in 0..<10 { try devices.write("\(name)\n", to: "\(name)/\(name) \(round)/\(number).txt") }
            }
            try await Task.sleep(for: .seconds(2))
            try group.killAndRestart((round + 1) % 3)
            let victim = (round + 2) % 3
            running[victim].kill()
            _ = running[victim].wait()
            running[victim] = try FoldersyncProcess.start(words(victim))
            try group.resume(round)
            let isSettled = await eventually(within: .seconds(90)) {
                devices.areEqual("a", "b", "c") && devices.files("a").count == 1 + 30 * (round + 1)
            }
            #expect(isSettled, "round \(round): \(names.map { devices.files($0).count })")
            let notes = devices.text("a/notes.md") ?? ""
            for name in names { #expect(notes.contains("\(name) wrote \(round)\n"), "\(notes)") }
        }
        for process in running { process.process.terminate() }
        for process in running { #expect(process.wait().status == 0) }
        try devices.verifyStores("a", "b", "c")
    }
}
