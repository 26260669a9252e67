import Foundation
import Testing

@Suite("Two processes", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct TwoProcessTests {
    @Test func writersOnOneStoreLoseNothing() throws {
        let directory = try LiveDirectory()
        let store = directory.path("store")
        try FoldersyncProcess.succeed("init", store)
        let rounds = LiveMachine.isPatient ? 25 : 8
        for round in 0..<rounds {
            let writers = try ["a", "b", "c"].map {
                try FoldersyncProcess.start(["set", store, "\($0)/\(round)", "\(round)"])
            }
            for writer in writers { #expect(writer.wait().status == 0) }
        }
        let status = try FoldersyncProcess.succeed("status", store, "--json")
        #expect(try status.number("values") == 3 * rounds)
        #expect(try status.number("versions") >= 3 * rounds)
        try FoldersyncProcess.succeed("verify", store)
    }

    @Test func followAndSyncOfOneStoreAreNoTwins() throws {
        let directory = try LiveDirectory()
        let (a, b, shared) = (directory.path("a"), directory.path("b"), directory.path("shared"))
        try FoldersyncProcess.succeed("init", a)
        try FoldersyncProcess.succeed("attach", a, shared, "--create")
        try FoldersyncProcess.succeed("init", b)
        try FoldersyncProcess.succeed("attach", b, shared)
        let following = try [a, b].map { try FoldersyncProcess.start(["follow", $0]) }
        let rounds = LiveMachine.isPatient ? 10 : 4
        for round in 0..<rounds {
            try FoldersyncProcess.succeed("set", a, "from-a/\(round)", "a")
            try FoldersyncProcess.succeed("set", b, "from-b/\(round)", "b")
            try FoldersyncProcess.succeed("sync", a)
            try FoldersyncProcess.succeed("sync", b)
        }
        let settled = try eventually(within: 60) {
            let ends = try [a, b].map { try FoldersyncProcess.succeed("status", $0, "--json") }
            return try ends.allSatisfy { try $0.number("values") == 2 * rounds }
                && ends[0].string("head") == ends[1].string("head")
        }
        #expect(settled)
        for follower in following { follower.process.terminate() }
        for follower in following {
            let result = follower.wait()
            #expect(result.status == 0, "\(result.errors)")
        }
        for path in [a, b, shared] { try FoldersyncProcess.succeed("verify", path) }
    }
}
