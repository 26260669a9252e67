import LLVSCore
import TestSupport
import Testing

@testable import FolderSync

/// What is known of a lane whose files overlap.
@Suite struct LaneReadingTests {
    private typealias Range = LaneKnowledge.Range

    /// The chain after a number, on one of several branches that part at a number.
    private func chain(_ number: UInt64, branch: String = "", from fork: UInt64 = .max) -> LaneChain {
        LaneChain(sequence: number, digest: SHA256.hash(Array("\(number)\(number > fork ? branch : "")".utf8)))
    }

    private func range(_ numbers: ClosedRange<UInt64>, branch: String = "", from fork: UInt64 = .max) -> Range {
        Range(
            before: chain(numbers.lowerBound - 1, branch: branch, from: fork),
            after: chain(numbers.upperBound, branch: branch, from: fork))
    }

    private func join(_ read: Range, to known: inout [Range], branch: String = "", from fork: UInt64 = .max) {
        let numbers = read.before.sequence...read.after.sequence
        let joined = LaneKnowledge.join(read, with: known) {
            Set(numbers.map { chain($0, branch: branch, from: fork) })
        }
        known = (known.filter { !joined.gone.contains($0) } + joined.made)
            .sorted { $0.before.sequence < $1.before.sequence }
    }

    @Test(arguments: 1...40 as ClosedRange<UInt64>) func filesInAnyOrderAndOverlapBecomeOneStretch(seed: UInt64) {
        var random = SimulatedFolderRandom(seed: seed)
        var files = (1...16).map { range($0...$0) } + [range(1...16), range(17...32), range(5...9), range(8...20)]
        files.removeAll { _ in random.oneIn(4) }
        let covered = Set(files.flatMap { Array($0.before.sequence + 1...$0.after.sequence) })
        var known: [Range] = []
        for file in files.shuffled(using: &random) { join(file, to: &known) }
        // What is known is what was read, in as few stretches as it has; where files overlap by half, a part of one may be noted too.
        let expected = covered.sorted().reduce(into: [ClosedRange<UInt64>]()) { stretches, number in
            if let last = stretches.last, last.upperBound + 1 == number {
                stretches[stretches.count - 1] = last.lowerBound...number
            } else {
                stretches.append(number...number)
            }
        }
        let whole = known.filter { part in
            !known.contains {
                $0 != part && $0.before.sequence <= part.before.sequence && $0.after.sequence >= part.after.sequence
            }
        }
        #expect(whole == expected.map { range($0) }, "seed \(seed)")
    }

    @Test func aTwinsFilesAreAWayOfTheirOwn() {
        var known: [Range] = []
        join(range(1...10), to: &known)
        join(range(11...12, branch: "twin", from: 10), to: &known, branch: "twin", from: 10)
        join(range(11...16), to: &known)
        #expect(known == [range(1...12, branch: "twin", from: 10), range(11...16)])
        join(range(1...16), to: &known)
        #expect(known == [range(1...12, branch: "twin", from: 10), range(1...16)])
        join(range(13...40, branch: "twin", from: 10), to: &known, branch: "twin", from: 10)
        #expect(known == [range(1...16), range(1...40, branch: "twin", from: 10)])
    }

    @Test func recordsOfEachFileOfAnEarlierVersionBecomeOne() {
        var known = (1...2_000).map { range($0...$0) }
        join(range(2_001...2_001), to: &known)
        #expect(known == [range(1...2_001)])
    }
}
