import Foundation
import Testing

@Suite("Syncthing", .enabled(if: LiveGate.isOpen, LiveGate.reason), .serialized)
struct SyncthingTests {
    @Test(.enabled(if: LiveGate.has("syncthing"), "syncthing is not installed"))
    func twoDevicesFollowOneAnotherThroughTwoDaemons() throws {
        let directory = try LiveDirectory()
        let pair = try SyncthingPair(in: directory)
        defer { pair.end() }
        let stores = [directory.path("a"), directory.path("b")]
        try FoldersyncProcess.succeed("init", stores[0])
        try FoldersyncProcess.succeed("attach", stores[0], pair.folders[0], "--create")
        try FoldersyncProcess.succeed("init", stores[1])
        let attached = try eventually(within: 60) {
            try FoldersyncProcess.run("attach", stores[1], pair.folders[1]).status == 0
        }
        try #require(attached, "the identity card did not arrive")
        let followers = try stores.map { try FoldersyncProcess.start(["follow", $0]) }
        try FoldersyncProcess.succeed("set", stores[0], "both", "from a")
        try FoldersyncProcess.succeed("set", stores[1], "both", "from b")
        for number in 0..<20 {
            try FoldersyncProcess.succeed("set", stores[number % 2], "key/\(number)", "\(number)")
        }
        let settled = try eventually(within: 90) {
            let ends = try stores.map { try FoldersyncProcess.succeed("status", $0, "--json") }
            return try ends.allSatisfy { try $0.number("values") == 21 }
                && ends[0].string("head") == ends[1].string("head")
                && ends[0].string("digest") == ends[1].string("digest")
        }
        let ends = try stores.map { try FoldersyncProcess.run("status", $0, "--json").output }
        #expect(settled, "\(ends)")
        for follower in followers { follower.process.terminate() }
        for follower in followers { #expect(follower.wait().status == 0) }
        for store in stores { try FoldersyncProcess.succeed("verify", store) }
        for folder in pair.folders {
            let clean = try eventually(within: 30) { try FoldersyncProcess.run("verify", folder).status == 0 }
            #expect(clean)
        }
    }
}
