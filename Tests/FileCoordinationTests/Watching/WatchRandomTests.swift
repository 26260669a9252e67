import Foundation
import TestSupport
import Testing

@testable import FileCoordination

@Suite("A watched tree under random changes", .serialized, .timeLimit(.minutes(20)))
struct WatchRandomTests {
    private static let names = ["a", "b", "c", "A", "x.md", "\u{E9}", "e\u{301}", "\u{301}m"]

    /// A path of one to three parts; most lead somewhere, some do not.
    private func place(_ random: inout SeededRandom) -> String {
        (0..<Int.random(in: 1...3, using: &random))
            .map { _ in Self.names.randomElement(using: &random) ?? "a" }.joined(separator: "/")
    }

    /// One change; that it fails, because something is in its way, is part of the game.
    private func change(_ folder: TemporaryFolder, _ outside: TemporaryFolder, _ random: inout SeededRandom) {
        let (one, other) = (place(&random), place(&random))
        do {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2: try folder.write(String(repeating: "x", count: Int.random(in: 0..<50, using: &random)), to: one)
            case 3, 4: try folder.makeFolder(one)
            case 5: try FileManager.default.removeItem(atPath: folder(one))
            case 6, 7: try LocalFileSystem().rename(folder(one), to: folder(other))
            case 8: try FileSystemLink.make(at: folder(one), to: Self.names.randomElement(using: &random) ?? "a")
            default:
                let kept = outside("\(Int.random(in: 0..<3, using: &random))")
                if FileManager.default.fileExists(atPath: kept) {
                    try LocalFileSystem().rename(kept, to: folder(one))
                } else {
                    try LocalFileSystem().rename(folder(one), to: kept)
                }
            }
        } catch {}
    }

    @Test(arguments: 0..<20)
    func whatIsToldIsWhatIsThere(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        for _ in 0..<20 { change(folder, outside, &random) }
        var options = WatchOptions()
        // Some watch, some look, and some cannot keep up.
        options.pollsOnly = seed % 4 == 3
        options.pollInterval = .milliseconds(10)
        options.backlogLimit = seed % 4 == 2 ? 3 : 16_384
        let tree = try await FollowedTree(DirectoryWatcher(folder.path, options: options), root: folder.path)
        for round in 0..<4 {
            for _ in 0..<(round == 0 ? 200 : 20) { change(folder, outside, &random) }
            try await expectAgreement(of: tree, seed)
        }
    }

    /// What was told is what is there, also for a consumer that cannot keep up and reads folders again instead. The first
    /// disagreement ends the test: it would stay.
    private func expectAgreement(of tree: FollowedTree, _ seed: UInt64) async throws {
        let agrees = try await tree.agrees()
        try #require(agrees, "seed \(seed): \(tree.difference)")
    }

    @Test(arguments: 0..<20)
    func whatIsToldSinceATokenMakesUpForTheTimeBetween(seed: UInt64) async throws {
        var random = SeededRandom(seed: seed)
        let (folder, outside) = (try TemporaryFolder(), try TemporaryFolder())
        for _ in 0..<20 { change(folder, outside, &random) }
        var options = WatchOptions()
        options.backlogLimit = seed % 3 == 2 ? 3 : 16_384
        var tree = try await FollowedTree(DirectoryWatcher(folder.path, options: options), root: folder.path)
        for round in 0..<3 {
            for _ in 0..<30 { change(folder, outside, &random) }
            // Much of this is not told yet, and more happens before the next start.
            let token = try #require(await tree.leave { try folder.write("\(round)", to: "last") })
            for _ in 0..<Int.random(in: 0..<30, using: &random) { change(folder, outside, &random) }
            let next = DirectoryWatcher(folder.path, options: options)
            tree = await FollowedTree(next, after: tree, since: try WatchToken(decoding: token.encoded))
            try await expectAgreement(of: tree, seed)
        }
    }
}
