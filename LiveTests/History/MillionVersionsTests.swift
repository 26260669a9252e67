import Foundation
import LLVSCore
import Testing

/// A million versions: what is asked of a long history costs what the answer needs, and memory stays where it was. Building
/// them takes minutes for each shape; `HISTORY_VERSIONS=100000` makes fewer.
@Suite(
    "A million versions",
    .enabled(if: LiveGate.isOpen && LiveMachine.isPatient, "set FILECOORDINATION_SLOW_TESTS=1 as well"), .serialized)
struct MillionVersionsTests {
    private static let count = ProcessInfo.processInfo.environment["HISTORY_VERSIONS"].flatMap(Int.init) ?? 1_000_000

    @Test("open, heads, common ancestors, log and one value's versions", arguments: LongHistory.Shape.allCases)
    func questions(shape: LongHistory.Shape) throws {
        let directory = try LiveDirectory()
        let path = directory.path("store")
        let history = try timed("\(shape): build") { try LongHistory(shape, at: path, count: Self.count) }

        let store = try timed("open") { try Store.open(at: path) }
        let heads = try timed("heads") { try store.heads() }
        #expect(heads.count == (shape == .crissCross ? 2 : 1))
        #expect(try timed("count") { try store.versionCount() } == history.count)
        let log = try timed("log of 100") { try store.log(from: heads.map(\.id), limit: 100) }
        #expect(log.count == 100)
        let revisions = try timed("100 versions of the value") {
            try store.versions(of: LongHistory.id).collected(limit: 100)
        }
        #expect(revisions.map(\.version) == log)
        var walked = 0
        try timed("walk over 100,000") {
            for version in store.versions(.oldestFirst).prefix(100_000) {
                _ = try version.get()
                walked += 1
            }
        }
        #expect(walked == min(history.count, 100_000))
        try askForAncestors(store, heads, history)
        try store.close()
        try memory(of: ["log", path, "--graph", "--limit", "100"], isBelow: 64)
        try memory(of: ["log", path, "--key", "n", "--limit", "100"], isBelow: 64)
        try memory(of: ["status", path], isBelow: 64)
    }

    /// A version beside the history, 5,000 versions back, against the newest.
    private func askForAncestors(
        _ store: Store, _ heads: [Version], _ history: LongHistory
    ) throws {
        let number = try #require(history.landmarks.keys.filter { $0 <= history.count - 5_000 }.max())
        let old = try #require(history.landmarks[number])
        let side = try store.makeVersion(
            basedOn: old, changes: [.update(Value(id: LongHistory.id, "beside"))], now: try store.version(old).time)
        let newest = try #require(heads.last)
        let common = try timed("common ancestors 5,000 back") { try store.commonAncestors(newest.id, side.id) }
        #expect(common.map(\.id) == [old])
        #expect(try store.isAncestor(old, of: newest.id))
    }

    private func timed<Result>(_ what: String, _ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        let result = try body()
        print("  \(what): \(ContinuousClock.now - start)")
        return result
    }

    private func memory(of words: [String], isBelow mebibytes: Int) throws {
        let running = try FoldersyncProcess.start(words)
        let peak = running.peakMemory()
        let result = running.wait()
        #expect(result.status == 0, "\(result.errors)")
        print("  foldersync \(words[0]): \(peak / 1024) MiB at most")
        #expect(peak < mebibytes * 1024, "\(words[0]) took \(peak) KiB")
    }
}
