import TestSupport
import Testing

@testable import FolderSync

/// How files of a lane are chosen to be packed.
@Suite struct PackingPlanTests {
    /// A lane as its files lie, packed to the end after each send.
    private struct Lane {
        var files: [PackingPlan.File] = []
        var written: UInt64 = 0
        var packings = 0

        var end: UInt64 { files.last?.range.upperBound ?? 0 }

        mutating func send(_ count: UInt64, each length: UInt64) {
            let file = PackingPlan.File(range: end + 1...end + count, length: count * length)
            files.append(file)
            written += file.length
            while let run = PackingPlan.next(files, end: end), let first = files[run].first, let last = files[run].last
            {
                let length = files[run].reduce(0) { $0 + $1.length }
                #expect(run.count > 1 && length <= PackingPlan.greatestLength)
                files.replaceSubrange(
                    run, with: [PackingPlan.File(range: first.range.lowerBound...last.range.upperBound, length: length)]
                )
                written += length
                packings += 1
            }
        }

        func isGapless() -> Bool {
            zip(files, files.dropFirst()).allSatisfy { $0.range.upperBound + 1 == $1.range.lowerBound }
        }
    }

    @Test func manySmallFilesStayFewAndAreWrittenOnceForEachPowerOfSixteen() {
        var lane = Lane()
        var most = 0
        for _ in 1...5_000 {
            lane.send(1, each: 310)
            most = max(most, lane.files.count)
        }
        #expect(most == 3 * 15)
        #expect(
            lane.files.map { $0.range.count } == [4_096, 256, 256, 256] + [Int](repeating: 16, count: 8)
                + [Int](repeating: 1, count: 8))
        #expect(lane.written <= 5_000 * 310 * 4)
        #expect(lane.isGapless())
    }

    @Test(arguments: 1...6 as ClosedRange<UInt64>) func filesOfAllSizesAreBounded(seed: UInt64) {
        var random = SimulatedFolderRandom(seed: seed)
        var lane = Lane()
        var sent: UInt64 = 0
        for _ in 0..<1_500 {
            let count = UInt64.random(in: 1...(random.oneIn(8) ? 60 : 3), using: &random)
            let length = random.oneIn(20) ? 40_000 : UInt64.random(in: 250...900, using: &random)
            lane.send(count, each: length)
            sent += count * length
        }
        let levels = UInt64(4)
        let full = Int(sent / PackingPlan.greatestLength)
        #expect(lane.files.count <= 30 * Int(levels) + 2 * full, "seed \(seed): \(lane.files.count) files")
        #expect(lane.written <= sent * (levels + 1), "seed \(seed)")
        #expect(lane.isGapless())
        #expect(PackingPlan.next(lane.files, end: lane.end) == nil)
    }

    @Test func whatIsFullOrBehindAGapIsLeftAsItIs() {
        let full = (0..<16).map { PackingPlan.File(range: $0 * 16 + 1...$0 * 16 + 16, length: 3 << 20) }
        #expect(PackingPlan.next(full, end: 256) == nil)
        let apart = [1, 3, 5].map { PackingPlan.File(range: $0...$0, length: 300) }
        #expect(PackingPlan.next(apart, end: 16) == nil)
        let open = (1...15).map { PackingPlan.File(range: $0...$0, length: 300) }
        #expect(PackingPlan.next(open, end: 15) == nil)
        #expect(PackingPlan.next(open + [PackingPlan.File(range: 16...40, length: 300)], end: 40) == 0..<15)
        #expect(PackingPlan.next([], end: 0) == nil)
    }
}
